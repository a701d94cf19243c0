/** A workspace's calls as CSV, for spreadsheets and accounting. */
import { Readable } from 'node:stream'
import type { Owner } from '../../../infrastructure/database/workspace-table.js'
import { type CsvCell, csvLine } from '../../../infrastructure/http/csv.js'
import { badRequest } from '../../../infrastructure/http/errors.js'
import type { CallHistory, HandledCall } from './call-history.js'
import type { CallList } from './call-list.js'
import type { CallFilter } from '../model/call.schema.js'

/** The most calls in one file. */
export const maxExportedCalls = 250_000

/** Columns, in order, with the names of the API where it has the same. */
const columns: Readonly<Record<string, (call: HandledCall) => CsvCell>> = {
  call_id: ({ id }) => id,
  created_at: ({ created_at }) => created_at.toISOString(),
  answered_at: ({ answered_at }) => answered_at?.toISOString() ?? null,
  ended_at: ({ ended_at }) => ended_at?.toISOString() ?? null,
  direction: ({ direction }) => direction,
  from: ({ from_number }) => from_number,
  from_name: ({ from_name }) => from_name,
  to: ({ to_number }) => to_number,
  to_name: ({ to_name }) => to_name,
  agent: ({ agent }) => agent?.username ?? null,
  status: ({ status }) => status,
  duration: ({ duration }) => duration,
  cost: ({ cost }) => cost,
  hangup_cause: ({ hangup_cause }) => hangup_cause,
  sip_code: ({ sip_code }) => sip_code,
  outcome: ({ outcome }) => outcome,
  abandoned_in: ({ abandoned_in }) => abandoned_in,
  ended_by: ({ ended_by }) => ended_by,
  answered_by: ({ answered_by }) => answered_by?.name ?? null,
  missed_by: ({ missed_by }) => missed_by.map(({ username }) => username).join(' ') || null,
  contact: ({ contact }) => contact?.name ?? null,
  team: ({ team }) => team?.title ?? null,
  queue: ({ queue }) => queue?.title ?? null,
  phone_number: ({ phone_number }) => phone_number?.number ?? null,
  call_flow: ({ call_flow }) => call_flow?.title ?? null,
  wait_seconds: ({ wait_seconds }) => wait_seconds,
  ring_seconds: ({ ring_seconds }) => ring_seconds,
  talk_seconds: ({ talk_seconds }) => talk_seconds,
  hold_seconds: ({ hold_seconds }) => hold_seconds,
}

/**
 * The calls that a filter finds, newest first, written at the reader's pace.
 * @throws 400 for more calls than one file holds, and for a time that does not exist
 */
export async function exportCalls(
  list: CallList,
  history: CallHistory,
  workspace: Owner,
  filter: CallFilter,
): Promise<Readable> {
  const total = await list.count(workspace, filter)
  if (total > maxExportedCalls) {
    throw badRequest(
      `These are ${total} calls, and a file holds ${maxExportedCalls} at most: ask for less time with from and to_date`,
    )
  }
  return Readable.from(linesOf(list, history, workspace, filter), { objectMode: false })
}

async function* linesOf(
  list: CallList,
  history: CallHistory,
  workspace: Owner,
  filter: CallFilter,
): AsyncGenerator<string> {
  yield csvLine(Object.keys(columns))
  const cells = Object.values(columns)
  for await (const calls of list.all(workspace, filter)) {
    const handled = await history.withAgents(workspace, calls)
    yield handled.map((call) => csvLine(cells.map((cell) => cell(call)))).join('')
  }
}
