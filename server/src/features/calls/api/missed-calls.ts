/** Missed calls of agents and their teams, until the caller has been called back. */
import type { Database } from '../../../infrastructure/database/database.js'
import { pageOfRows } from '../../../infrastructure/database/paged.js'
import { type Owner, WorkspaceTable } from '../../../infrastructure/database/workspace-table.js'
import { notFound } from '../../../infrastructure/http/errors.js'
import type { Page } from '../../../infrastructure/http/lists.js'
import { Call } from '../model/call.entity.js'
import type { CallHistory } from './call-history.js'
import type { CallAgent } from './related.js'
import type { OwnCall, OwnCalls } from './own-calls.js'

export type HandledMissedCall = OwnCall & {
  readonly handled_at: Date | null
  readonly handled_by: CallAgent | null
}

/** The agent was called, or is a member of the team that was. */
const isTheirs = `missed.workspace_id = ? AND (
  EXISTS (SELECT 1 FROM call_offers offer WHERE offer.call_id = missed.call_id AND offer.agent_id = ?)
  OR EXISTS (SELECT 1 FROM team_members own WHERE own.team_id = missed.team_id AND own.agent_id = ?))`

interface MissedRow {
  readonly call_id: string
  readonly handled_at: Date | null
  readonly handled_by: string | null
}

interface Services {
  readonly database: Database
  readonly history: CallHistory
  readonly ownCalls: OwnCalls
  /** Tells those whose missed call it is. */
  readonly changed: (workspaceId: string, callId: string) => void
}

export class MissedCalls {
  private readonly calls: WorkspaceTable<Call>

  constructor(private readonly services: Services) {
    this.calls = new WorkspaceTable(services.database, Call)
  }

  /** Newest first. */
  async of(
    workspace: Owner,
    agentId: string,
    { handled, ...request }: { page: number; limit: number; handled?: boolean | undefined },
  ): Promise<Page<HandledMissedCall>> {
    const { database } = this.services
    const state = handled === undefined ? '' : `AND missed.handled_at IS ${handled ? 'NOT NULL' : 'NULL'}`
    const where = `missed_calls missed WHERE ${isTheirs} ${state}`
    const values = [workspace.id, agentId, agentId]
    const { rows, total } = await pageOfRows(
      request,
      async ({ limit, offset, isBackward }) =>
        database.source.query<MissedRow[]>(
          `SELECT missed.call_id, missed.handled_at, missed.handled_by FROM ${where}
           ORDER BY missed.call_id ${isBackward ? 'ASC' : 'DESC'} LIMIT ? OFFSET ?`,
          [...values, limit, offset],
        ),
      async () => this.count(where, values),
    )
    return { rows: await this.seenBy(workspace, agentId, rows), total }
  }

  /** How many wait to be called back. */
  async countOpen(workspace: Owner, agentId: string): Promise<number> {
    const values = [workspace.id, agentId, agentId]
    return this.count(`missed_calls missed WHERE ${isTheirs} AND missed.handled_at IS NULL`, values)
  }

  private async count(from: string, values: readonly unknown[]): Promise<number> {
    const [row] = await this.services.database.source.query<{ total: string }[]>(
      `SELECT COUNT(*) AS total FROM ${from}`,
      [...values],
    )
    return Number(row?.total ?? 0)
  }

  private async seenBy(
    workspace: Owner,
    agentId: string,
    rows: readonly MissedRow[],
  ): Promise<HandledMissedCall[]> {
    const { history, ownCalls } = this.services
    const found = await this.calls.findMany(
      workspace,
      rows.map(({ call_id }) => call_id),
    )
    const [calls, agents] = await Promise.all([
      ownCalls.seenBy(workspace, agentId, await history.withAgents(workspace, found.reverse())),
      history.agents(workspace, [...new Set(rows.flatMap(({ handled_by }) => handled_by ?? []))]),
    ])
    const rowOf = new Map(rows.map((row) => [row.call_id, row]))
    return calls.map((call) => {
      const { handled_at = null, handled_by = null } = rowOf.get(call.id) ?? {}
      return { ...call, handled_at, handled_by: agents.get(handled_by ?? '') ?? null }
    })
  }

  /**
   * An agent has dealt with a missed call, or takes that back.
   * @throws 404 for a call that was not missed, or that is not theirs
   */
  async setHandled(
    workspace: Owner,
    agentId: string,
    callId: string,
    isHandled: boolean,
  ): Promise<HandledMissedCall> {
    const { source } = this.services.database
    const read = async () =>
      source.query<MissedRow[]>(
        `SELECT missed.call_id, missed.handled_at, missed.handled_by FROM missed_calls missed
         WHERE missed.call_id = ? AND ${isTheirs}`,
        [callId, workspace.id, agentId, agentId],
      )
    if ((await read()).length === 0) throw missing(callId)
    if (isHandled)
      await source.query(
        `UPDATE missed_calls SET handled_at = UTC_TIMESTAMP(3), handled_by = ?
         WHERE call_id = ? AND handled_at IS NULL`,
        [agentId, callId],
      )
    else
      await source.query('UPDATE missed_calls SET handled_at = NULL, handled_by = NULL WHERE call_id = ?', [
        callId,
      ])
    this.services.changed(workspace.id, callId)
    const [call] = await this.seenBy(workspace, agentId, await read())
    if (!call) throw missing(callId)
    return call
  }
}

function missing(callId: string): Error {
  return notFound(`Missed call ${callId} not found`)
}
