/** Who may know of a call: those in it, and the leaders and supervisors of their teams. */
import type { Database } from '../database/database.js'
import type { Owner } from '../database/workspace-table.js'
import type { AgentActor, ClientActor } from '../http/endpoint.js'
import { forbidden, notFound } from '../http/errors.js'
import type { LegRole } from './call-leg.entity.js'
import type { Call } from './call.entity.js'

/** By id, and by `sub`. */
export interface CallAudience {
  readonly agents: readonly string[]
  readonly clients: readonly string[]
}

export class CallAudiences {
  constructor(
    private readonly database: Database,
    private readonly find: (workspace: Owner, id: string) => Promise<Call | null>,
  ) {}

  async of(workspace: Owner, callId: string): Promise<CallAudience> {
    const call = await this.find(workspace, callId)
    if (!call) return { agents: [], clients: [] }
    const { talking, listening } = await this.agentsIn(call)
    const managers = talking.length > 0 ? await this.managersOf(talking) : []
    const clients = call.client_sub === null ? [] : [call.client_sub]
    return { agents: [...new Set([...talking, ...listening, ...managers])], clients }
  }

  /** @throws 404 no such call, or a client's that is not its own; 403 a call of agents of other teams */
  async check(workspace: Owner, person: AgentActor | ClientActor, callId: string): Promise<void> {
    const { agents, clients } = await this.of(workspace, callId)
    if (person.kind === 'client' ? clients.includes(person.sub) : agents.includes(person.id)) return
    if (person.kind === 'client' || !(await this.find(workspace, callId))) throw notFound('No such call')
    throw forbidden('This call is of no agent of your teams')
  }

  /** Those who talk, have talked, or are rung or were so when it ended; and those who hear it as supervisors. */
  private async agentsIn({ id, agent_id, ended_at }: Call) {
    const rows: { agent_id: string; role: LegRole }[] = await this.database.source.query(
      `SELECT DISTINCT agent_id, role FROM call_legs
       WHERE call_id = ? AND agent_id IS NOT NULL
         AND (ended_at IS NULL OR answered_at IS NOT NULL OR ended_at >= ?)`,
      [id, ended_at],
    )
    const of = (isSupervisor: boolean) =>
      rows.filter(({ role }) => (role === 'supervisor') === isSupervisor).map((row) => row.agent_id)
    return { talking: [...of(false), ...(agent_id ? [agent_id] : [])], listening: of(true) }
  }

  private async managersOf(agents: readonly string[]): Promise<string[]> {
    const rows: { agent_id: string }[] = await this.database.source.query(
      `SELECT DISTINCT manager.agent_id FROM team_members member
       JOIN team_members manager ON manager.team_id = member.team_id
       JOIN agents ON agents.id = manager.agent_id AND agents.role IN ('leader', 'supervisor')
       WHERE member.agent_id IN (?)`,
      [agents],
    )
    return rows.map((row) => row.agent_id)
  }
}
