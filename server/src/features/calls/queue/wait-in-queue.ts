/** Dials a member of a team for a caller, who waits until one is free. */
import type { RingContext } from '../dialling/dial-context.js'
import type { CallEventName } from '../model/call-event.entity.js'
import type { TeamQueues } from './team-queues.js'
import type { ConnectOutcome } from '../model/outcomes.js'
import type { AnsweredLeg } from '../model/answered-leg.js'
import { SwitchDownError } from '../../../adapters/freeswitch/errors.js'
import { withTimeout } from '../../../lib/with-timeout.js'
import type { Call } from '../model/call.entity.js'
import type { CallDialer } from '../dialling/dial-strategy.js'
import { type RingGroup, ringMembers } from '../dialling/ring-group.js'
import type { Member } from '../dialling/team-members.js'
import type { QueuePosition } from './queue-position.js'
import type { WaitResult } from '../model/queue-wait.entity.js'

/** What the caller hears while waiting. */
export interface CallerWait {
  /** Waits for `work`. @throws what ends the call */
  during<T>(work: Promise<T>): Promise<T>
  /** Resolves when the line is quiet. */
  stop(): Promise<void>
}

/** What waiting in a queue needs of a running call. */
interface QueueContext extends RingContext {
  readonly queues: TeamQueues
  /** The caller begins to wait: no member was free. */
  begin(place: QueuePosition): Promise<CallerWait>
  /** Adds to the timeline. */
  note(event: CallEventName, details: object): void
}

export interface QueuedGroup extends RingGroup {
  call: Readonly<Call>
  /** Seconds. */
  maxWait: number
  /** Callers. */
  maxLength: number
  /** Id of an agent who is not rung: the one who has sent the caller there. */
  except?: string | null
}

export type QueueOutcome = ConnectOutcome | 'queue_full' | 'queue_timeout'

/**
 * Rings the members who are free; if none is, answers the caller, who then waits. A caller is not queued if no member
 * is reachable at all when they call.
 */
export async function waitInQueue(
  context: QueueContext,
  dialer: CallDialer,
  group: QueuedGroup,
): Promise<AnsweredLeg | QueueOutcome> {
  const { call, members, queues } = context
  members.noteTeam(call, group.teamId)
  const place = await queues.enter(group.call, group.teamId, group)
  if (!place) return 'queue_full'
  let isKept = false
  let found: AnsweredLeg | QueueOutcome = 'failed'
  try {
    found = await dialOrWait(context, dialer, group, place)
    return found
  } catch (error) {
    // Recovery finds the call at its old position.
    isKept = error instanceof SwitchDownError
    throw error
  } finally {
    place.leave(isKept, resultOf(found))
  }
}

/** How a wait ended, as it is kept. */
function resultOf(found: AnsweredLeg | QueueOutcome): WaitResult {
  if (typeof found !== 'string') return 'answered'
  if (found === 'queue_timeout') return 'timed_out'
  return found === 'offline' ? 'no_members' : 'left'
}

async function dialOrWait(
  context: QueueContext,
  dialer: CallDialer,
  group: QueuedGroup,
  place: QueuePosition,
): Promise<AnsweredLeg | QueueOutcome> {
  const { members, workspace } = context
  if (!place.isResumed) {
    if ((await members.reachable(workspace, group.teamId)).length === 0) return 'offline'
    const offered = await place.now()
    const found =
      offered &&
      (await dialer.withRingback(group.ringback, async () => ring(context, dialer, group, place, offered)))
    if (found) return found
    if (dialer.signal.aborted) return 'failed'
  }
  return wait(context, dialer, group, place)
}

async function wait(
  context: QueueContext,
  dialer: CallDialer,
  group: QueuedGroup,
  place: QueuePosition,
): Promise<AnsweredLeg | QueueOutcome> {
  const until = place.enteredAt.getTime() + group.maxWait * 1000
  const hold = await context.begin(place)
  if (!place.isResumed) context.note('call.queued', { team_id: group.teamId, position: place.position })
  try {
    for (;;) {
      if (dialer.signal.aborted) return 'failed'
      const leftMs = until - Date.now()
      if (leftMs <= 0) return 'queue_timeout'
      const next = withTimeout(leftMs, dialer.signal, async (late) => place.next(late))
      const offered = await hold.during(next)
      if (!offered) continue
      const ringTimeout = Math.min(group.ringTimeout, Math.max(1, Math.ceil((until - Date.now()) / 1000)))
      const found = await hold.during(ring(context, dialer, { ...group, ringTimeout }, place, offered))
      if (found) return found
    }
  } finally {
    await hold.stop()
  }
}

/** Null when the caller keeps waiting. */
async function ring(
  context: QueueContext,
  dialer: CallDialer,
  group: RingGroup,
  place: QueuePosition,
  offered: readonly Member[],
): Promise<AnsweredLeg | null> {
  const found = await ringMembers(context, dialer, group, offered)
  if (typeof found !== 'string') return found
  // If the caller hung up, the members who were rung have not refused the call.
  if (!dialer.signal.aborted) place.notTaken()
  return null
}
