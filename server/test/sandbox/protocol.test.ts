import { once } from 'node:events'
import { connect } from 'node:net'
import { expect } from 'chai'
import modesl from 'modesl'
import { TestClient } from './event-socket-client.js'
import { SandboxFixture } from './sandbox-fixture.js'

describe('sandbox: the Event Socket protocol', function () {
  this.timeout(10_000)
  const fixture = new SandboxFixture()
  before(async () => fixture.start())
  after(async () => fixture?.stop())

  it('refuses a wrong password and closes', async () => {
    const client = new TestClient(fixture.port)
    await client.greeting
    expect(await client.send('status')).to.equal('-ERR command not found')
    const closed = once(client.socket, 'close')
    expect(await client.send('auth wrong')).to.equal('-ERR invalid')
    await closed
  })

  it('answers as FreeSWITCH does to subscriptions, filters and what it does not know', async () => {
    const client = await TestClient.open(fixture.port, 'test-password', '')
    const dialogue = [
      ['event', '-ERR no keywords supplied'],
      ['event json NOSUCH', '-ERR no keywords supplied'],
      ['noevents', '-ERR not listening for events'],
      ['event json CHANNEL_PARK HEARTBEAT', '+OK event listener enabled json'],
      ['nixevent HEARTBEAT', '+OK events nixed'],
      ['filter Unique-ID a', '+OK filter added. [Unique-ID]=[a]'],
      ['filter delete Unique-ID a', '+OK filter deleted. [Unique-ID][a]'],
      ['filter delete all', '+OK filter deleted. [all][]'],
      ['noevents', '+OK no longer listening for events'],
      ['linger', '-ERR not controlling a session'],
      ['sendmsg nobody\ncall-command: hangup', '-ERR invalid session id [nobody]'],
      ['nosuchthing', '-ERR command not found'],
      ['api nosuch thing', '-ERR nosuch Command not found!\n'],
      ['bgapi status\nJob-UUID: mine', '+OK Job-UUID: mine'],
      ['exit', '+OK bye'],
    ]
    for (const [command, expected] of dialogue)
      expect(await client.send(command ?? ''), command).to.equal(expected)
    await client.end()
  })

  it('sends a job’s result with its Job-UUID', async () => {
    await fixture.client.send('bgapi global_getvar core_uuid\nJob-UUID: job-core')
    const event = await fixture.client.event('BACKGROUND_JOB', { 'Job-UUID': 'job-core' })
    expect(event).to.include({ 'Job-Command': 'global_getvar', _body: fixture.sandbox.bus.coreUuid })
    expect(event).to.include({ 'Core-UUID': fixture.sandbox.bus.coreUuid })
    expect(Number(event['Event-Date-Timestamp']) / 1000).to.be.closeTo(Date.now(), 5000)
  })

  it('sends only filtered events', async () => {
    const client = await TestClient.open(fixture.port)
    const wanted = await fixture.originate('+12025550101')
    await client.send('filter Job-UUID job-only')
    await client.send('bgapi status\nJob-UUID: job-other')
    await client.send('bgapi status\nJob-UUID: job-only')
    await client.event('BACKGROUND_JOB', { 'Job-UUID': 'job-only' })
    expect(client.events.some((event) => event['Job-UUID'] === 'job-other')).to.equal(false)
    await fixture.ended(wanted)
    await client.end()
  })

  it('drops events that a filter with a minus matches, whatever another one lets in', async () => {
    const client = await TestClient.open(fixture.port)
    for (const filter of ['Event-Name /^CHANNEL_/', 'Event-Name -channel_answer', 'Nobody -has this']) {
      await client.send(`filter ${filter}`)
    }
    const id = await fixture.parked()
    await client.event('CHANNEL_PARK', { 'Unique-ID': id })
    const names = client.names(id)
    expect(names).to.include('CHANNEL_CREATE')
    expect(names).not.to.include('CHANNEL_ANSWER')
    await client.end()
  })

  it('keeps channels when the client goes', async () => {
    const uuid = await fixture.parked()
    const client = await TestClient.open(fixture.port)
    await client.end()
    expect(await fixture.client.api(`uuid_exists ${uuid}`)).to.equal('true')
  })

  it('speaks with modesl', async () => {
    const connection = new modesl.Connection('127.0.0.1', fixture.port, 'test-password')
    connection.on('error', () => {})
    await new Promise<void>((resolve) => connection.on('esl::ready', () => resolve()))
    const body = await new Promise<string>((resolve) =>
      connection.api('global_getvar core_uuid', (response) => resolve(response.getBody())),
    )
    expect(body).to.equal(fixture.sandbox.bus.coreUuid)
    connection.disconnect()
  })

  const hostile: [string, string | Buffer][] = [
    ['garbage', Buffer.from(Array.from({ length: 5000 }, (_, index) => (index * 7919) % 256))],
    ['a frame without end', 'x'.repeat(3 * 1024 * 1024)],
    ['a length that is no number', 'sendevent X\nContent-Length: many\n\n'],
    ['a negative length', 'sendevent X\nContent-Length: -5\n\n'],
    ['a huge length', 'sendevent X\nContent-Length: 99999999999\n\n'],
    ['half a frame', 'api stat'],
    ['empty lines', '\r\n'.repeat(10_000)],
    ['names of Object.prototype', 'api constructor\n\napi __proto__ x\n\napi toString\n\n'],
    [
      'odd originates',
      'api originate {{{{ &park(\n\napi originate {a=b} \n\napi originate sofia/edge/@ &park()\n\n',
    ],
    ['many commands', 'api status\n\n'.repeat(5000)],
  ]
  for (const [what, bytes] of hostile) {
    it(`lives through ${what}, before and after the password`, async () => {
      for (const first of ['', 'auth test-password\n\n']) {
        const socket = connect({ host: '127.0.0.1', port: fixture.port })
        socket.on('error', () => {})
        socket.resume()
        await once(socket, 'connect')
        socket.write(first)
        socket.write(bytes)
        await new Promise((resolve) => setTimeout(resolve, 30))
        socket.destroy()
      }
      expect(await fixture.client.api('uuid_exists x')).to.equal('false')
    })
  }

  it('takes CRLF, several commands in one chunk and one command byte by byte', async () => {
    const client = await TestClient.open(fixture.port, 'test-password', '')
    const both = Promise.all([client.send('api echo one\r\n\r'), client.api('echo two')])
    expect(await both).to.deep.equal(['one', 'two'])
    const slow = client.send('')
    for (const byte of 'api echo slow\n\n') {
      client.socket.write(byte)
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
    expect(await slow).to.equal('slow')
    await client.end()
  })

  it('drops a client that never reads', async function () {
    this.timeout(20_000)
    const client = await TestClient.open(fixture.port, 'test-password', '')
    client.socket.pause()
    const bulk = 'x'.repeat(900_000)
    for (let round = 0; round < 120; round++) client.socket.write(`api echo ${bulk}\n\n`)
    // The socket is cut though nothing is read: what is still to be sent finds nobody.
    await new Promise((resolve) => client.socket.once('error', resolve))
    expect(await fixture.client.api('uuid_exists x')).to.equal('false')
  })
})
