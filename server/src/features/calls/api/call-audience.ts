/**
 * Who may see a call: people who are in it or rung for it, and the leaders and supervisors of their teams; if it was not
 * answered, all who missed it.
 */
import { appScheme, appUserOfLeg } from '../model/app-user.js'
import type { AppUser } from '../model/app-user.js'
import type { Database } from '../../../infrastructure/database/database.js'
import type { Owner } from '../../../infrastructure/database/workspace-table.js'
import type { AgentActor, ClientActor } from '../../../infrastructure/http/endpoint.js'
import { forbidden, notFound } from '../../../infrastructure/http/errors.js'
import type { CallLeg } from '../model/call-leg.entity.js'
import type { Call } from '../model/call.entity.js'
import { isUnanswered } from '../model/call-outcome.js'

/** By id, and by `sub`. */
export interface CallAudience {
  readonly agents: readonly string[]
  readonly clients: readonly string[]
  /** Clients that are in the call now, or were when it ended: only they get its recordings and transcripts. */
  readonly present: readonly string[]
}

const noAudience: CallAudience = { agents: [], clients: [], present: [] }

/** People whose apps ring for a call. An app has no leg before it connects to its socket. */
interface Rung {
  usersHere(callId: string): readonly AppUser[]
  peopleOf(callId: string): Promise<readonly AppUser[]>
}

interface Options {
  database: Database
  find: (workspace: Owner, id: string) => Promise<Call | null>
  rung: Rung
}

type Leg = Pick<CallLeg, 'agent_id' | 'role' | 'uri' | 'answered_at' | 'ended_at'>

/**
 * A leg that ended this long before its call at most counts as present: the last events of a call, such as its
 * recording, follow the hang-up.
 */
const endsWithinMs = 2_000

function isPresent(leg: Leg, callEndedAt: Date | null): boolean {
  if (!leg.ended_at) return true
  const latest = callEndedAt?.getTime() ?? Date.now()
  return leg.answered_at !== null && leg.ended_at.getTime() >= latest - endsWithinMs
}

export class CallAudiences {
  constructor(private readonly options: Options) {}

  /** For the server that drives the call: apps that ring for calls of other servers are left out. */
  async of(workspace: Owner, callId: string): Promise<CallAudience> {
    const call = await this.options.find(workspace, callId)
    return call ? this.audienceOf(call, this.options.rung.usersHere(callId)) : noAudience
  }

  /**
   * @throws 404 for an unknown call, or one in which the client takes no part; 403 for a call of agents of other
   * teams
   */
  async check(workspace: Owner, person: AgentActor | ClientActor, callId: string): Promise<void> {
    const call = await this.options.find(workspace, callId)
    if (!call) throw notFound('No such call')
    const { agents, clients } = await this.audienceOf(call, await this.options.rung.peopleOf(callId))
    if (person.kind === 'client' ? clients.includes(person.sub) : agents.includes(person.id)) return
    if (person.kind === 'client') throw notFound('No such call')
    throw forbidden('No agent of your teams takes part in this call')
  }

  private async audienceOf(call: Call, rung: readonly AppUser[]): Promise<CallAudience> {
    const { agents: talking, supervisors, clients, present } = await this.usersIn(call, rung)
    const managers = talking.length > 0 ? await this.managersOf(talking) : []
    const missed = isUnanswered(call.outcome) ? await this.missedBy(call) : []
    const agents = [...new Set([...talking, ...supervisors, ...managers, ...missed])]
    return { agents, clients, present }
  }

  /** The agents who have an unanswered call on their list of missed calls. */
  private async missedBy({ id, team_id }: Call): Promise<string[]> {
    const rows = await this.options.database.source.query<{ agent_id: string }[]>(
      `SELECT agent_id FROM call_offers WHERE call_id = ?
       UNION SELECT agent_id FROM team_members WHERE team_id = ?`,
      [id, team_id],
    )
    return rows.map(({ agent_id }) => agent_id)
  }

  /** People who are or were in the call, or who are rung, or were when it ended; and supervisors who listen. */
  private async usersIn({ id, agent_id, client_sub, ended_at }: Call, rung: readonly AppUser[]) {
    const legs: Leg[] = await this.options.database.source.query(
      `SELECT DISTINCT agent_id, role, uri, answered_at, ended_at FROM call_legs
       WHERE call_id = ? AND (agent_id IS NOT NULL OR uri LIKE CONCAT(?, '%'))
         AND (ended_at IS NULL OR answered_at IS NOT NULL OR ended_at >= ?)`,
      [id, appScheme, ended_at],
    )
    const agents = (some: Leg[]) => some.flatMap((leg) => leg.agent_id ?? [])
    const clients = (some: Leg[]) => {
      const found = [...some.map(appUserOfLeg), ...rung].filter((person) => person?.kind === 'client')
      const subs = [...found.map((person) => person?.sub ?? ''), ...(client_sub === null ? [] : [client_sub])]
      return [...new Set(subs)]
    }
    return {
      agents: [
        ...agents(legs.filter(({ role }) => role !== 'supervisor')),
        ...(agent_id ? [agent_id] : []),
        ...rung.filter(({ kind }) => kind === 'agent').map(({ sub }) => sub),
      ],
      supervisors: agents(legs.filter(({ role }) => role === 'supervisor')),
      clients: clients(legs),
      present: clients(legs.filter((leg) => isPresent(leg, ended_at))),
    }
  }

  private async managersOf(agents: readonly string[]): Promise<string[]> {
    const rows: { agent_id: string }[] = await this.options.database.source.query(
      `SELECT DISTINCT manager.agent_id FROM team_members member
       JOIN team_members manager ON manager.team_id = member.team_id
       JOIN agents ON agents.id = manager.agent_id AND agents.role IN ('leader', 'supervisor')
       WHERE member.agent_id IN (?)`,
      [agents],
    )
    return rows.map((row) => row.agent_id)
  }
}
