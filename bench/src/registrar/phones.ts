/** SIPp as many phones that register one after another, so many at a time. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Child } from '../../../server/dist/test/support/child.js'
import { freePorts } from '../../../server/dist/test/support/free-ports.js'

const scenario = fileURLToPath(new URL('../../sipp/register.xml', import.meta.url))
const deadlineMs = 120_000

export interface BenchAccount {
  username: string
  domain: string
  password: string
}

/** Phones at one port, so that a second turn refreshes what the first has registered. */
export class Phones {
  private constructor(
    private readonly directory: string,
    private readonly ports: readonly [number, number],
    readonly count: number,
  ) {}

  static async of(accounts: readonly BenchAccount[]): Promise<Phones> {
    const directory = await mkdtemp(join(tmpdir(), 'jackfield-bench-phones-'))
    const [port = 0, control = 0] = await freePorts(2)
    const lines = accounts.map(
      ({ username, domain, password }) =>
        `${username};${domain};[authentication username=${username} password=${password}]`,
    )
    await writeFile(join(directory, 'accounts.csv'), ['SEQUENTIAL', ...lines, ''].join('\n'))
    return new Phones(directory, [port, control], accounts.length)
  }

  /**
   * All register once.
   * @returns registrations a second
   * @throws {Error} when one of them fails
   */
  async register(port: number, { inFlight = 100, count = this.count } = {}): Promise<number> {
    const [own, control] = this.ports
    const began = performance.now()
    const sipp = await Child.start(
      'sipp',
      [
        ...[`127.0.0.1:${port}`, '-sf', scenario, '-inf', join(this.directory, 'accounts.csv')],
        ...['-i', '127.0.0.1', '-p', String(own), '-cp', String(control), '-t', 'u1', '-nostdin'],
        ...['-m', String(count), '-l', String(inFlight), '-r', '20000', '-rp', '1000'],
        ...['-trace_err', '-error_file', join(this.directory, 'errors')],
      ],
      { cwd: this.directory, env: { TERM: 'dumb' } },
    )
    try {
      const code = await sipp.exitCode(deadlineMs)
      if (code !== 0) throw new Error(`SIPp ended with ${code}: ${sipp.output.slice(-2000)}`)
      return (count * 1000) / (performance.now() - began)
    } finally {
      await sipp.stop(500)
    }
  }

  async remove(): Promise<void> {
    await rm(this.directory, { recursive: true, force: true })
  }
}
