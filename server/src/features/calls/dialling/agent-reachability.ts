/** How agents and users of customers' apps can be reached besides softphones, and who takes no calls. */
import type { AppUser } from '../model/app-user.js'
import type { Owner } from '../../../infrastructure/database/workspace-table.js'

/** A channel for incoming call notices: live streams, or devices registered for pushes. */
export interface AppSource {
  /** Ids of a workspace's agents that it reaches. */
  agentsIn(workspace: Owner): Promise<ReadonlySet<string>>
  reaches(workspace: Owner, person: AppUser): Promise<boolean>
}

/** States set by agents, or for them, by agent id. */
export interface ChosenSource {
  of(workspace: Owner, ids: readonly string[]): Promise<ReadonlyMap<string, { state: 'busy' | 'offline' }>>
}

/** Apps reconnect within this after a restart of the server, or to another one, in milliseconds. */
const comeBackMs = 20_000

export class AgentReachability {
  private startedAt = Date.now()

  constructor(
    private readonly apps: readonly AppSource[],
    private readonly chosen: ChosenSource,
  ) {}

  /** This server has taken over the calls of another one. */
  tookOver(): void {
    this.startedAt = Date.now()
  }

  /** True if a call is older than this server, and apps that got its notice may still be reconnecting. */
  mayComeBack({ created_at }: { readonly created_at: Date }): boolean {
    return created_at.getTime() < this.startedAt && Date.now() < this.startedAt + comeBackMs
  }

  /** Ids of a workspace's agents who have an app that can be rung. */
  async withApps(workspace: Owner): Promise<string[]> {
    const found = await Promise.all(this.apps.map(async (source) => source.agentsIn(workspace)))
    return [...new Set(found.flatMap((ids) => [...ids]))]
  }

  async hasApps(workspace: Owner, person: AppUser): Promise<boolean> {
    const found = await Promise.all(this.apps.map(async (source) => source.reaches(workspace, person)))
    return found.includes(true)
  }

  /** The agents among these who take calls. */
  async willing<T extends { agent_id: string }>(workspace: Owner, agents: readonly T[]): Promise<T[]> {
    if (agents.length === 0) return []
    const chosen = await this.chosen.of(
      workspace,
      agents.map(({ agent_id }) => agent_id),
    )
    return agents.filter(({ agent_id }) => !chosen.has(agent_id))
  }

  /** Why an agent takes no calls although a device may be reachable; null if they take calls. */
  async refusalOf(workspace: Owner, agentId: string): Promise<'busy' | 'offline' | null> {
    return (await this.chosen.of(workspace, [agentId])).get(agentId)?.state ?? null
  }
}
