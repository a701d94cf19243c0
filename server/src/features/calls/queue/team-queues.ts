/**
 * Callers who wait for teams: who is next, and which members they are offered. The order is that of the rows; the
 * running state is in memory, since one server drives all calls of its switch. With several cells, each leaves one
 * free agent to the others for every caller there who came before its own.
 */
import type { Logger } from 'pino'
import type { AgentClaims } from '../dialling/agent-claims.js'
import { detached } from '../../../infrastructure/observability/tracing-contexts.js'
import type { Call } from '../model/call.entity.js'
import type { Member, Strategy, TeamMembers } from '../dialling/team-members.js'
import { QueuePosition } from './queue-position.js'
import type { QueueEntry } from './queue-entry.entity.js'
import type { QueueStore } from './queue-store.js'
import type { WaitResult } from '../model/queue-wait.entity.js'

/** Newly registered softphones are found within this time, in milliseconds. */
const lookMs = 2_000

/** Callers of the previous process keep their position for this long until their calls are recovered. */
const absentMs = 20_000

/** A waiting caller; without a place the call is not recovered yet after a restart. */
interface Waiting {
  readonly row: QueueEntry
  readonly since: number
  place: QueuePosition | null
}

/** What decides who is first. */
type Came = Pick<QueueEntry, 'entered_at' | 'call_id'>

interface TeamQueue {
  readonly workspace_id: string
  readonly team_id: string
  /** Oldest first. */
  waiting: Waiting[]
  /** Waiting callers of other cells, when they were last looked for. */
  elsewhere: readonly Came[]
  /** Members who were reachable when they were last looked for. */
  agents: ReadonlySet<string>
  running: Promise<void>
  next: Promise<void> | undefined
}

interface Services {
  store: QueueStore
  members: TeamMembers
  claims: AgentClaims
  /** Whether there is no other cell. */
  isAlone: boolean
  log: Logger
}

export class TeamQueues {
  private readonly queues = new Map<string, TeamQueue>()
  /** Agents who are being offered a caller. */
  private readonly offered = new Set<string>()
  /** Until when agents who did not answer get no other caller, in milliseconds since 1970. */
  private readonly restUntil = new Map<string, number>()
  private timer: NodeJS.Timeout | undefined

  constructor(private readonly services: Services) {
    services.claims.on('freed', (agentId) => {
      for (const queue of this.queues.values()) if (queue.agents.has(agentId)) void this.dispatch(queue)
    })
  }

  /** Rebuilds the queues from the rows; the callers get their positions back when their calls are recovered. */
  async restore(): Promise<void> {
    const rows = await this.services.store.live()
    this.queues.clear()
    this.offered.clear()
    const since = Date.now()
    for (const row of rows)
      this.queueOf(row.workspace_id, row.team_id).waiting.push({ row, since, place: null })
    this.watch()
  }

  /** Removes callers who are not recovered and whose calls have ended meanwhile. */
  forgetAllBut(calls: { has(callId: string): boolean }): void {
    for (const queue of [...this.queues.values()]) {
      for (const waiting of queue.waiting) {
        if (!waiting.place && !calls.has(waiting.row.call_id)) this.leave(queue, waiting, false)
      }
    }
  }

  stop(): void {
    clearInterval(this.timer)
    this.timer = undefined
  }

  /**
   * Adds a call at the end of a team's queue, or at the position that it had in the previous process.
   * @returns null when the queue is full
   */
  async enter(
    call: Readonly<Call>,
    teamId: string,
    { strategy, maxLength, except }: { strategy: Strategy; maxLength: number; except?: string | null },
  ): Promise<QueuePosition | null> {
    // Before queueOf(): a queue without callers is closed meanwhile.
    const elsewhere = await this.elsewhere(teamId)
    const queue = this.queueOf(call.workspace_id, teamId)
    const known = queue.waiting.find(({ row }) => row.call_id === call.id)
    const others = queue.waiting.filter(({ place }) => !place?.isOffered)
    if (!known && others.length + elsewhere.length >= maxLength) return null
    const row = known?.row ?? {
      ...{ call_id: call.id, workspace_id: call.workspace_id, team_id: teamId },
      entered_at: new Date(),
      is_offered: false,
    }
    this.setElsewhere(queue, elsewhere)
    const waiting: Waiting = known ?? { row, since: Date.now(), place: null }
    const place = new QueuePosition(row.entered_at, known !== undefined, {
      ...{ strategy, except: except ?? null },
      position: () => countBefore(row, queue.elsewhere) + queue.waiting.indexOf(waiting) + 1,
      dispatch: async () => this.dispatch(queue),
      giveBack: (members, restMs) => this.giveBack(queue, waiting, members, restMs),
      leave: (isKept, result) => this.leave(queue, waiting, isKept, result),
    })
    waiting.place = place
    if (!known) {
      queue.waiting.push(waiting)
      await this.services.store.add(row).catch((error: unknown) => {
        this.leave(queue, waiting, true)
        throw error
      })
    }
    this.watch()
    return place
  }

  /** The members who have no call and are being offered none. */
  free(members: readonly Member[]): Member[] {
    return members.filter(
      ({ agent_id }) => this.services.claims.isFree(agent_id) && !this.offered.has(agent_id),
    )
  }

  private giveBack(queue: TeamQueue, { row }: Waiting, members: readonly Member[], restMs: number): void {
    this.reportOffered(row, false)
    for (const { agent_id } of members) {
      this.offered.delete(agent_id)
      if (restMs > 0) this.restUntil.set(agent_id, Date.now() + restMs)
    }
    void this.dispatch(queue)
  }

  private leave(queue: TeamQueue, waiting: Waiting, isKept: boolean, result: WaitResult = 'left'): void {
    for (const { agent_id } of waiting.place?.offered ?? []) this.offered.delete(agent_id)
    if (!queue.waiting.includes(waiting)) return
    queue.waiting = queue.waiting.filter((one) => one !== waiting)
    if (!isKept) {
      this.services.store.remove(waiting.row, result).catch((error: unknown) => {
        this.services.log.warn(
          { event: 'queue.removal_failed', err: error },
          'a caller could not be removed from a queue; the end of the call does it',
        )
      })
    }
    for (const { place } of queue.waiting) place?.moved()
    this.closeOrDispatch(queue)
  }

  private closeOrDispatch(queue: TeamQueue): void {
    const key = keyOf(queue.workspace_id, queue.team_id)
    if (queue.waiting.length > 0) void this.dispatch(queue)
    // Another queue may have its key since the link was lost.
    else if (this.queues.get(key) === queue) this.queues.delete(key)
  }

  /** Offers free agents to waiting callers; resolves when it has done so with all that was known at the call. */
  private async dispatch(queue: TeamQueue): Promise<void> {
    queue.next ??= detached(async () =>
      queue.running.then(async () => {
        queue.next = undefined
        queue.running = this.offer(queue).catch((error: unknown) => {
          this.services.log.warn(
            { event: 'queue.offer_failed', err: error },
            'offering agents to a queue failed',
          )
        })
        return queue.running
      }),
    )
    return queue.next
  }

  private async offer(queue: TeamQueue): Promise<void> {
    const { members } = this.services
    const workspace = { id: queue.workspace_id }
    for (;;) {
      // Callers before this one are being connected already. One without a place is not recovered yet after a
      // restart.
      const { row, place } = queue.waiting.find((one) => !one.place?.isOffered) ?? {}
      if (!row || !place?.isWaiting) return
      const reachable = await members.reachable(workspace, queue.team_id)
      queue.agents = new Set(reachable.map(({ agent_id }) => agent_id))
      const now = Date.now()
      const free = this.free(reachable).filter(
        ({ agent_id }) => agent_id !== place.except && (this.restUntil.get(agent_id) ?? 0) <= now,
      )
      // Also while no agent is free: waiting callers hear their positions.
      this.setElsewhere(queue, await this.elsewhere(queue.team_id))
      if (free.length === 0) return
      const ahead = countBefore(row, queue.elsewhere)
      if (ahead > 0 && (place.strategy === 'ring-all' || free.length <= ahead)) return
      const ordered = await members.inOrder(workspace, queue.team_id, place.strategy, free)
      const chosen = this.free(place.strategy === 'ring-all' ? ordered : ordered.slice(0, 1))
      if (chosen.length === 0 || !place.isWaiting) continue
      for (const { agent_id } of chosen) this.offered.add(agent_id)
      this.reportOffered(row, true)
      place.offer(chosen)
    }
  }

  private async elsewhere(teamId: string): Promise<readonly Came[]> {
    return this.services.isAlone ? [] : this.services.store.elsewhere(teamId)
  }

  private setElsewhere(queue: TeamQueue, elsewhere: readonly Came[]): void {
    queue.elsewhere = elsewhere
    // Each checks whether its position has changed.
    for (const { place } of queue.waiting) place?.moved()
  }

  private reportOffered(row: QueueEntry, isOffered: boolean): void {
    if (this.services.isAlone) return
    this.services.store.setOffered(row, isOffered).catch((error: unknown) => {
      this.services.log.warn(
        { event: 'queue.offer_not_shared', err: error },
        'other cells could not be notified of an offer',
      )
    })
  }

  private queueOf(workspace_id: string, team_id: string): TeamQueue {
    const key = keyOf(workspace_id, team_id)
    const queue = this.queues.get(key) ?? {
      ...{ workspace_id, team_id, waiting: [], elsewhere: [], agents: new Set<string>() },
      ...{ running: Promise.resolve(), next: undefined },
    }
    this.queues.set(key, queue)
    return queue
  }

  /** Polls while callers wait: no event says that a softphone has registered, or that a rest is over. */
  private watch(): void {
    if (this.timer || this.queues.size === 0) return
    this.timer = detached(() => setInterval(() => this.look(), lookMs))
    this.timer.unref()
  }

  private look(): void {
    const now = Date.now()
    for (const [agentId, until] of this.restUntil) if (until <= now) this.restUntil.delete(agentId)
    for (const queue of [...this.queues.values()]) {
      for (const waiting of queue.waiting) {
        if (!waiting.place && now - waiting.since > absentMs) this.leave(queue, waiting, false)
      }
      this.closeOrDispatch(queue)
    }
    if (this.queues.size === 0) this.stop()
  }
}

function countBefore(row: Came, others: readonly Came[]): number {
  return others.filter((other) => isBefore(other, row)).length
}

function isBefore(one: Came, other: Came): boolean {
  const [first, second] = [one.entered_at.getTime(), other.entered_at.getTime()]
  return first < second || (first === second && one.call_id < other.call_id)
}

function keyOf(workspaceId: string, teamId: string): string {
  return `${workspaceId} ${teamId}`
}
