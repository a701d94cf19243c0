/** Members of teams as calls see them: who can be rung now, and in which order. */
import type { Route } from '../routing/route.js'
import type { Logger } from 'pino'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RegisteredSoftphones, RingableMember } from '../../agents/registered-softphones.js'
import type { Owner } from '../../../infrastructure/database/workspace-table.js'
import type { TeamService } from '../../teams/team.service.js'
import type { AgentReachability } from './agent-reachability.js'
import type { CallRouting } from '../routing/call-routing.js'
import type { Call } from '../model/call.entity.js'
import type { CallStore } from '../model/call-store.js'
import { type FarParty, farPartyOf } from '../model/call-side.js'
import { DurableWrites } from '../model/durable-writes.js'
import type { Phones } from '../routing/phones.js'

/** Interval of checks for apps that are about to connect, in milliseconds. */
const lookMs = 250

export const strategies = ['ring-all', 'round-robin', 'sequential', 'random'] as const
export type Strategy = (typeof strategies)[number]

export type Member = RingableMember

export class TeamMembers {
  constructor(
    private readonly teams: TeamService,
    private readonly softphones: RegisteredSoftphones,
    private readonly phones: Phones,
    private readonly routing: CallRouting,
    private readonly reachability: AgentReachability,
    private readonly store: Pick<CallStore, 'setTeam'>,
    private readonly log: Logger,
  ) {}

  /** Notes the team that a call is to reach, whether or not a member is there. */
  noteTeam(call: Readonly<Call>, teamId: string): void {
    void new DurableWrites(this.log, call.id).add(async () => this.store.setTeam(call, teamId))
  }

  async teamExists(workspace: Owner, teamId: string): Promise<boolean> {
    return (await this.teams.findMany(workspace, [teamId])).length > 0
  }

  async agentExists(workspace: Owner, agentId: string): Promise<boolean> {
    return (await this.phones.find(workspace, agentId)) !== null
  }

  /** Reachable active members who take calls, in the team's order. */
  async reachable(workspace: Owner, teamId: string): Promise<Member[]> {
    const withApps = await this.reachability.withApps(workspace)
    const members = await this.softphones.membersOf(workspace, teamId, withApps)
    return this.reachability.willing(workspace, members)
  }

  /**
   * As {@link reachable}, for a call that the previous server may have rung: its apps are about to connect to this one.
   */
  async reachableFor(call: Readonly<Call>, teamId: string, signal: AbortSignal): Promise<Member[]> {
    for (;;) {
      const members = await this.reachable({ id: call.workspace_id }, teamId)
      if (members.length > 0 || signal.aborted || !this.reachability.mayComeBack(call)) return members
      await sleep(lookMs)
    }
  }

  /** A route to an agent, without targets if no softphone is registered; null if there is no such agent. */
  async routeTo(call: Readonly<Call>, agentId: string): Promise<Route | null> {
    const workspace = { id: call.workspace_id }
    const phone = await this.phones.find(workspace, agentId)
    if (!phone) return null
    const route = this.routing.routeToPhone(phone, otherParty(call).number)
    const address = await this.softphones.addressOf(workspace, agentId)
    return address ? route : { ...route, targets: [] }
  }

  routeToMember(call: Readonly<Call>, { agent_id: id, username, domain }: Member): Route {
    const shown = otherParty(call).number
    const route = this.routing.routeToPhone({ kind: 'agent', id, username, domain: domain ?? '' }, shown)
    return domain === null ? { ...route, targets: [] } : route
  }

  /** Members in the order in which a strategy dials them. */
  async inOrder(
    workspace: Owner,
    teamId: string,
    strategy: Strategy,
    members: readonly Member[],
  ): Promise<Member[]> {
    if (strategy === 'random') return shuffled(members)
    if (strategy !== 'round-robin') return [...members]
    const last = await this.teams.lastOffered(workspace, teamId)
    return [...members.filter(({ id }) => id > last), ...members.filter(({ id }) => id <= last)]
  }

  /** Stores who was rung last: the next round-robin call starts after them. */
  async offered(workspace: Owner, teamId: string, member: Member): Promise<void> {
    await this.teams.setLastOffered(workspace, teamId, member.id)
  }
}

/** The far party of the call's script, as shown to agents. */
export function otherParty(call: Readonly<Call>): FarParty {
  return farPartyOf(call, ['destination'])
}

function shuffled<T>(list: readonly T[]): T[] {
  const left = [...list]
  const drawn: T[] = []
  while (left.length > 0) drawn.push(...left.splice(Math.floor(Math.random() * left.length), 1))
  return drawn
}
