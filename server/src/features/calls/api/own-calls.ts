/** Calls as an agent sees them: which side they were on, who was at the other one, and what they missed. */
import type { Database } from '../../../infrastructure/database/database.js'
import { pageOfRows } from '../../../infrastructure/database/paged.js'
import { type Owner, WorkspaceTable } from '../../../infrastructure/database/workspace-table.js'
import type { Page } from '../../../infrastructure/http/lists.js'
import { Call } from '../model/call.entity.js'
import type { LegRole } from '../model/call-leg.entity.js'
import { type CallSide, type FarParty, farPartyOf, isCalledFar, sideOf } from '../model/call-side.js'
import type { CallHistory, HandledCall } from './call-history.js'
import { searched } from './call-list.js'

export type OwnCall = HandledCall & {
  readonly side: CallSide
  /** It was for the agent, and no one answered. */
  readonly is_missed: boolean
  readonly far_party: FarParty
}

/** Which of an agent's calls: all but supervision by default. */
export type OwnCallFilter = CallSide | 'missed' | undefined

const legs = 'SELECT call_id FROM call_legs WHERE workspace_id = ? AND agent_id = ?'
const offers = 'SELECT call_id FROM call_offers WHERE workspace_id = ? AND agent_id = ?'

/** Selects ids of calls; each `?` pair is the workspace and the agent. */
const own: Readonly<Record<NonNullable<OwnCallFilter> | 'all', readonly string[]>> = {
  all: [`${legs} AND role <> 'supervisor'`, offers],
  incoming: [`${legs} AND role IN ('called', 'destination')`, offers],
  outgoing: [`${legs} AND role = 'caller'`],
  supervision: [`${legs} AND role = 'supervisor'`],
  missed: [
    `SELECT offer.call_id FROM call_offers offer JOIN calls ON calls.id = offer.call_id
     WHERE offer.workspace_id = ? AND offer.agent_id = ? AND calls.outcome IN ('abandoned', 'missed', 'voicemail')`,
  ],
}

export class OwnCalls {
  private readonly calls: WorkspaceTable<Call>

  constructor(
    private readonly database: Database,
    private readonly history: CallHistory,
  ) {
    this.calls = new WorkspaceTable(database, Call)
  }

  /** Calls that an agent made, answered or was rung for, newest first; live ones too. */
  async of(
    workspace: Owner,
    agentId: string,
    { side, search, ...request }: { page: number; limit: number; side?: OwnCallFilter; search?: string },
  ): Promise<Page<OwnCall>> {
    const selects = own[side ?? 'all']
    const found = search ? await searched(this.database, workspace, search) : null
    const narrowed = found ? ` JOIN calls ON calls.id = own.call_id WHERE ${found.sql}` : ''
    const values = [...selects.flatMap(() => [workspace.id, agentId]), ...(found?.values ?? [])]
    const from = `(${selects.join(' UNION ')}) own${narrowed}`
    const { source } = this.database
    // Ids of calls sort by the time of their creation.
    const { rows: ids, total } = await pageOfRows(
      request,
      async ({ limit, offset, isBackward }) =>
        source.query<{ id: string }[]>(
          `SELECT DISTINCT call_id AS id FROM ${from} ORDER BY call_id ${isBackward ? 'ASC' : 'DESC'} LIMIT ? OFFSET ?`,
          [...values, limit, offset],
        ),
      async () => {
        const sql = `SELECT COUNT(DISTINCT call_id) AS total FROM ${from}`
        return Number((await source.query<{ total: string }[]>(sql, values))[0]?.total ?? 0)
      },
    )
    const rows = await this.calls.findMany(
      workspace,
      ids.map(({ id }) => id),
    )
    const calls = await this.history.withAgents(workspace, rows.reverse())
    return { rows: await this.seenBy(workspace, agentId, calls), total }
  }

  /** The calls from an agent's side. */
  async seenBy(workspace: Owner, agentId: string, calls: readonly HandledCall[]): Promise<OwnCall[]> {
    if (calls.length === 0) return []
    const rows = await this.database.source.query<{ call_id: string; role: LegRole }[]>(
      'SELECT call_id, role FROM call_legs WHERE workspace_id = ? AND agent_id = ? AND call_id IN (?)',
      [workspace.id, agentId, calls.map(({ id }) => id)],
    )
    const rolesIn = (id: string) => rows.filter(({ call_id }) => call_id === id).map(({ role }) => role)
    return calls.map((call) => fromSideOf(call, agentId, rolesIn(call.id)))
  }

  /** A call from an agent's side; null if the agent had no part in it, and was not rung. */
  async sideIn(workspace: Owner, agentId: string, call: HandledCall): Promise<OwnCall | null> {
    const part: unknown[] = await this.database.source.query(
      `${legs} AND call_id = ? UNION ALL ${offers} AND call_id = ? LIMIT 1`,
      [workspace.id, agentId, call.id, workspace.id, agentId, call.id],
    )
    if (part.length === 0) return null
    const [seen] = await this.seenBy(workspace, agentId, [call])
    return seen ?? null
  }
}

function fromSideOf(call: HandledCall, agentId: string, roles: readonly LegRole[]): OwnCall {
  const side = sideOf(roles)
  const isMissed = side === 'incoming' && call.missed_by.some(({ id }) => id === agentId)
  return { ...call, side, is_missed: isMissed, far_party: farParty(call, roles) }
}

/** The end outside of the workspace goes by the name of its contact. */
function farParty(call: HandledCall, roles: readonly LegRole[]): FarParty {
  const { number, name } = farPartyOf(call, roles)
  const isOutside = isCalledFar(call, roles) === (call.direction === 'outbound')
  return { number, name: (isOutside ? call.contact?.name : undefined) ?? name }
}
