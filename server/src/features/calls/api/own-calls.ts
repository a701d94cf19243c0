/** Calls as an agent sees them: which side they were on, who was at the other one, and what they missed. */
import type { Database } from '../../../infrastructure/database/database.js'
import { type Owner, WorkspaceTable } from '../../../infrastructure/database/workspace-table.js'
import type { Page } from '../../../infrastructure/http/lists.js'
import { Call } from '../model/call.entity.js'
import type { LegRole } from '../model/call-leg.entity.js'
import type { CallHistory, HandledCall } from './call-history.js'
import { searched } from './call-list.js'

/** `outgoing`: the agent called; `incoming`: the call was for the agent; `supervision`: the agent only listened. */
export const callSides = ['incoming', 'outgoing', 'supervision'] as const
export type CallSide = (typeof callSides)[number]

export type OwnCall = HandledCall & {
  readonly side: CallSide
  /** It was for the agent, and no one answered. */
  readonly is_missed: boolean
  readonly far_party: { readonly number: string; readonly name: string }
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
    { page, limit, side, search }: { page: number; limit: number; side?: OwnCallFilter; search?: string },
  ): Promise<Page<OwnCall>> {
    const selects = own[side ?? 'all']
    const found = search ? searched(workspace, search) : null
    const narrowed = found ? ` JOIN calls ON calls.id = own.call_id WHERE ${found.sql}` : ''
    const values = [...selects.flatMap(() => [workspace.id, agentId]), ...(found?.values ?? [])]
    const from = `(${selects.join(' UNION ')}) own${narrowed}`
    const { source } = this.database
    // Ids of calls sort by the time of their creation.
    const [ids, [count]] = await Promise.all([
      source.query<{ id: string }[]>(
        `SELECT DISTINCT call_id AS id FROM ${from} ORDER BY call_id DESC LIMIT ? OFFSET ?`,
        [...values, limit, (page - 1) * limit],
      ),
      source.query<{ total: string }[]>(`SELECT COUNT(DISTINCT call_id) AS total FROM ${from}`, values),
    ])
    const rows = await this.calls.findMany(
      workspace,
      ids.map(({ id }) => id),
    )
    const calls = await this.history.withAgents(workspace, rows.reverse())
    return { rows: await this.seenBy(workspace, agentId, calls), total: Number(count?.total ?? 0) }
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
}

function fromSideOf(call: HandledCall, agentId: string, roles: readonly LegRole[]): OwnCall {
  const side = sideOf(roles)
  const isMissed = side === 'incoming' && call.missed_by.some(({ id }) => id === agentId)
  return { ...call, side, is_missed: isMissed, far_party: farParty(call, side, roles) }
}

function sideOf(roles: readonly LegRole[]): CallSide {
  if (roles.includes('caller')) return 'outgoing'
  return roles.length > 0 && roles.every((role) => role === 'supervisor') ? 'supervision' : 'incoming'
}

/** The script of an outbound call connects its called party with the agent. */
function farParty(call: HandledCall, side: CallSide, roles: readonly LegRole[]) {
  const isCalled = side === 'outgoing' || (call.line === 'called' && roles.includes('destination'))
  const number = isCalled ? call.to_number : call.from_number
  const isOutside = isCalled === (call.direction === 'outbound')
  const known = isOutside ? call.contact?.name : undefined
  return { number, name: known ?? (isCalled ? call.to_name : call.from_name) }
}
