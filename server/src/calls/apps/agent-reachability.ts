/** By what agents, and users of customers' apps, can be reached beside softphones, and who takes no calls. */
import type { Owner } from '../../database/workspace-table.js'
import type { Person } from './app-seats.js'

/** Something by which apps are told that they ring: live streams, devices that are registered for pushes. */
export interface AppSource {
  /** Ids of the agents of a workspace whom it reaches. */
  agentsIn(workspace: Owner): Promise<ReadonlySet<string>>
  reaches(workspace: Owner, person: Person): Promise<boolean>
}

/** States that agents have chosen, or that were chosen for them, by agent. */
export interface ChosenSource {
  of(workspace: Owner, ids: readonly string[]): Promise<ReadonlyMap<string, { state: 'busy' | 'offline' }>>
}

/** Apps are back within this after a restart of the server, or at another one, in milliseconds. */
const comeBackMs = 20_000

export class AgentReachability {
  private startedAt = Date.now()

  constructor(
    private readonly apps: readonly AppSource[],
    private readonly chosen: ChosenSource,
  ) {}

  /** The calls of another server are this one's now. */
  tookOver(): void {
    this.startedAt = Date.now()
  }

  /** Whether a call is older than this server, and apps that were told of it may still be on their way to this one. */
  mayComeBack({ created_at }: { readonly created_at: Date }): boolean {
    return created_at.getTime() < this.startedAt && Date.now() < this.startedAt + comeBackMs
  }

  /** Ids of the agents of a workspace who have an app that can be rung. */
  async withApps(workspace: Owner): Promise<string[]> {
    const found = await Promise.all(this.apps.map(async (source) => source.agentsIn(workspace)))
    return [...new Set(found.flatMap((ids) => [...ids]))]
  }

  async hasApps(workspace: Owner, person: Person): Promise<boolean> {
    const found = await Promise.all(this.apps.map(async (source) => source.reaches(workspace, person)))
    return found.includes(true)
  }

  /** Those of some agents who take calls. */
  async willing<T extends { agent_id: string }>(workspace: Owner, agents: readonly T[]): Promise<T[]> {
    if (agents.length === 0) return []
    const chosen = await this.chosen.of(
      workspace,
      agents.map(({ agent_id }) => agent_id),
    )
    return agents.filter(({ agent_id }) => !chosen.has(agent_id))
  }

  /** Why an agent takes no calls, though something may reach them; null when they do. */
  async refusalOf(workspace: Owner, agentId: string): Promise<'busy' | 'offline' | null> {
    return (await this.chosen.of(workspace, [agentId])).get(agentId)?.state ?? null
  }
}
