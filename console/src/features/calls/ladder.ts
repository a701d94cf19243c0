/** A call as a ladder: a line for each party and one for the platform, and what passed between them, in its order. */
import type { CallDetail, CallEvent, CallLeg } from './queries'

/** What a leg did. */
export type LegStep = 'calls' | 'answers' | 'ends'

export interface Rung {
  /** Differs from all others. */
  key: string
  /** Milliseconds since 1970. */
  at: number
  /** Line of the party, 0 for the leftmost. */
  line: number
  step?: LegStep
  /** Whether it goes towards the platform. */
  isInward: boolean
  /** Of the leg's end. */
  cause?: string
  /** What the platform did by itself. */
  event?: CallEvent
}

export interface Ladder {
  /** From left to right, null for the platform. */
  lines: readonly (CallLeg | null)[]
  rungs: readonly Rung[]
}

/** Legs tell the same of the call's course, and of each party. */
const toldByLegs: ReadonlySet<CallEvent['event']> = new Set(['call.created', 'call.answered'])

/** Callers stand left of the platform, whoever is called right of it. */
export function ladderOf({ legs }: Pick<CallDetail, 'legs'>, events: readonly CallEvent[]): Ladder {
  const callers = legs.filter(({ role }) => role === 'caller')
  const others = legs.filter(({ role }) => role !== 'caller')
  const lines = [...callers, null, ...others]
  const rungs = [
    ...lines.flatMap((leg, line) => (leg ? rungsOf(leg, line) : [])),
    ...events
      .filter(({ event }) => !toldByLegs.has(event))
      .map((event): Rung => ({
        ...{ key: event.id, at: timeOf(event.created_at), line: callers.length, isInward: false, event },
      })),
  ]
  // What happened in one millisecond keeps the order above: a leg ends before its call does.
  return { lines, rungs: rungs.sort((a, b) => a.at - b.at) }
}

function rungsOf(leg: CallLeg, line: number): Rung[] {
  const isCaller = leg.role === 'caller'
  const step = (name: LegStep, at: string | null, isInward: boolean): Rung[] =>
    at === null ? [] : [{ key: `${leg.id} ${name}`, at: timeOf(at), line, step: name, isInward }]
  return [
    ...step('calls', leg.created_at, isCaller),
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
