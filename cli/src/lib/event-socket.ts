/** Client of FreeSWITCH's Event Socket (mod_event_socket): one command at a time. */
import { type Socket, connect } from 'node:net'
import { Errors } from '@oclif/core'
import type { EventSocketAddress } from './appliance-file.js'

/** Timeout of connecting, and of each response. */
const deadlineMs = 5_000

/** Longest response, in bytes. */
const mostBytes = 1_000_000

export class EventSocket {
  private held = Buffer.alloc(0)
  private waiting: { resolve(answer: string): void; reject(error: Error): void } | undefined

  private constructor(private readonly socket: Socket) {
    socket.setTimeout(deadlineMs, () => socket.destroy(new Error('no answer in time')))
    socket.on('data', (chunk: Buffer) => this.read(chunk))
    socket.on('error', (error) => this.fail(error))
    socket.on('close', () => this.fail(new Error('the connection was closed')))
  }

  /** @throws if it does not answer, or rejects the password */
  static async open({ host, port, password }: EventSocketAddress): Promise<EventSocket> {
    const client = new EventSocket(connect({ host, port, noDelay: true }))
    await client.answer()
    const answer = await client.send(`auth ${password}`)
    if (!answer.startsWith('+OK')) throw failure(answer)
    return client
  }

  /** Runs a one-line command and returns its output. */
  async api(command: string): Promise<string> {
    return this.send(`api ${command.replace(/[\r\n]/g, ' ')}`)
  }

  close(): void {
    this.socket.destroy()
  }

  private async send(line: string): Promise<string> {
    const answer = this.answer()
    this.socket.write(`${line}\n\n`)
    return answer
  }

  private async answer(): Promise<string> {
    return new Promise((resolve, reject) => {
      this.waiting = { resolve, reject }
      if (this.socket.destroyed) this.fail(new Error('the connection was closed'))
    })
  }

  private read(chunk: Buffer): void {
    this.held = Buffer.concat([this.held, chunk])
    const end = this.held.indexOf('\n\n')
    if (end < 0) {
      if (this.held.length > mostBytes) this.socket.destroy(new Error('the answer is too long'))
      return
    }
    const head = this.held.toString('utf8', 0, end)
    const length = Number(/^Content-Length: (\d+)/m.exec(head)?.[1] ?? 0)
    if (this.held.length < end + 2 + length && length <= mostBytes) return
    const body = this.held.toString('utf8', end + 2, end + 2 + length)
    this.held = this.held.subarray(end + 2 + length)
    const { waiting } = this
    this.waiting = undefined
    waiting?.resolve(length > 0 ? body : (/^Reply-Text: (.*)$/m.exec(head)?.[1] ?? ''))
  }

  private fail(error: Error): void {
    const { waiting } = this
    this.waiting = undefined
    waiting?.reject(failure(error.message))
  }
}

function failure(reason: string): Error {
  return new Errors.CLIError(`The switch cannot be asked: ${reason.trim()}`, { exit: 1 })
}
