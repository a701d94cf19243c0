/** Callers that go through a menu and an IVR, always so many at once, by SIPp. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Child } from '../../../server/dist/test/support/child.js'
import { sippPorts } from '../../../server/dist/test/support/free-ports.js'

const scenario = fileURLToPath(new URL('../../sipp/menu-caller.xml', import.meta.url))

interface Options {
  /** Of the INVITE's request URI. */
  user: string
  /** `host:port` that it is sent to. */
  server: string
  atOnce: number
}

export class MenuCallers {
  private constructor(
    private readonly child: Child,
    private readonly directory: string,
  ) {}

  static async start({ user, server, atOnce }: Options): Promise<MenuCallers> {
    const directory = await mkdtemp(join(tmpdir(), 'jackfield-bench-menu-'))
    const { port, controlPort, mediaPort } = await sippPorts()
    const child = await Child.start(
      'sipp',
      [
        ...['-sf', scenario, '-s', user, '-i', '127.0.0.1', '-p', String(port)],
        ...['-mi', '127.0.0.1', '-mp', String(mediaPort), '-cp', String(controlPort)],
        ...['-t', 'u1', '-nostdin', '-deadcall_wait', '0', '-r', '30', '-l', String(atOnce)],
        ...['-trace_stat', '-stf', join(directory, 'stat.csv'), '-fd', '1'],
        // Two of the edge's workers may let a 200 overtake its 180, which a telephone does not mind.
        ...['-default_behaviors', 'all,-abortunexp'],
        ...['-trace_err', '-error_file', join(directory, 'errors')],
        server,
      ],
      { cwd: directory, env: { TERM: 'dumb' } },
    )
    return new MenuCallers(child, directory)
  }

  /** Makes no more calls, and waits for those that run. */
  async finish(deadlineMs: number): Promise<{ made: number; failed: number }> {
    try {
      process.kill(this.child.pid, 'SIGUSR1')
      await this.child.exitCode(deadlineMs)
      const [heads = '', ...lines] = (await readFile(join(this.directory, 'stat.csv'), 'utf8'))
        .trim()
        .split('\n')
      const last = lines.at(-1)?.split(';') ?? []
      const figure = (name: string) => Number(last[heads.split(';').indexOf(name)] ?? Number.NaN)
      const errors = await readFile(join(this.directory, 'errors'), 'utf8').catch(() => '')
      if (errors) process.stderr.write(`${errors.slice(0, 3_000)}\n`)
      return { made: figure('TotalCallCreated'), failed: figure('FailedCall(C)') }
    } finally {
      await rm(this.directory, { recursive: true, force: true })
    }
  }
}
