/** The tab's call in sessionStorage, so that it can be resumed after a reload. */
import type { Handover } from './handover'

export interface Party {
  number: string
  name: string
}

export type CallKind = 'inbound' | 'outbound' | 'supervision'

/** What is kept of a call. */
export interface KeptCall {
  callId: string
  kind: CallKind
  other: Party
  /** Time of the answer, in milliseconds since 1970; null before it. */
  since: number | null
  isMuted: boolean
  /** The transfer in progress. */
  handover: Handover | null
  wsUrl: string
  /** The newest token for resuming. */
  token: string
  /** When the page was left, in milliseconds since 1970. */
  leftAt?: number
}

/** How long the server keeps the leg of a disconnected app. */
const awayMs = 30_000

const storageKey = 'jackfield.call'

export function keepCall(call: KeptCall): void {
  sessionStorage.setItem(storageKey, JSON.stringify(call))
}

export function forgetCall(): void {
  sessionStorage.removeItem(storageKey)
}

/** The call that this tab had just before the reload; it is removed from the storage. */
export function leftCall(): KeptCall | null {
  const kept = keptCall()
  forgetCall()
  return kept?.leftAt !== undefined && Date.now() - kept.leftAt < awayMs ? kept : null
}

function keptCall(): KeptCall | null {
  try {
    return JSON.parse(sessionStorage.getItem(storageKey) ?? 'null') as KeptCall | null
  } catch {
    return null
  }
}

window.addEventListener('pagehide', () => {
  const kept = keptCall()
  if (kept) keepCall({ ...kept, leftAt: Date.now() })
})
