/** A carrier for load: SIPp with the shortest scenario, which notes when each INVITE came. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Child } from '../../../server/dist/test/support/child.js'
import { sippPorts } from '../../../server/dist/test/support/free-ports.js'

const scenario = fileURLToPath(new URL('../../sipp/carrier.xml', import.meta.url))

export class LeanCarrier {
  readonly host = '127.0.0.1'

  private constructor(
    private readonly child: Child,
    private readonly directory: string,
    readonly port: number,
  ) {}

  static async start(): Promise<LeanCarrier> {
    const directory = await mkdtemp(join(tmpdir(), 'jackfield-bench-sipp-'))
    const { port, controlPort, mediaPort } = await sippPorts()
    const child = await Child.start(
      'sipp',
      [
        ...['-sf', scenario, '-i', '127.0.0.1', '-p', String(port), '-t', 'u1'],
        ...['-mi', '127.0.0.1', '-mp', String(mediaPort), '-cp', String(controlPort)],
        ...['-nostdin', '-aa', '-deadcall_wait', '0'],
        ...['-trace_shortmsg', '-shortmessage_file', join(directory, 'messages')],
        ...['-trace_err', '-error_file', join(directory, 'errors')],
      ],
      { cwd: directory, env: { TERM: 'dumb' } },
    )
    const carrier = new LeanCarrier(child, directory, port)
    await sleep(500)
    if (child.obituary) throw new Error(child.obituary)
    return carrier
  }

  get pid(): number {
    return this.child.pid
  }

  /** When each number was first invited, in milliseconds since 1970, by the number called. */
  async invites(): Promise<Map<string, number>> {
    const trace = await readFile(join(this.directory, 'messages'), 'utf8')
    const invites = new Map<string, number>()
    for (const line of trace.split('\n')) {
      const [, seconds, number] = /^[^\t]*\t[^\t]*\t(\d+\.\d+)\tR\t.*\tINVITE sip:(\+\d+)@/.exec(line) ?? []
      if (seconds && number && !invites.has(number)) invites.set(number, Number(seconds) * 1000)
    }
    return invites
  }

  async stop(): Promise<void> {
    await this.child.stop(1_000)
    await rm(this.directory, { recursive: true, force: true })
  }
}
