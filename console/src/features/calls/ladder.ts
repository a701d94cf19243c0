/** A call as a ladder diagram: a line for each party and one for the platform, and the signalling between them in order. */
import type { CallDetail, CallEvent, CallLeg, CallOffer } from './workspace-calls'

/** One event of a party. */
export type LegStep = 'calls' | 'rings' | 'answers' | 'ends'

/** Why an agent was rung no longer, without an answer. */
export type OfferEnd = Exclude<CallOffer['result'], 'answered' | 'busy' | 'offline' | null>

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
  /** For the end of a ring without a leg. */
  result?: OfferEnd
  /** An action of the platform itself. */
  event?: CallEvent
}

/** An end of a leg; or an agent who was rung and has no leg, as browsers and apps have one only once they answer. */
export interface Party {
  key: string
  /** Null: an agent who was deleted. */
  name: string | null
  /** Beside a name of its own. */
  number: string
  role: CallLeg['role'] | 'voice_agent' | 'rung'
}

export interface Ladder {
  /** From left to right; null is the platform. */
  lines: readonly (Party | null)[]
  rungs: readonly Rung[]
}

/** Events that each leg repeats: the ladder shows them once. */
const repeatedByLegs: ReadonlySet<CallEvent['event']> = new Set(['call.created', 'call.answered'])

/** A leg and the offer that rang it are written by different hands. */
const slackMs = 2_000

/** Callers are left of the platform, called parties right of it. */
export function ladderOf(
  { legs, offers }: Pick<CallDetail, 'legs' | 'offers'>,
  events: readonly CallEvent[],
): Ladder {
  const callers = legs.filter(({ role }) => role === 'caller')
  const others = legs.filter(({ role }) => role !== 'caller')
  const rang = offers.filter(({ result }) => result !== 'busy' && result !== 'offline')
  const alone = rang.filter((offer) => !others.some((leg) => isOf(offer, leg)))
  const people = new Map(alone.map((offer) => [personOf(offer), offer]))
  const lines = [
    ...callers.map(partyAt),
    null,
    ...others.map(partyAt),
    ...[...people].map(([key, { agent }]): Party => ({
      ...{ key, name: agent?.display_name ?? null, number: '', role: 'rung' },
    })),
  ]
  const lineOf = new Map(lines.map((party, line) => [party?.key, line]))
  const rungs = [
    ...legs.flatMap((leg) => rungsOf(leg, lineOf.get(leg.id) ?? 0, rang)),
    ...alone.flatMap((offer, index) => rungsOfOffer(offer, index, lineOf.get(personOf(offer)) ?? 0)),
    ...events
      .filter(({ event }) => !repeatedByLegs.has(event))
      .map((event): Rung => ({
        ...{ key: event.id, at: timeOf(event.created_at), line: callers.length, isInward: false, event },
      })),
  ]
  // Events of the same millisecond keep the order above: a leg ends before its call does.
  return { lines, rungs: rungs.sort((a, b) => a.at - b.at) }
}

/** An agent has one line, however often a queue rings them. */
const personOf = ({ agent }: CallOffer) => `rung ${agent?.id ?? ''}`

/** Whether the leg is one that the offer rang, or with which it was answered. */
function isOf({ agent, began_at, ended_at }: CallOffer, leg: CallLeg): boolean {
  if (agent === null || leg.agent_id !== agent.id || leg.role === 'supervisor') return false
  const at = timeOf(leg.created_at)
  if (at < timeOf(began_at) - slackMs) return false
  return ended_at === null || at <= timeOf(ended_at) + slackMs
}

function partyAt({ id, role, name, number, voice_agent_id }: CallLeg): Party {
  return {
    ...{ key: id, name: name ?? number, number: name === null ? '' : number },
    role: voice_agent_id === null ? role : 'voice_agent',
  }
}

function rungsOf(leg: CallLeg, line: number, offers: readonly CallOffer[]): Rung[] {
  const isCaller = leg.role === 'caller'
  const step = (name: LegStep, at: string | null, isInward: boolean): Rung[] =>
    at === null ? [] : [{ key: `${leg.id} ${name}`, at: timeOf(at), line, step: name, isInward }]
  // A browser has rung before its leg begins with the answer.
  const offer = isCaller ? undefined : offers.findLast((one) => isOf(one, leg))
  const began = offer && offer.began_at < leg.created_at ? offer.began_at : leg.created_at
  return [
    ...step(isCaller ? 'calls' : 'rings', began, isCaller),
    ...step('answers', leg.answered_at, !isCaller),
    ...step('ends', leg.ended_at, true).map((rung) => ({
      ...rung,
      ...(leg.hangup_cause !== null && { cause: leg.hangup_cause }),
    })),
  ]
}

function rungsOfOffer({ began_at, ended_at, result }: CallOffer, index: number, line: number): Rung[] {
  const key = `offer ${String(index)}`
  const begin: Rung = { key, at: timeOf(began_at), line, step: 'rings', isInward: false }
  if (ended_at === null || result === null || result === 'busy' || result === 'offline') return [begin]
  const end = { key: `${key} ends`, at: timeOf(ended_at), line, isInward: true }
  return [begin, result === 'answered' ? { ...end, step: 'answers' } : { ...end, step: 'ends', result }]
}

function timeOf(text: string): number {
  return new Date(text).getTime()
}
