/**
 * Tells leaders and supervisors of the calls of their teams, and admins of all, as they change: `live.calls` on their
 * streams. Whoever writes something of a call says so; what it is now is read a moment later, for all calls of which it
 * was said together.
 */
import type { Logger } from 'pino'
import type { Database } from '../../database/database.js'
import { grouped } from '../../grouped.js'
import type { EventHub } from '../../stream/event-hub.js'
import { outside } from '../../works.js'
import type { LiveCallsTable, ShownCall } from './live-calls-table.js'
import { presentLiveCall } from './present-live-call.js'

/** What happens in one go, such as an answer and the end of the other rings, is told once. */
const gatheringMs = 150

/** Looks are so far apart at least: people read what comes of them. */
const pauseMs = 250

/** Calls that one look is for. */
const lookedAtOnce = 500

/** After a look that failed. */
const afterFailureMs = 2_000

interface Parts {
  database: Database
  calls: Pick<LiveCallsTable, 'known'>
  hub: Pick<EventHub, 'publish' | 'isHeard'>
  log: Logger
}

/** What one group of people is told at once. */
interface News {
  managers: readonly string[]
  calls: ShownCall[]
  gone: string[]
}

interface TeamMember {
  team_id: string
  agent_id: string
}

/** A leader or supervisor of a team, or an admin, who needs none. */
interface Manager {
  team_id: string | null
  agent_id: string
  is_admin: 0 | 1
}

export class LiveBoardNews {
  /** Calls, and their workspaces. */
  private readonly changed = new Map<string, string>()
  /** Whom a call was told to when it changed last: those who see it no more are told that. */
  private readonly told = new Map<string, readonly string[]>()
  private timer: NodeJS.Timeout | undefined
  private looking: Promise<void> | undefined
  private stopped = false

  constructor(private readonly parts: Parts) {}

  /** Something of a call has been written. */
  callChanged(workspaceId: string, callId: string): void {
    if (!this.parts.hub.isHeard(workspaceId)) {
      // Who was told of it is gone, and asks for the whole board when they come back.
      this.told.delete(callId)
      return
    }
    this.changed.set(callId, workspaceId)
    this.lookIn(gatheringMs)
  }

  /** Tells nothing more. */
  async stop(): Promise<void> {
    this.stopped = true
    clearTimeout(this.timer)
    await this.looking
  }

  private lookIn(ms: number): void {
    if (this.stopped || this.timer || this.looking) return
    this.timer = outside(() =>
      setTimeout(() => {
        this.timer = undefined
        this.looking = this.look().then((nextIn) => {
          this.looking = undefined
          if (this.changed.size > 0) this.lookIn(nextIn)
        })
      }, ms),
    )
  }

  /** @returns milliseconds until the next */
  private async look(): Promise<number> {
    const changed = [...this.changed].slice(0, lookedAtOnce)
    for (const [id] of changed) this.changed.delete(id)
    try {
      const calls = await this.parts.calls.known(changed.map(([id]) => id))
      const byId = new Map(calls.map((call) => [call.id, call]))
      for (const [workspaceId, those] of grouped(changed, ([, workspace]) => workspace)) {
        const ids = those.map(([id]) => id)
        await this.tell(workspaceId, ids, byId)
      }
      return pauseMs
    } catch (error) {
      this.parts.log.warn({ err: error }, 'changes of calls could not be told to who supervises them')
      for (const [id, workspaceId] of changed) this.changed.set(id, workspaceId)
      return afterFailureMs
    }
  }

  private async tell(
    workspaceId: string,
    ids: readonly string[],
    calls: ReadonlyMap<string, ShownCall>,
  ): Promise<void> {
    const managersOf = await this.managers(workspaceId, ids, calls)
    const news = new Map<string, News>()
    const newsFor = (managers: readonly string[]): News => {
      const key = managers.join()
      const known = news.get(key) ?? { managers, calls: [], gone: [] }
      news.set(key, known)
      return known
    }
    for (const id of ids) {
      const call = calls.get(id)
      const theirs = managersOf(id)
      const now = call ? theirs : []
      const before = [...(this.told.get(id) ?? []), ...(call ? [] : theirs)]
      const left = [...new Set(before)].filter((one) => !now.includes(one)).sort()
      if (left.length > 0) newsFor(left).gone.push(id)
      if (call && now.length > 0) newsFor(now).calls.push(call)
      if (now.length > 0) this.told.set(id, now)
      else this.told.delete(id)
    }
    for (const { managers, calls, gone } of news.values()) {
      this.parts.hub.publish({
        workspace_id: workspaceId,
        event: 'live.calls',
        to: { agents: managers },
        data: { calls: calls.map(presentLiveCall), gone },
      })
    }
  }

  /** Tells of each call the leaders and supervisors of the teams that have it, or had it, and the admins; by their ids. */
  private async managers(
    workspaceId: string,
    ids: readonly string[],
    calls: ReadonlyMap<string, ShownCall>,
  ): Promise<(id: string) => readonly string[]> {
    const live = ids.flatMap((id) => calls.get(id) ?? [])
    const agents = [...new Set(live.flatMap(agentsIn))]
    const ended = ids.filter((id) => !calls.has(id))
    const { source } = this.parts.database
    const [managers, members, had] = await Promise.all([
      source.query<Manager[]>(
        `SELECT member.team_id, agents.id AS agent_id, agents.is_admin FROM agents
         LEFT JOIN team_members member ON member.agent_id = agents.id
         WHERE agents.workspace_id = ? AND agents.is_active = 1
           AND (agents.role IN ('leader', 'supervisor') OR agents.is_admin = 1)`,
        [workspaceId],
      ),
      source.query<TeamMember[]>('SELECT team_id, agent_id FROM team_members WHERE agent_id IN (?)', [
        [...agents, ''],
      ]),
      source.query<{ call_id: string; team_id: string }[]>(
        'SELECT call_id, team_id FROM team_calls WHERE call_id IN (?)',
        [[...ended, '']],
      ),
    ])
    const admins = managers.filter(({ is_admin }) => is_admin === 1)
    const managersOf = grouped(managers, ({ team_id }) => team_id)
    const teamsOf = grouped(members, ({ agent_id }) => agent_id)
    const teamsThatHad = grouped(had, ({ call_id }) => call_id)
    return (id) => {
      const call = calls.get(id)
      const teams = call
        ? [...agentsIn(call).flatMap((agent) => teamsOf.get(agent) ?? []), ...queueOf(call)]
        : (teamsThatHad.get(id) ?? [])
      const found = teams.flatMap(({ team_id }) => managersOf.get(team_id) ?? [])
      return [...new Set([...admins, ...found].map(({ agent_id }) => agent_id))].sort()
    }
  }
}

/** A supervisor hears the call, and it is not their team's for that. */
function agentsIn({ legs }: ShownCall): string[] {
  return legs.flatMap(({ role, agent_id }) => (role === 'supervisor' ? [] : (agent_id ?? [])))
}

function queueOf({ queue_team_id: team_id }: ShownCall): { team_id: string }[] {
  return team_id === null ? [] : [{ team_id }]
}
