/**
 * Who uses the console. An agent's tokens are kept for all tabs, so that one sign-in is enough; a key or the operator's
 * token is kept for one tab only, and is gone with it.
 */
import { useSyncExternalStore } from 'react'

/** Tokens of `/auth/login` and `/auth/refresh`. */
export interface AgentTokens {
  access_token: string
  /** Milliseconds since 1970. */
  expires_at: number
  refresh_token: string
}

export type Session =
  | { readonly kind: 'agent'; readonly tokens: AgentTokens }
  | { readonly kind: 'api_key'; readonly apiKey: string }
  | { readonly kind: 'operator'; readonly token: string }

const agentKey = 'jackfield.agent'
const tabKey = 'jackfield.key'
const deviceKey = 'jackfield.device'

function readJson(storage: Storage, key: string): unknown {
  try {
    return JSON.parse(storage.getItem(key) ?? 'null')
  } catch {
    return null
  }
}

function read(): Session | null {
  const own = readJson(sessionStorage, tabKey) as Session | null
  if (own) return own
  const tokens = readJson(localStorage, agentKey) as AgentTokens | null
  return tokens ? { kind: 'agent', tokens } : null
}

let current = read()
const listeners = new Set<() => void>()

function changed(): void {
  current = read()
  for (const listener of listeners) listener()
}

// Another tab signed in or out, or has fresh tokens.
window.addEventListener('storage', ({ key }) => {
  if (key === agentKey || key === null) changed()
})

/** The session of this moment. */
export function sessionNow(): Session | null {
  return current
}

export function signIn(session: Session): void {
  if (session.kind === 'agent') {
    sessionStorage.removeItem(tabKey)
    localStorage.setItem(agentKey, JSON.stringify(session.tokens))
  } else sessionStorage.setItem(tabKey, JSON.stringify(session))
  changed()
}

/** Forgets the session, an agent's in all tabs. */
export function forgetSession(): void {
  if (current?.kind === 'agent') localStorage.removeItem(agentKey)
  sessionStorage.removeItem(tabKey)
  changed()
}

export function onSessionChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The session; the component is drawn anew when it changes. */
export function useSession(): Session | null {
  return useSyncExternalStore(onSessionChange, sessionNow)
}

/** Names this browser to the API: `device_id` of `/auth/login`. */
export function deviceId(): string {
  const known = localStorage.getItem(deviceKey)
  if (known) return known
  // randomUUID is only there on pages that came by https or from this machine.
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  const made = `browser-${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
  localStorage.setItem(deviceKey, made)
  return made
}
