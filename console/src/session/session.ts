/**
 * The current session. An agent's tokens are shared by all tabs; an API key or an operator's
 * token is kept for one tab only, and ends with it.
 */
import { useSyncExternalStore } from 'react'
import { randomHex } from '../api/random-hex'

/** Tokens of `/auth/login` and `/auth/refresh`. */
export interface AgentTokens {
  access_token: string
  /** Milliseconds since 1970. */
  expires_at: number
  refresh_token: string
}

export interface AgentSession {
  readonly kind: 'agent'
  /** Random id of the sign-in, known only to this browser. */
  readonly id: string
  readonly tokens: AgentTokens
}

export type Session =
  | AgentSession
  | { readonly kind: 'api_key'; readonly apiKey: string }
  | { readonly kind: 'operator'; readonly token: string }
  /** The operator in a workspace's console, for an hour. */
  | { readonly kind: 'entry'; readonly token: string }

const agentKey = 'jackfield.agent'
const tabKey = 'jackfield.key'
const deviceKey = 'jackfield.device'

function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null')
  } catch {
    return null
  }
}

function kept(own: string | null, shared: string | null): Session | null {
  const tab = parsed(own) as Session | null
  if (tab) return tab
  const agent = parsed(shared) as (AgentTokens & { id?: string }) | null
  if (!agent) return null
  const { id = '', ...tokens } = agent
  return { kind: 'agent', id, tokens }
}

let read: { own: string | null; shared: string | null; session: Session | null } | undefined
const listeners = new Set<() => void>()
const personListeners = new Set<() => void>()

/** The current session, the same in all tabs. */
export function sessionNow(): Session | null {
  const own = sessionStorage.getItem(tabKey)
  const shared = localStorage.getItem(agentKey)
  if (!read || read.own !== own || read.shared !== shared) read = { own, shared, session: kept(own, shared) }
  return read.session
}

/** Identifies a sign-in; null when signed out. Refreshed tokens do not change it. */
export function personNow(): string | null {
  const session = sessionNow()
  switch (session?.kind) {
    case 'agent':
      return `agent ${session.id}`
    case 'api_key':
      return session.apiKey
    case 'operator':
    case 'entry':
      return session.token
    default:
      return null
  }
}

let person = personNow()

function changed(): void {
  const before = person
  person = personNow()
  if (person !== before) for (const listener of personListeners) listener()
  for (const listener of listeners) listener()
}

// Another tab signed in or out, or refreshed the tokens.
window.addEventListener('storage', ({ key }) => {
  if (key === agentKey || key === null) changed()
})

function keepAgent(id: string, tokens: AgentTokens): void {
  localStorage.setItem(agentKey, JSON.stringify({ ...tokens, id }))
}

export function signIn(
  session: { kind: 'agent'; tokens: AgentTokens } | Exclude<Session, { kind: 'agent' }>,
): void {
  if (session.kind === 'agent') {
    sessionStorage.removeItem(tabKey)
    keepAgent(randomHex(), session.tokens)
  } else sessionStorage.setItem(tabKey, JSON.stringify(session))
  changed()
}

/** Replaces the session's tokens, unless the session is over by now. */
export function keepTokens(id: string, tokens: AgentTokens): void {
  const session = sessionNow()
  if (session?.kind !== 'agent' || session.id !== id) return
  keepAgent(id, tokens)
  changed()
}

/** Ends the session locally; an agent's in all tabs. */
export function forgetSession(): void {
  if (sessionNow()?.kind === 'agent') localStorage.removeItem(agentKey)
  sessionStorage.removeItem(tabKey)
  changed()
}

/** Also notifies of refreshed tokens. @returns the unsubscribe function */
export function onSessionChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/**
 * Notifies when a user signs in or out, here or in another tab: data of the previous user must be dropped.
 * @returns the unsubscribe function
 */
export function onPersonChange(listener: () => void): () => void {
  personListeners.add(listener)
  return () => personListeners.delete(listener)
}

/** The session; components re-render when it changes. */
export function useSession(): Session | null {
  return useSyncExternalStore(onSessionChange, sessionNow)
}

/** As {@link personNow}. */
export function usePerson(): string | null {
  return useSyncExternalStore(onSessionChange, personNow)
}

/** Identifies this browser to the API: `device_id` of `/auth/login`. */
export function deviceId(): string {
  const known = localStorage.getItem(deviceKey)
  if (known) return known
  const made = `browser-${randomHex()}`
  localStorage.setItem(deviceKey, made)
  return made
}
