/** Whether the money of a workspace adds up: its ledger, its calls and messages, and what live calls hold. */
import type { EntityManager } from 'typeorm'
import type { Database } from '../../infrastructure/database/database.js'
import type { Owner } from '../../infrastructure/database/workspace-table.js'
import { notFound } from '../../infrastructure/http/errors.js'

/**
 * What does not add up. `balance`: the balance is not the sum of the entries; `sequence`: entries are missing;
 * `entry`: its running balance is wrong, or what it was booked for is not there; `call`: its cost is not what was booked,
 * or not the sum of its legs; `message`: its price is not what was booked, or paid back; `hold`: credit is held for no live
 * call, or not as the calls say. Of a message that failed what carriers had taken is its cost, and not paid back.
 */
export const problemKinds = ['balance', 'sequence', 'entry', 'call', 'message', 'hold'] as const

export interface CreditProblem {
  kind: (typeof problemKinds)[number]
  /** Of the entry, call or message; of the workspace for its sums. */
  id: string
  /** USD, of `sequence` a count. */
  expected: number
  found: number
}

export interface CheckedCredit {
  workspace_id: string
  is_consistent: boolean
  /** USD. */
  balance: number
  held: number
  /** How many entries the ledger has. */
  entries: number
  /** The first of each kind. */
  problems: CreditProblem[]
}

/** Problems that each look names. */
const most = 20

interface Sums {
  balance: string
  held: string
  numbered: number
  entries: string
  sequences: string
  carried: string
  sum: string
  earlier: string
  calls_hold: string
}

const sums = `SELECT balance, held, entries AS numbered,
    (SELECT COUNT(*) FROM credit_entries WHERE workspace_id = account.workspace_id) AS entries,
    (SELECT COUNT(sequence) FROM credit_entries WHERE workspace_id = account.workspace_id) AS sequences,
    COALESCE((SELECT sequence - 1 FROM credit_entries
      WHERE reason = 'carried_forward' AND reference = account.workspace_id), 0) AS carried,
    (SELECT COALESCE(SUM(amount), 0) FROM credit_entries WHERE workspace_id = account.workspace_id) AS sum,
    (SELECT COALESCE(SUM(amount), 0) FROM credit_entries
      WHERE workspace_id = account.workspace_id AND sequence IS NULL) AS earlier,
    (SELECT COALESCE(SUM(credit_held), 0) FROM calls
      WHERE workspace_id = account.workspace_id AND live = 1) AS calls_hold
  FROM credit_balances account WHERE workspace_id = ?`

/** One entry replaces all earlier ones: a call or message from before it may have none of its own. */
const carried = (workspace: string) => `LEFT JOIN credit_entries carried
  ON carried.reason = 'carried_forward' AND carried.reference = ${workspace}`
const notCarried = (entry: string, created: string) =>
  `(${entry}.id IS NOT NULL OR carried.id IS NULL OR ${created} > carried.created_at)`

/** Each query finds `id`, `expected` and `found` of what is wrong; its parameters are the workspace's id, once for each `?`. */
const looks: readonly { kind: CreditProblem['kind']; sql: string }[] = [
  {
    kind: 'entry',
    sql: `SELECT call_entry.id, 0 AS expected, call_entry.amount AS found FROM credit_entries call_entry
      LEFT JOIN calls ON calls.id = call_entry.reference AND calls.live IS NULL
      WHERE call_entry.workspace_id = ? AND call_entry.reason = 'call' AND calls.id IS NULL
        AND call_entry.is_subject_deleted = 0`,
  },
  {
    kind: 'entry',
    sql: `SELECT entry.id, 0 AS expected, entry.amount AS found FROM credit_entries entry
      LEFT JOIN messages message ON message.id = entry.reference
      WHERE entry.workspace_id = ? AND entry.reason IN ('message', 'message_refund') AND message.id IS NULL
        AND entry.is_subject_deleted = 0`,
  },
  {
    kind: 'call',
    sql: `SELECT calls.id, calls.cost AS expected, COALESCE(-entry.amount, 0) AS found FROM calls
      LEFT JOIN credit_entries entry ON entry.reason = 'call' AND entry.reference = calls.id
      ${carried('calls.workspace_id')}
      WHERE calls.workspace_id = ? AND calls.live IS NULL AND calls.cost <> COALESCE(-entry.amount, 0)
        AND ${notCarried('entry', 'calls.created_at')}`,
  },
  {
    kind: 'call',
    sql: `SELECT calls.id, calls.cost AS expected, COALESCE(SUM(leg.cost), 0) AS found FROM calls
      JOIN call_legs leg ON leg.call_id = calls.id
      WHERE calls.workspace_id = ? AND calls.live IS NULL AND calls.cost > 0
      GROUP BY calls.id, calls.cost HAVING expected <> found`,
  },
  {
    kind: 'message',
    sql: `SELECT message.id, message.price AS expected, COALESCE(-entry.amount, 0) AS found FROM messages message
      LEFT JOIN credit_entries entry ON entry.reason = 'message' AND entry.reference = message.id
      ${carried('message.workspace_id')}
      WHERE message.workspace_id = ? AND message.direction = 'outbound'
        AND message.price <> COALESCE(-entry.amount, 0) AND ${notCarried('entry', 'message.created_at')}`,
  },
  {
    kind: 'message',
    sql: `SELECT message.id, IF(message.status = 'failed', message.price - COALESCE(message.cost, 0), 0) AS expected,
        COALESCE(entry.amount, 0) AS found
      FROM messages message
      LEFT JOIN credit_entries entry ON entry.reason = 'message_refund' AND entry.reference = message.id
      ${carried('message.workspace_id')}
      WHERE message.workspace_id = ? AND message.direction = 'outbound'
        AND IF(message.status = 'failed', message.price - COALESCE(message.cost, 0), 0) <> COALESCE(entry.amount, 0)
        AND ${notCarried('entry', 'message.created_at')}`,
  },
  {
    kind: 'hold',
    sql: `SELECT id, 0 AS expected, credit_held AS found FROM calls
      WHERE workspace_id = ? AND live IS NULL AND credit_held <> 0`,
  },
]

const runningBalances = `SELECT id, expected, balance AS found FROM (
    SELECT id, balance, sequence, ? + SUM(amount) OVER (ORDER BY sequence) AS expected
    FROM credit_entries WHERE workspace_id = ? AND sequence IS NOT NULL) running
  WHERE balance <> expected ORDER BY sequence`

interface Found {
  id: string
  expected: string
  found: string
}

export class CreditCheck {
  constructor(private readonly database: Database) {}

  /** Checks everything in one snapshot, while calls and messages continue. @throws 404 */
  async of({ id }: Owner): Promise<CheckedCredit> {
    return this.database.snapshot(async (tx) => this.look(tx, id))
  }

  private async look(tx: EntityManager, id: string): Promise<CheckedCredit> {
    const [account] = await tx.query<Sums[]>(sums, [id])
    if (!account) throw notFound(`Workspace ${id} not found`)
    const ofSums = [
      { kind: 'balance', expected: account.sum, found: account.balance },
      {
        kind: 'sequence',
        expected: account.numbered,
        found: Number(account.sequences) + Number(account.carried),
      },
      { kind: 'hold', expected: account.calls_hold, found: account.held },
    ] as const
    const problems: CreditProblem[] = ofSums
      .map(({ kind, expected, found }) => ({ kind, id, expected: Number(expected), found: Number(found) }))
      .filter(({ expected, found }) => expected !== found)
    const running = await tx.query<Found[]>(`${runningBalances} LIMIT ${most}`, [account.earlier, id])
    problems.push(...running.map((row) => problemOf('entry', row)))
    for (const { kind, sql } of looks) {
      const rows = await tx.query<Found[]>(`${sql} LIMIT ${most}`, [id])
      problems.push(...rows.map((row) => problemOf(kind, row)))
    }
    return {
      ...{ workspace_id: id, is_consistent: problems.length === 0 },
      ...{ balance: Number(account.balance), held: Number(account.held), entries: Number(account.entries) },
      problems,
    }
  }
}

function problemOf(kind: CreditProblem['kind'], { id, expected, found }: Found): CreditProblem {
  return { kind, id, expected: Number(expected), found: Number(found) }
}
