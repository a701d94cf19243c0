/** The call of this tab, so that it is found again when the page is loaded anew. */
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
  /** When the talk began, in milliseconds since 1970; null before. */
  since: number | null
  isMuted: boolean
  /** The one that is under way. */
  handover: Handover | null
  wsUrl: string
  /** The newest token for coming back. */
  token: string
  /** When the page was left, in milliseconds since 1970. */
  leftAt?: number
}

/** The server keeps the place of an app that is away for so long. */
const awayMs = 30_000

const storageKey = 'jackfield.call'

export function keepCall(call: KeptCall): void {
  sessionStorage.setItem(storageKey, JSON.stringify(call))
}

export function forgetCall(): void {
  sessionStorage.removeItem(storageKey)
}

/** The call that this tab had a moment ago, before it was loaded anew; it is forgotten. */
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
