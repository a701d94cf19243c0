/**
 * A minimal client of FreeSWITCH's Event Socket: originates, and receives events of channels that end. It is what
 * the server is compared with, and how a benchmark learns of ends without asking the server.
 */
import { once } from 'node:events'
import { type Socket, connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** What is read of the event of a channel's end. */
export interface EndedChannel {
  id: string
  /** The call of ours that it belonged to, if any. */
  callId: string | undefined
  hangupCause: string
  answered: boolean
  /** Milliseconds of the last file that it was played. */
  playedMs: number
}

type Headers = Record<string, string | undefined>

const connectDeadlineMs = 5_000

export class EventSocket {
  private received: Buffer = Buffer.alloc(0)
  private onEnded: (channel: EndedChannel) => void = () => undefined
  private readonly replies: ((body: string) => void)[] = []

  private constructor(private readonly socket: Socket) {
    socket.setNoDelay(true)
    socket.on('data', (chunk: Buffer) => this.read(chunk))
  }

  static async open(target: { host: string; port: number; password: string }): Promise<EventSocket> {
    const socket = connect(target.port, target.host)
    await once(socket, 'connect', { signal: AbortSignal.timeout(connectDeadlineMs) })
    const client = new EventSocket(socket)
    await client.ask(`auth ${target.password}`)
    await client.ask('event json CHANNEL_HANGUP_COMPLETE')
    return client
  }

  /** Sends a command and returns the reply's text, or an api command's answer. */
  async ask(command: string): Promise<string> {
    return new Promise((resolve) => {
      this.replies.push(resolve)
      this.socket.write(`${command}\n\n`)
    })
  }

  /** Calls back at each end of a channel; the last one given is called. */
  whenEnded(listener: (channel: EndedChannel) => void): void {
    this.onEnded = listener
  }

  /** How many channels live. */
  async channels(): Promise<number> {
    const list = JSON.parse(await this.ask('api show channels as json')) as { row_count: number }
    return list.row_count
  }

  /** Waits until no channel lives. @throws when some still do after the time */
  async untilIdle(withinMs: number): Promise<void> {
    const until = Date.now() + withinMs
    for (;;) {
      const channels = await this.channels()
      if (channels === 0) return
      if (Date.now() > until) throw new Error(`${channels} channels still live`)
      await sleep(100)
    }
  }

  close(): void {
    this.socket.destroy()
  }

  private read(chunk: Buffer): void {
    this.received = this.received.length === 0 ? chunk : Buffer.concat([this.received, chunk])
    for (;;) {
      const end = this.received.indexOf('\n\n')
      if (end < 0) return
      const head = this.received.toString('latin1', 0, end)
      const length = Number(/^Content-Length: *(\d+)/im.exec(head)?.[1] ?? 0)
      if (this.received.length < end + 2 + length) return
      const body = this.received.toString('utf8', end + 2, end + 2 + length)
      this.received = this.received.subarray(end + 2 + length)
      this.dispatch(head, body)
    }
  }

  private dispatch(head: string, body: string): void {
    if (head.includes('auth/request')) return
    if (!head.includes('text/event-json')) {
      this.replies.shift()?.(body || (/^Reply-Text: (.*)$/im.exec(head)?.[1] ?? ''))
      return
    }
    const event = JSON.parse(body) as Headers
    this.onEnded({
      id: event['Unique-ID'] ?? '',
      callId: event['variable_jackfield_call'],
      hangupCause: event['Hangup-Cause'] ?? '',
      answered: Number(event['Caller-Channel-Answered-Time']) > 0,
      playedMs: Number(event['variable_playback_ms'] ?? 0),
    })
  }
}
