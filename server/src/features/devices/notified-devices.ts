/** Which devices a push can ring, and the agents who are reached by them. */
import { In, IsNull, Not } from 'typeorm'
import type { Database } from '../../infrastructure/database/database.js'
import type { Owner } from '../../infrastructure/database/workspace-table.js'
import type { PresenceSource, AgentPresence } from '../agents/agent-state.js'
import type { PushDevice } from '../push/push-sender.js'
import { type PushedPerson, personName } from '../push/push.service.js'
import { DeviceRegistration } from './device-registration.entity.js'

export class NotifiedDevices implements PresenceSource {
  constructor(private readonly database: Database) {}

  /** Agents with a device that rings: "a registered VoIP push token" (contract, Agent presence). */
  async onlineIn(workspace: Owner, ids?: readonly string[]): Promise<Map<string, AgentPresence>> {
    return new Map([...(await this.agentsIn(workspace, ids))].map((id) => [id, { state: 'available' }]))
  }

  /** Ids of the active agents with a device that rings. @param ids only these are asked for */
  async agentsIn(workspace: Owner, ids?: readonly string[]): Promise<Set<string>> {
    const rows: { id: string }[] = await this.database.source.query(
      `SELECT DISTINCT agent.id FROM device_registrations device
       JOIN agents agent ON agent.workspace_id = device.workspace_id AND agent.id = device.agent_id
       WHERE device.workspace_id = ? AND device.voip_token IS NOT NULL AND agent.is_active = 1
       ${ids ? 'AND agent.id IN (?)' : ''}`,
      [workspace.id, ...(ids ? [ids] : [])],
    )
    return new Set(rows.map(({ id }) => id))
  }

  /** Whether a person has a device that rings. */
  async reaches({ kind, sub, workspace_id }: PushedPerson): Promise<boolean> {
    if (kind === 'agent') return (await this.agentsIn({ id: workspace_id }, [sub])).size > 0
    return this.database
      .platformTable(DeviceRegistration)
      .existsBy({ workspace_id, client_sub: sub, voip_token: Not(IsNull()) })
  }

  /** The devices with a VoIP token, by {@link personName}. */
  async ringable(userDialer: readonly PushedPerson[]): Promise<Map<string, PushDevice[]>> {
    const [agents, clients] = (['agent', 'client'] as const).map((kind) =>
      userDialer.filter((one) => one.kind === kind),
    )
    // Queries of their own, as each has an index of its own.
    const [ofAgents, ofClients, sessions] = await Promise.all([
      this.of('agent_id', agents ?? []),
      this.of('client_sub', clients ?? []),
      this.sessionsOf(agents ?? []),
    ])
    const found = new Map<string, PushDevice[]>(userDialer.map((one) => [personName(one), []]))
    for (const row of [...ofAgents, ...ofClients]) {
      const credential =
        row.agent_id === null ? row.api_key_sid : (sessions.get(loginOf(row.agent_id, row.device_id)) ?? null)
      found.get(personName(personOf(row)))?.push({ ...row, credential })
    }
    return found
  }

  /** Ids of the agents' sessions, by {@link loginOf}. */
  private async sessionsOf(agents: readonly PushedPerson[]): Promise<Map<string, string>> {
    if (agents.length === 0) return new Map()
    const rows: { id: string; agent_id: string; device_id: string }[] = await this.database.source.query(
      'SELECT id, agent_id, device_id FROM agent_sessions WHERE workspace_id IN (?) AND agent_id IN (?)',
      [[...new Set(agents.map(({ workspace_id }) => workspace_id))], agents.map(({ sub }) => sub)],
    )
    return new Map(rows.map(({ id, agent_id, device_id }) => [loginOf(agent_id, device_id), id]))
  }

  private async of(
    column: 'agent_id' | 'client_sub',
    userDialer: readonly PushedPerson[],
  ): Promise<DeviceRegistration[]> {
    if (userDialer.length === 0) return []
    return this.database.platformTable(DeviceRegistration).findBy({
      workspace_id: In([...new Set(userDialer.map(({ workspace_id }) => workspace_id))]),
      [column]: In(userDialer.map(({ sub }) => sub)),
      voip_token: Not(IsNull()),
    })
  }
}

function loginOf(agentId: string, deviceId: string): string {
  return `${agentId} ${deviceId}`
}

function personOf({ workspace_id, agent_id, client_sub }: DeviceRegistration): PushedPerson {
  return agent_id !== null
    ? { kind: 'agent', sub: agent_id, workspace_id }
    : { kind: 'client', sub: client_sub ?? '', workspace_id }
}
