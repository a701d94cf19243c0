/** An appliance on the sandbox and a MariaDB of its own: one is filled, one stays as good as empty. */
import { dirname } from 'node:path'
import type { Connection } from 'mysql2/promise'
import type { TestWorkspace } from '../../../server/dist/test/support/appliance.js'
import { CallBench } from '../../../server/dist/test/support/call-bench.js'
import { type Mariadb, startMariadb } from '../../../server/dist/test/support/mariadb.js'
import { connectTo } from '../api/fill.js'
import { extraSettings } from '../calls/world.js'
import { processesWith } from '../cpu.js'
import { fillUnits } from './fill.js'

/** Units that each of the two workspaces has from the beginning: their pages are full, also the filtered ones. */
const unitsOfWorkspace = 400

/** The number of the first old unit: above all that is filled. */
const firstOld = 50_000_000
const otherWorkspaces = 1_000
/** Those with old rows; the sweep comes to them before all others, as it goes by ids. */
const agedWorkspaces = 10

export class World {
  private oldUnits = 0

  private constructor(
    readonly bench: CallBench,
    readonly mariadb: Mariadb,
    readonly connection: Connection,
    /** Makes the calls, and has half of all that is filled. */
    readonly big: TestWorkspace,
    /** Does not grow. */
    readonly small: TestWorkspace,
    readonly pids: { server: readonly number[]; mariadb: readonly number[] },
    private readonly units: number,
  ) {}

  /** @param units most that are ever filled */
  static async start(units: number, bufferPoolMb: number): Promise<World> {
    const mariadb = await startMariadb({ durable: true, bufferPoolMb })
    const bench = await CallBench.start('sandbox', { mariadb, credit: 1_000_000, settings: extraSettings() })
    const connection = await connectTo(bench.appliance)
    const [[paths]] = (await connection.query('SELECT @@datadir AS data')) as unknown as [[{ data: string }]]
    const small = await bench.appliance.workspace()
    await connection.query(
      `INSERT INTO workspaces (id, title, country_code, created_at, updated_at, call_retention_days, message_retention_days)
       SELECT CONCAT('aged', seq), 'Aged', 'US', NOW(3), NOW(3), 30, 30 FROM seq_0_to_${agedWorkspaces - 1}`,
    )
    await connection.query(
      `INSERT INTO workspaces (id, title, country_code, created_at, updated_at)
       SELECT CONCAT('other', seq), 'Other', 'US', NOW(3), NOW(3) FROM seq_1_to_${otherWorkspaces}`,
    )
    const pids = {
      server: [bench.appliance.serverPid],
      mariadb: await processesWith(dirname(paths.data)),
    }
    const world = new World(bench, mariadb, connection, bench.workspace, small, pids, units)
    await world.put(`IF(seq % 2, '${world.big.id}', '${small.id}')`, 0, 2 * unitsOfWorkspace)
    return world
  }

  /** The oldest unit of a workspace: a search for it comes by all the others. */
  static readonly oldest = { big: 1, small: 0 }

  /** Fills units, half of them in the big workspace, the others in a thousand small ones. */
  async fill(from: number, to: number): Promise<void> {
    const other = `CONCAT('other', FLOOR(seq / 2) % ${otherWorkspaces} + 1)`
    const first = 2 * unitsOfWorkspace
    await this.put(`IF(seq % 2, '${this.big.id}', ${other})`, first + from, first + to)
    for (const table of ['calls', 'call_legs', 'call_events', 'messages', 'conversations'])
      await this.connection.query(`ANALYZE TABLE ${table}`)
  }

  /** Tops up what is older than it is kept. */
  async age(units: number): Promise<void> {
    const missing = Math.max(0, units - (await this.oldCalls()))
    const from = firstOld + this.oldUnits
    this.oldUnits += missing
    const times = { days: [400, 300], lastUnit: 2 * firstOld } as const
    await fillUnits(this.connection, {
      workspace: `CONCAT('aged', seq % ${agedWorkspaces})`,
      from,
      to: from + missing,
      ...times,
    })
  }

  async oldCalls(): Promise<number> {
    return this.count("SELECT COUNT(*) FROM calls WHERE workspace_id LIKE 'aged%'")
  }

  async oldMessages(): Promise<number> {
    return this.count("SELECT COUNT(*) FROM messages WHERE workspace_id LIKE 'aged%'")
  }

  /** One number out of the database. */
  private async count(sql: string): Promise<number> {
    const [[row]] = (await this.connection.query(sql)) as unknown as [[Record<string, number>]]
    return Number(Object.values(row)[0])
  }

  async stop(): Promise<void> {
    await this.connection.end()
    await this.bench.stop()
    await this.mariadb.stop()
  }

  private async put(workspace: string, from: number, to: number): Promise<void> {
    const times = { days: [300, 1], lastUnit: this.units + 2 * unitsOfWorkspace } as const
    await fillUnits(this.connection, { workspace, from, to, ...times })
  }
}
