/** What both ways of calling share: one appliance on a real FreeSWITCH, one lean carrier, one second of audio. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Connection } from 'mysql2/promise'
import { multipart, wavFile } from '../../../server/dist/test/support/audio-files.js'
import { CallBench } from '../../../server/dist/test/support/call-bench.js'
import type { Freeswitch, FreeswitchSettings } from '../../../server/dist/test/support/freeswitch.js'
import { type Mariadb, startMariadb } from '../../../server/dist/test/support/mariadb.js'
import { connectTo } from '../api/fill.js'
import { processesWith } from '../cpu.js'
import type { Parts } from './parts.js'
import { EventSocket } from '../event-socket.js'
import { LeanCarrier } from './lean-carrier.js'

/** The number that calls go out with. */
const national = '2025550198'

/** USD that the workspace begins with. */
const credit = 10_000

interface WorldOptions {
  /** Of audio that is played to who answers. */
  seconds?: number
  /** Connections to the database. */
  pool?: number
  freeswitch?: FreeswitchSettings
  /** Of the server. */
  settings?: Record<string, string>
}

export class World {
  readonly credit = credit

  private constructor(
    readonly bench: CallBench,
    readonly mariadb: Mariadb,
    readonly freeswitch: Freeswitch,
    readonly carrier: LeanCarrier,
    readonly events: EventSocket,
    readonly database: Connection,
    readonly parts: Parts,
    readonly audioId: string,
    readonly audioMs: number,
    /** The same audio as a file. */
    readonly audioFile: string,
  ) {}

  static async start({
    seconds = 1,
    pool = 20,
    freeswitch: ofSwitch,
    settings,
  }: WorldOptions = {}): Promise<World> {
    const mariadb = await startMariadb({ durable: true })
    const bench = await CallBench.start('freeswitch', {
      mariadb,
      credit,
      settings: { JACKFIELD_DATABASE_POOL: String(pool), ...settings, ...extraSettings() },
      ...(ofSwitch && { freeswitch: ofSwitch }),
    })
    const { freeswitch, kamailio } = bench.appliance
    if (!freeswitch || !kamailio) throw new Error('this needs a real FreeSWITCH')
    const carrier = await LeanCarrier.start()
    await bench.connectNumber(national, [
      { uri: carrier.host, port: carrier.port, protocol: 'udp', priority: 1 },
    ])
    const upload = multipart(
      { title: 'Tone' },
      { name: 'tone.wav', content: wavFile(1000, seconds, { rate: 8000 }) },
    )
    const audio = await bench.api.request('POST', '/audios', { raw: upload })
    if (audio.status !== 201) throw new Error(`no audio: ${JSON.stringify(audio.body)}`)
    const { id } = audio.body as { id: string }
    const content = await bench.api.get(`/audios/${id}/content`)
    const folder = await mkdtemp(join(tmpdir(), 'jackfield-bench-'))
    const file = join(folder, 'tone.wav')
    await writeFile(file, content.body as Buffer)
    const database = await connectTo(bench.appliance)
    const parts = await partsOf(bench, database)
    const events = await EventSocket.open(freeswitch)
    return new World(bench, mariadb, freeswitch, carrier, events, database, parts, id, seconds * 1000, file)
  }

  /** `+<digits>` of the number that calls go out with. */
  get from(): string {
    return `+1${national}`
  }

  /** Kamailio's address for the switch, `host:port`. */
  get proxy(): string {
    const { privateHost, privatePort } = this.bench.appliance.kamailio?.options ?? {}
    return `${privateHost}:${privatePort}`
  }

  /** One number out of the database. */
  async count(sql: string): Promise<number> {
    const [[row]] = (await this.database.query(sql)) as unknown as [[Record<string, number>]]
    return Number(Object.values(row)[0])
  }

  async stop(): Promise<void> {
    this.events.close()
    await this.database.end()
    await this.carrier.stop()
    await this.bench.stop()
    await this.mariadb.stop()
    await rm(dirname(this.audioFile), { recursive: true, force: true })
  }
}

/** The processes of an appliance with a real switch. */
export async function partsOf({ appliance }: CallBench, database: Connection): Promise<Parts> {
  const { freeswitch, kamailio } = appliance
  if (!freeswitch || !kamailio) throw new Error('this needs a real FreeSWITCH')
  const [[paths]] = (await database.query('SELECT @@datadir AS data')) as unknown as [[{ data: string }]]
  return {
    server: [appliance.serverPid],
    freeswitch: [freeswitch.pid],
    mariadb: await processesWith(dirname(paths.data)),
    kamailio: await processesWith(kamailio.options.directory),
  }
}

/** NODE_OPTIONS for the server, so that it can be profiled: BENCH_SERVER_NODE_OPTIONS="--cpu-prof --cpu-prof-dir=…". */
export function extraSettings(): Record<string, string> {
  const options = process.env['BENCH_SERVER_NODE_OPTIONS']
  return options ? { NODE_OPTIONS: options } : {}
}
