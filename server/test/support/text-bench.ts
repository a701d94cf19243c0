/** A workspace that sends texts: an appliance, a number of its own, and SMSCs as its carriers. */
import { encodingOf, segmentCount } from '../../src/adapters/sms/text/segments.js'
import { newId } from '../../src/infrastructure/database/ids.js'
import { newActiveNumber, succeed } from '../api/fixtures.js'
import { eventually } from './api-client.js'
import { Appliance, type TestWorkspace } from './appliance.js'
import { type Mariadb, runStatement } from './mariadb.js'

interface TextBenchOptions {
  settings?: Record<string, string>
  mariadb?: Mariadb
}

interface CarrierOptions {
  window?: number
  throughput?: number
}

interface TextOptions {
  body?: string
  /** Whom all of them are for. */
  to?: string
  /** Seconds. */
  giveUpAfter?: number
  numberId?: string
}

/** What became of a message, as its row has it. */
export interface MessageRow {
  id: string
  status: string
  cost: string | null
  error_code: string | null
  error_message: string | null
  carrier_id: string | null
  carrier_message_id: string | null
  client_number: string
}

/** Rows of one statement. */
const rowsAtOnce = 2_000

export class TextBench {
  private clients = 0
  private readonly carriers: string[] = []

  private constructor(
    readonly appliance: Appliance,
    readonly workspace: TestWorkspace,
    readonly numberId: string,
    /** Digits. */
    readonly number: string,
  ) {}

  static async start({ settings, mariadb }: TextBenchOptions = {}): Promise<TextBench> {
    const appliance = await Appliance.start({
      switch: 'sandbox',
      ...(mariadb && { mariadb }),
      settings: {
        JACKFIELD_RATE_LIMITS_DEFAULT: '1000000',
        JACKFIELD_RATE_LIMITS_SMS: '1000000',
        ...settings,
      },
    })
    const workspace = await appliance.workspace({ credit: 100_000 })
    const { id, number } = await newActiveNumber(appliance, workspace)
    return new TextBench(appliance, workspace, id, number.replace('+', ''))
  }

  /** Runs one statement past the server. */
  async query(sql: string, values: unknown[] = []): Promise<any[]> {
    const { mariadb, databaseName } = this.appliance
    return runStatement(mariadb, databaseName, sql, values)
  }

  /** Makes a carrier of an SMSC's port, the next one of the number. @returns its id */
  async carrier(port: number, { window = 10, throughput = 10_000 }: CarrierOptions = {}): Promise<string> {
    const { operator } = this.appliance
    const settings = { host: '127.0.0.1', port, system_id: 'jackfield', password: 'secret' }
    const limits = { window_size: window, throughput }
    const made = await succeed(
      operator.post('/carriers', { title: 'SMSC', kind: 'smpp', settings, ...limits }),
    )
    this.carriers.push(made.id)
    const path = `/workspaces/${this.workspace.id}/phone-numbers/${this.numberId}/carriers`
    await succeed(operator.put(path, { carrier_ids: this.carriers }))
    return made.id
  }

  async change(carrierId: string, changes: { is_active?: boolean; throughput?: number }): Promise<void> {
    await succeed(this.appliance.operator.patch(`/carriers/${carrierId}`, changes))
  }

  /** Whether the link of a carrier is up, on whatever server. */
  async up(carrierId: string): Promise<void> {
    await this.eventually(
      async () =>
        this.query(
          `SELECT health FROM carrier_leases WHERE carrier_id = ? AND leased_until > NOW(3)
             AND JSON_VALUE(health, '$.state') = 'up'`,
          [carrierId],
        ),
      (rows) => rows.length === 1,
      'link up',
    )
  }

  /** Accepts texts past the API, each to a client of its own. @returns their ids, in order */
  async accept(
    count: number,
    carrierId: string | null,
    { body = 'Hello', to, giveUpAfter = 86_400, numberId = this.numberId }: TextOptions = {},
  ): Promise<string[]> {
    const ids: string[] = []
    while (ids.length < count) {
      const some = Array.from({ length: Math.min(rowsAtOnce, count - ids.length) }, () => newId('msg'))
      ids.push(...some)
      const now = new Date()
      const columns =
        'id, workspace_id, conversation_id, phone_number_id, system_number, client_number, direction, status,' +
        ' sender_type, body, encoding, segments, price, created_at, updated_at'
      await this.query(`INSERT INTO messages (${columns}) VALUES ?`, [
        some.map((id) => [
          ...[id, this.workspace.id, 'conv_bench', numberId, this.number, to ?? this.newClient()],
          ...['outbound', 'queued', 'client', body, encodingOf(body), segmentCount(body), 0.01, now, now],
        ]),
      ])
      const giveUpAt = new Date(now.getTime() + giveUpAfter * 1000)
      await this.query(
        'INSERT INTO message_queue (message_id, workspace_id, carrier_id, state, due_at, attempts, give_up_at) VALUES ?',
        [some.map((id) => [id, this.workspace.id, carrierId, 'queued', now, 0, giveUpAt])],
      )
    }
    return ids
  }

  async rows(ids: readonly string[]): Promise<MessageRow[]> {
    const rows = (await this.query('SELECT * FROM messages WHERE id IN (?)', [ids])) as MessageRow[]
    const byId = new Map(rows.map((row) => [row.id, row]))
    return ids.flatMap((id) => byId.get(id) ?? [])
  }

  /** Waits until all of them have a status. */
  async become(ids: readonly string[], status: string, withinMs?: number): Promise<MessageRow[]> {
    await this.eventually(
      async () =>
        this.query('SELECT status, COUNT(*) AS n FROM messages WHERE id IN (?) GROUP BY status', [ids]),
      (rows: { status: string }[]) => rows.length === 1 && rows[0]?.status === status,
      `${ids.length} messages ${status}`,
      withinMs,
    )
    return this.rows(ids)
  }

  async eventually<T>(
    read: () => Promise<T>,
    is: (value: T) => boolean,
    what: string,
    withinMs = 30_000,
  ): Promise<T> {
    return eventually(read, is, { withinMs, what })
  }

  async stop(): Promise<void> {
    await this.appliance.stop()
  }

  private newClient(): string {
    this.clients += 1
    return `1303${String(this.clients).padStart(7, '0')}`
  }
}
