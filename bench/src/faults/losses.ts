/** What was accepted beside calls and is not there afterwards, in words. */
import type { FarCall } from './far-call.js'
import type { Sent } from './load.js'
import type { Offered } from './reckoning.js'
import { endingOf } from './served.js'

export interface Message {
  id: string
  status: string
}

export interface Recording {
  id: string
  call_id: string
  status: string
}

export interface Entry {
  id: string
  amount: number
}

/**
 * Texts that were accepted and did not reach the carrier, or got no receipt.
 * @param taken numbers that the carrier has texts for
 */
export function lostTexts(
  sent: readonly Sent[],
  rows: readonly Message[],
  taken: ReadonlySet<string>,
): string[] {
  const status = new Map(rows.map((row) => [row.id, row.status]))
  return sent.flatMap(({ id, to }) => {
    const found = status.get(id)
    const number = to.replace('+', '')
    if (found === 'delivered' && (taken.has(number) || taken.has(to))) return []
    return [`text ${id} to ${to} was accepted and is ${found ?? 'not there'}`]
  })
}

/** Entries of the ledger that are not there, or of another amount. */
export function lostTopUps(ids: readonly string[], amount: number, entries: readonly Entry[]): string[] {
  const amounts = new Map(entries.map(({ id, amount }) => [id, amount]))
  return ids
    .filter((id) => amounts.get(id) !== amount)
    .map((id) => `top-up ${id} of ${amount} was accepted and is ${amounts.get(id) ?? 'not there'}`)
}

/** What `GET /recordings/:id/content` answers. */
export interface Content {
  status: number
  bytes: number
}

/** Of a WAV file without audio. */
const headerBytes = 44

/** Recordings that are neither ready nor failed, or ready and cannot be fetched. @param contents of those ready, by id */
export function lostRecordings(
  recordings: readonly Recording[],
  contents: ReadonlyMap<string, Content>,
): string[] {
  return recordings.flatMap(({ id, status }) => {
    if (status === 'failed') return []
    const content = contents.get(id)
    if (status === 'ready' && content?.status === 200 && content.bytes > headerBytes) return []
    const fetched = content ? `, its content answers ${content.status} with ${content.bytes} bytes` : ''
    return [`recording ${id} is ${status}${fetched}`]
  })
}

/** What `GET /workspaces/:id/credit/check` answers. */
export interface CreditCheck {
  problems: readonly { kind: string; id: string; expected: unknown; found: unknown }[]
}

export function ledgerProblems({ problems }: CreditCheck): string[] {
  return problems.map((one) => `credit check: ${JSON.stringify(one)}`)
}

/** What `GET /calls/:id/events` has. */
export interface TimelineEvent {
  event: string
  details?: { action?: string; outcome?: string }
}

/** Whether the call's timeline says that it could not be recorded. */
export function saysUnrecorded(timeline: readonly TimelineEvent[]): boolean {
  return timeline.some(
    ({ event, details }) =>
      event === 'call.action' && details?.action === 'recording' && details.outcome === 'failed',
  )
}

/** Calls that were to be recorded and succeeded, but have no recording, not even a failed one. */
export function unrecorded(
  offered: readonly Offered[],
  far: readonly FarCall[],
  recordings: readonly Recording[],
): Offered[] {
  const recorded = new Set(recordings.map(({ call_id }) => call_id))
  const served = new Set(far.filter((call) => endingOf(call) === 'served').map(({ number }) => number))
  return offered.filter(
    ({ number, callId, isRecorded }) =>
      isRecorded && callId !== undefined && served.has(number) && !recorded.has(callId),
  )
}
