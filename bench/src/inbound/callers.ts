/** Callers of the telephone network, by SIPp: so many a second, each of their response times noted. */
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Child } from '../../../server/dist/test/support/child.js'
import { sippPorts } from '../../../server/dist/test/support/free-ports.js'

const scenario = fileURLToPath(new URL('../../sipp/caller.xml', import.meta.url))

/** Where calls go. */
export interface Way {
  /** Of the INVITE's request URI. */
  user: string
  /** `host:port` that it is sent to. */
  server: string
  /** Address that it is sent from. */
  host: string
  /** What the edge would write into its headers. */
  numberId: string
  workspaceId: string
}

/** What became of the calls. */
export interface Answers {
  /** Milliseconds from each INVITE to its 180. */
  rings: number[]
  /** Milliseconds from each INVITE to its 200. */
  answers: number[]
  made: number
  failed: number
  /** What SIPp says of them. */
  errors: string
}

/** Makes so many calls a second, each at a moment of its own, and waits until all have ended. */
export async function callInbound(way: Way, perSecond: number, calls: number): Promise<Answers> {
  const directory = await mkdtemp(join(tmpdir(), 'jackfield-bench-callers-'))
  try {
    await writeFile(join(directory, 'fields.csv'), `SEQUENTIAL\n${way.numberId};${way.workspaceId}\n`)
    const { port, controlPort, mediaPort } = await sippPorts()
    const child = await Child.start(
      'sipp',
      [
        ...['-sf', scenario, '-inf', join(directory, 'fields.csv'), '-s', way.user],
        ...['-i', way.host, '-p', String(port), '-mi', '127.0.0.1', '-mp', String(mediaPort)],
        ...['-cp', String(controlPort), '-t', 'u1', '-nostdin', '-deadcall_wait', '0'],
        // Its clock ticks every 10 ms otherwise.
        ...[
          '-timer_resol',
          '1',
          '-r',
          String(perSecond),
          '-m',
          String(calls),
          '-l',
          '5000',
          '-timeout',
          '120',
        ],
        ...['-trace_rtt', '-rtt_freq', '1', '-trace_stat', '-stf', join(directory, 'stat.csv'), '-fd', '1'],
        // Two of the edge's workers may let a 200 overtake its 180, which a telephone does not mind.
        ...['-default_behaviors', 'all,-abortunexp'],
        ...['-trace_err', '-error_file', join(directory, 'errors')],
        way.server,
      ],
      { cwd: directory, env: { TERM: 'dumb' } },
    )
    await child.exitCode(180_000)
    return await readAnswers(directory).catch((error: unknown) => {
      throw new Error(`sipp measured nothing: ${child.output.slice(-500)}`, { cause: error })
    })
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

async function readAnswers(directory: string): Promise<Answers> {
  const files = await readdir(directory)
  const times = files.find((name) => name.endsWith('_rtt.csv'))
  const text = times ? await readFile(join(directory, times), 'utf8') : ''
  const rows = text.split('\n').map((line) => line.split(';'))
  const of = (timer: string) => rows.flatMap(([, ms, name]) => (name === timer ? [Number(ms)] : []))
  const [heads = '', ...lines] = (await readFile(join(directory, 'stat.csv'), 'utf8')).trim().split('\n')
  const last = lines.at(-1)?.split(';') ?? []
  const errors = await readFile(join(directory, 'errors'), 'utf8').catch(() => '')
  const figure = (name: string) => Number(last[heads.split(';').indexOf(name)] ?? Number.NaN)
  return {
    rings: of('1'),
    answers: of('2'),
    made: figure('TotalCallCreated'),
    failed: figure('FailedCall(C)'),
    errors,
  }
}
