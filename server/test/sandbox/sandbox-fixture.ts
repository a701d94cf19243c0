/** A sandbox switch on a free port, for one suite. */
import { randomUUID } from 'node:crypto'
import { EventSocketServer } from '../../src/sandbox/event-socket-server.js'
import { SandboxSwitch } from '../../src/sandbox/sandbox-switch.js'
import { TestClient } from './event-socket-client.js'

export class SandboxFixture {
  sandbox!: SandboxSwitch
  client!: TestClient
  port = 0
  #server!: EventSocketServer

  async start(journal = ''): Promise<void> {
    this.sandbox = new SandboxSwitch(journal)
    this.#server = new EventSocketServer(this.sandbox, 'test-password')
    this.port = await this.#server.listen('127.0.0.1', 0)
    this.client = await TestClient.open(this.port)
  }

  async stop(): Promise<void> {
    await this.client.end()
    this.sandbox.stop()
    await this.#server.close()
  }

  /** Starts an originate in the background; resolves with the channel's id once it is accepted. */
  async originate(number: string, variables = '', host = '127.0.0.1:5060'): Promise<string> {
    const uuid = randomUUID()
    await this.client.send(
      `bgapi originate {origination_uuid=${uuid},ignore_early_media=true${variables && `,${variables}`}}` +
        `sofia/edge/sip:${number}@${host};fs_path=%3Csip:127.0.0.2:5060%3Blr%3E &park()\nJob-UUID: job-${uuid}`,
    )
    return uuid
  }

  /** A leg that is answered and parked. */
  async parked(number = '+12025550100', variables = ''): Promise<string> {
    const uuid = await this.originate(number, variables)
    await this.client.event('CHANNEL_PARK', { 'Unique-ID': uuid })
    return uuid
  }

  /** The end of a channel. */
  async ended(uuid: string, deadline = 5000) {
    return this.client.event('CHANNEL_HANGUP_COMPLETE', { 'Unique-ID': uuid }, deadline)
  }

  /** What the background originate printed. */
  async result(uuid: string): Promise<string> {
    return (await this.client.event('BACKGROUND_JOB', { 'Job-UUID': `job-${uuid}` }))['_body'] ?? ''
  }
}
