/**
 * Publishes changes of live calls: `live.calls` on the streams of admins, and of leaders and supervisors for the calls
 * of their teams. Writers only report which call has changed; its state is read a moment later, for all calls reported
 * by then.
 */
import type { Logger } from 'pino'
import type { Database } from '../../../infrastructure/database/database.js'
import { grouped } from '../../../lib/grouped.js'
import type { EventHub } from '../../realtime/event-hub.js'
import { CoalescedTask } from '../../../lib/coalesced-task.js'
import type { LiveCallsTable, ShownCall } from './live-calls-table.js'
import { presentLiveCall } from './present-live-call.js'

/** Changes in quick succession, such as an answer and the end of the other rings, are published once. */
const gatheringMs = 150

/** Minimum pause between publications: people read them. */
const pauseMs = 250

/** At most this many calls are read at once. */
const lookedAtOnce = 500

/** Pause after a failure. */
const afterFailureMs = 2_000

interface Parts {
  database: Database
  calls: Pick<LiveCallsTable, 'known'>
  hub: Pick<EventHub, 'publish' | 'isHeard'>
  log: Logger
}

/** One publication to one group of agents. */
interface Notice {
  managers: readonly string[]
  calls: ShownCall[]
  gone: string[]
}

interface TeamMember {
  team_id: string
  agent_id: string
}

/** A leader or supervisor of a team; or an admin, without a team. */
interface Manager {
  team_id: string | null
  agent_id: string
  is_admin: 0 | 1
}

export class LiveBoardNotifier {
  /** Changed calls, with their workspaces. */
  private readonly changed = new Map<string, string>()
  /** Agents who got the last change of a call: they are notified when they no longer see it. */
  private readonly notified = new Map<string, readonly string[]>()
  private readonly publishing: CoalescedTask

  constructor(private readonly parts: Parts) {
    this.publishing = new CoalescedTask(
      {
        ...{ gatherMs: gatheringMs, retryMs: afterFailureMs, log: parts.log },
        failure: ['live_board.publish_failed', 'publishing changes of live calls failed'],
      },
      async () => this.publish(),
    )
  }

  /** A call has changed. */
  callChanged(workspaceId: string, callId: string): void {
    if (!this.parts.hub.isHeard(workspaceId)) {
      // No stream is open: apps fetch the whole board when they reconnect.
      this.notified.delete(callId)
      return
    }
    this.changed.set(callId, workspaceId)
    this.publishing.soon()
  }

  /** Stops publishing. */
  async stop(): Promise<void> {
    await this.publishing.stop()
  }

  /** @returns the pause until the next publication */
  private async publish(): Promise<number> {
    const changed = [...this.changed].slice(0, lookedAtOnce)
    for (const [id] of changed) this.changed.delete(id)
    try {
      const calls = await this.parts.calls.known(changed.map(([id]) => id))
      const byId = new Map(calls.map((call) => [call.id, call]))
      for (const [workspaceId, those] of grouped(changed, ([, workspace]) => workspace)) {
        const ids = those.map(([id]) => id)
        await this.notify(workspaceId, ids, byId)
      }
    } catch (error) {
      for (const [id, workspaceId] of changed) this.changed.set(id, workspaceId)
      throw error
    }
    if (this.changed.size > 0) this.publishing.soon()
    return pauseMs
  }

  private async notify(
    workspaceId: string,
    ids: readonly string[],
    calls: ReadonlyMap<string, ShownCall>,
  ): Promise<void> {
    const managersOf = await this.managers(workspaceId, ids, calls)
    const notices = new Map<string, Notice>()
    const noticeFor = (managers: readonly string[]): Notice => {
      const key = managers.join()
      const known = notices.get(key) ?? { managers, calls: [], gone: [] }
      notices.set(key, known)
      return known
    }
    for (const id of ids) {
      const call = calls.get(id)
      const theirs = managersOf(id)
      const now = call ? theirs : []
      const before = [...(this.notified.get(id) ?? []), ...(call ? [] : theirs)]
      const left = [...new Set(before)].filter((one) => !now.includes(one)).sort()
      if (left.length > 0) noticeFor(left).gone.push(id)
      if (call && now.length > 0) noticeFor(now).calls.push(call)
      if (now.length > 0) this.notified.set(id, now)
      else this.notified.delete(id)
    }
    for (const { managers, calls, gone } of notices.values()) {
      this.parts.hub.publish({
        workspace_id: workspaceId,
        event: 'live.calls',
        to: { agents: managers },
        data: { calls: calls.map(presentLiveCall), gone },
      })
    }
  }

  /** Ids of the agents to notify of each call: admins, and leaders and supervisors of the teams that have or had it. */
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

/** The teams of a supervisor who monitors the call do not count. */
function agentsIn({ legs }: ShownCall): string[] {
  return legs.flatMap(({ role, agent_id }) => (role === 'supervisor' ? [] : (agent_id ?? [])))
}

function queueOf({ queue_team_id: team_id }: ShownCall): { team_id: string }[] {
  return team_id === null ? [] : [{ team_id }]
}
