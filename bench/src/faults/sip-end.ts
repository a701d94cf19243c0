/** The telephone network beside an appliance, by SIPp: a carrier that takes our calls, and people who call us. */
import { rmSync } from 'node:fs'
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Child } from '../../../server/dist/test/support/child.js'
import { sippPorts } from '../../../server/dist/test/support/free-ports.js'
import { type SipMessage, parseTrace } from '../../../server/dist/test/support/sip-message.js'
import { type FarCall, type Side, farCall } from './far-call.js'

/** More calls at once than any fault makes. */
const mostAtOnce = 4_000

interface Callers {
  /** `host:port` that is called. */
  server: string
  /** The number that is called. */
  user: string
  perSecond: number
  /** Who calls, one after the other. */
  numbers: readonly string[]
}

export class SipEnd {
  private readonly messages = new Map<string, SipMessage[]>()
  private unparsed = ''
  private read = 0

  private constructor(
    private readonly side: Side,
    private readonly child: Child,
    private readonly directory: string,
    readonly port: number,
  ) {
    process.once('exit', this.leave)
  }

  static async carrier(): Promise<SipEnd> {
    return SipEnd.start('carrier', async () => [])
  }

  static async callers({ server, user, perSecond, numbers }: Callers): Promise<SipEnd> {
    return SipEnd.start('caller', async (directory) => {
      const fields = join(directory, 'numbers.csv')
      await writeFile(fields, ['SEQUENTIAL', ...numbers].join('\n'))
      return [server, '-s', user, '-inf', fields, '-r', String(perSecond), '-m', String(numbers.length)]
    })
  }

  private static async start(
    side: Side,
    more: (directory: string) => Promise<readonly string[]>,
  ): Promise<SipEnd> {
    const directory = await mkdtemp(join(tmpdir(), 'jackfield-faults-'))
    const scenario = fileURLToPath(new URL(`../../sipp/fault-${side}.xml`, import.meta.url))
    const { port, controlPort, mediaPort } = await sippPorts()
    const child = await Child.start(
      'sipp',
      [
        ...['-sf', scenario, '-i', '127.0.0.1', '-p', String(port), '-t', 'u1', '-l', String(mostAtOnce)],
        ...['-mi', '127.0.0.1', '-mp', String(mediaPort), '-cp', String(controlPort)],
        ...['-nostdin', '-aa', '-deadcall_wait', '0', '-default_behaviors', 'all,-abortunexp'],
        ...['-trace_msg', '-message_file', join(directory, 'messages')],
        ...['-trace_err', '-error_file', join(directory, 'errors')],
        ...(await more(directory)),
      ],
      { cwd: directory, env: { TERM: 'dumb' } },
    )
    await sleep(500)
    if (child.obituary) throw new Error(child.obituary)
    return new SipEnd(side, child, directory, port)
  }

  /** All calls of which a message has passed since the last `forget()`. */
  async calls(): Promise<FarCall[]> {
    await this.readOn()
    return [...this.messages.values()].flatMap((messages) => farCall(this.side, messages) ?? [])
  }

  /** Begins a new row. */
  async forget(): Promise<void> {
    await this.readOn()
    this.messages.clear()
  }

  /** Begins no more calls, and waits for those that live. @returns whether they ended in time */
  async finish(withinMs: number): Promise<boolean> {
    process.kill(this.child.pid, 'SIGUSR1')
    return this.child.exitCode(withinMs).then(
      () => true,
      () => false,
    )
  }

  async stop(): Promise<void> {
    await this.child.stop(1_000)
    await rm(this.directory, { recursive: true, force: true })
    process.off('exit', this.leave)
  }

  private readonly leave = () => rmSync(this.directory, { recursive: true, force: true })

  /** Takes in what was added to the trace. */
  private async readOn(): Promise<void> {
    const file = await open(join(this.directory, 'messages')).catch(() => undefined)
    if (!file) return
    try {
      const { size } = await file.stat()
      const { buffer } = await file.read(Buffer.alloc(size - this.read), 0, size - this.read, this.read)
      this.read = size
      this.unparsed += buffer.toString('latin1')
    } finally {
      await file.close()
    }
    // The last entry may still grow.
    const last = this.unparsed.lastIndexOf('\n--------------------') + 1
    for (const message of parseTrace(this.unparsed.slice(0, last))) {
      const call = this.messages.get(message.callId)
      if (call) call.push(message)
      else this.messages.set(message.callId, [message])
    }
    this.unparsed = this.unparsed.slice(last)
  }
}
