/** A call as a ladder diagram: a line for each party and one for the platform, and the signalling between them in order. */
import type { CallDetail, CallEvent, CallLeg } from './workspace-calls'

/** One event of a leg. */
export type LegStep = 'calls' | 'rings' | 'answers' | 'ends'

export interface Rung {
  /** Unique key. */
  key: string
  /** Milliseconds since 1970. */
  at: number
  /** Column of the party, 0 for the leftmost. */
  line: number
  step?: LegStep
  /** Whether the arrow points to the platform. */
  isInward: boolean
  /** Hangup cause, for the end of a leg. */
  cause?: string
  /** An action of the platform itself. */
  event?: CallEvent
}

export interface Ladder {
  /** From left to right; null is the platform. */
  lines: readonly (CallLeg | null)[]
  rungs: readonly Rung[]
}

/** Events that each leg repeats: the ladder shows them once. */
const repeatedByLegs: ReadonlySet<CallEvent['event']> = new Set(['call.created', 'call.answered'])

/** Callers are left of the platform, called parties right of it. */
export function ladderOf({ legs }: Pick<CallDetail, 'legs'>, events: readonly CallEvent[]): Ladder {
  const callers = legs.filter(({ role }) => role === 'caller')
  const others = legs.filter(({ role }) => role !== 'caller')
  const lines = [...callers, null, ...others]
  const rungs = [
    ...lines.flatMap((leg, line) => (leg ? rungsOf(leg, line) : [])),
    ...events
      .filter(({ event }) => !repeatedByLegs.has(event))
      .map((event): Rung => ({
        ...{ key: event.id, at: timeOf(event.created_at), line: callers.length, isInward: false, event },
      })),
  ]
  // Events of the same millisecond keep the order above: a leg ends before its call does.
  return { lines, rungs: rungs.sort((a, b) => a.at - b.at) }
}

function rungsOf(leg: CallLeg, line: number): Rung[] {
  const isCaller = leg.role === 'caller'
  const step = (name: LegStep, at: string | null, isInward: boolean): Rung[] =>
    at === null ? [] : [{ key: `${leg.id} ${name}`, at: timeOf(at), line, step: name, isInward }]
  return [
    ...step(isCaller ? 'calls' : 'rings', leg.created_at, isCaller),
    ...step('answers', leg.answered_at, !isCaller),
    ...step('ends', leg.ended_at, true).map((rung) => ({
      ...rung,
      ...(leg.hangup_cause !== null && { cause: leg.hangup_cause }),
    })),
  ]
}

function timeOf(text: string): number {
  return new Date(text).getTime()
}
