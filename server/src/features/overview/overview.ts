/** What is going on in a workspace today, and what it has set up: the figures of its home page. */
import type { Database } from '../../infrastructure/database/database.js'
import type { Owner } from '../../infrastructure/database/workspace-table.js'
import type { CallOutcome } from '../calls/model/call-outcome.js'

interface Parts {
  database: Database
  presence: {
    onlineIn(workspace: Owner): Promise<ReadonlyMap<string, { state: string }>>
  }
  liveCalls: (workspace: Owner) => Promise<number>
  credit: { account(workspace: Owner): Promise<{ available: number }> }
}

interface CallGroup {
  direction: string
  outcome: CallOutcome | null
  calls: string
}

interface SetUp {
  numbers: number
  live_numbers: number
  agents: number
  teams: number
  flows: number
  /** The flow that was made first; null without one. */
  flow_id: string | null
  has_called_flow: boolean
}

/** Of calls that came in, or were offered to people: those that somebody should have answered. */
const reached: ReadonlySet<CallOutcome | null> = new Set(['answered', 'voice_agent'])
const lost: ReadonlySet<CallOutcome | null> = new Set(['abandoned', 'missed', 'voicemail'])

/** The first or latest calls of a workspace: one that uses no flow may have millions. */
const callsAtEnd = (order: 'ASC' | 'DESC') =>
  `SELECT call_flow_id, duration FROM calls WHERE workspace_id = ? ORDER BY created_at ${order}, id ${order} LIMIT 500`

export class Overview {
  constructor(private readonly parts: Parts) {}

  /** @param since when the day began */
  async of(workspace: Owner, since: Date) {
    const { presence, liveCalls, credit } = this.parts
    const [groups, messages, waiting, setup, online, live, account] = await Promise.all([
      this.calls(workspace, since),
      this.messages(workspace, since),
      this.waiting(workspace),
      this.setUp(workspace),
      presence.onlineIn(workspace),
      liveCalls(workspace),
      credit.account(workspace),
    ])
    const sum = (where: (group: CallGroup) => boolean) =>
      groups.filter(where).reduce((total, { calls }) => total + Number(calls), 0)
    const count = (direction: string) =>
      Number(messages.find((one) => one.direction === direction)?.texts ?? 0)
    const isIncoming = ({ direction }: CallGroup) => direction === 'inbound'
    const shown = [...online.values()]
    return {
      calls: {
        total: sum(() => true),
        incoming: sum(isIncoming),
        answered: sum((group) => isIncoming(group) && reached.has(group.outcome)),
        missed: sum((group) => isIncoming(group) && lost.has(group.outcome)),
        live,
      },
      waiting,
      people: { online: shown.filter(({ state }) => state !== 'offline').length, total: setup.agents },
      messages: { received: count('inbound'), sent: count('outbound') },
      credit_available: account.available,
      setup,
    }
  }

  private async calls({ id }: Owner, since: Date): Promise<CallGroup[]> {
    return this.query(
      'SELECT direction, outcome, COUNT(*) AS calls FROM calls WHERE workspace_id = ? AND created_at >= ? GROUP BY direction, outcome',
      [id, since],
    )
  }

  private async messages({ id }: Owner, since: Date): Promise<{ direction: string; texts: string }[]> {
    return this.query(
      'SELECT direction, COUNT(*) AS texts FROM messages WHERE workspace_id = ? AND created_at >= ? GROUP BY direction',
      [id, since],
    )
  }

  /** Callers in queues now. */
  private async waiting({ id }: Owner): Promise<number> {
    const [row] = await this.query<{ waiting: string }>(
      `SELECT COUNT(*) AS waiting FROM queue_entries entry JOIN calls ON calls.id = entry.call_id AND calls.live = 1
       WHERE entry.workspace_id = ?`,
      [id],
    )
    return Number(row?.waiting ?? 0)
  }

  private async setUp({ id }: Owner): Promise<SetUp> {
    const [row] = await this.query<Record<keyof SetUp, string | null>>(
      `SELECT (SELECT COUNT(*) FROM phone_numbers WHERE workspace_id = ?) AS numbers,
         (SELECT COUNT(*) FROM phone_numbers
            WHERE workspace_id = ? AND status = 'active' AND call_flow_id IS NOT NULL) AS live_numbers,
         (SELECT COUNT(*) FROM agents WHERE workspace_id = ? AND is_active = 1) AS agents,
         (SELECT COUNT(*) FROM teams WHERE workspace_id = ?) AS teams,
         (SELECT COUNT(*) FROM call_flows WHERE workspace_id = ?) AS flows,
         (SELECT id FROM call_flows WHERE workspace_id = ? ORDER BY created_at, id LIMIT 1) AS flow_id,
         EXISTS (SELECT 1 FROM ((${callsAtEnd('ASC')}) UNION ALL (${callsAtEnd('DESC')})) some_calls
           WHERE call_flow_id IS NOT NULL AND duration > 0) AS has_called_flow`,
      Array.from({ length: 8 }, () => id),
    )
    return {
      ...{ numbers: Number(row?.numbers), live_numbers: Number(row?.live_numbers) },
      ...{ agents: Number(row?.agents), teams: Number(row?.teams), flows: Number(row?.flows) },
      flow_id: row?.flow_id ?? null,
      has_called_flow: Number(row?.has_called_flow) === 1,
    }
  }

  private async query<Row>(sql: string, values: readonly unknown[]): Promise<Row[]> {
    return this.parts.database.source.query<Row[]>(sql, [...values])
  }
}
