/**
 * Who uses the console. An agent's tokens are kept for all tabs, so that one sign-in is enough; a key or the operator's
 * token is kept for one tab only, and is gone with it.
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
  /** Of the sign-in, and known to this browser alone. */
  readonly id: string
  readonly tokens: AgentTokens
}

export type Session =
  | AgentSession
  | { readonly kind: 'api_key'; readonly apiKey: string }
  | { readonly kind: 'operator'; readonly token: string }

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

/** The session of this moment, as all tabs have it. */
export function sessionNow(): Session | null {
  const own = sessionStorage.getItem(tabKey)
  const shared = localStorage.getItem(agentKey)
  if (!read || read.own !== own || read.shared !== shared) read = { own, shared, session: kept(own, shared) }
  return read.session
}

/** Tells one sign-in from another; null when nobody is signed in. New tokens of a session change nothing. */
export function personNow(): string | null {
  const session = sessionNow()
  switch (session?.kind) {
    case 'agent':
      return `agent ${session.id}`
    case 'api_key':
      return session.apiKey
    case 'operator':
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

// Another tab signed in or out, or has fresh tokens.
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

/** Keeps what a session has got in place of its tokens, unless it is over by now. */
export function keepTokens(id: string, tokens: AgentTokens): void {
  const session = sessionNow()
  if (session?.kind !== 'agent' || session.id !== id) return
  keepAgent(id, tokens)
  changed()
}

/** Forgets the session, an agent's in all tabs. */
export function forgetSession(): void {
  if (sessionNow()?.kind === 'agent') localStorage.removeItem(agentKey)
  sessionStorage.removeItem(tabKey)
  changed()
}

/** Tells of new tokens, too. @returns what ends it */
export function onSessionChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/**
 * Tells when somebody signs in or out, here or in another tab: nothing of the one before is for the next.
 * @returns what ends it
 */
export function onPersonChange(listener: () => void): () => void {
  personListeners.add(listener)
  return () => personListeners.delete(listener)
}

/** The session; the component is drawn anew when it changes. */
export function useSession(): Session | null {
  return useSyncExternalStore(onSessionChange, sessionNow)
}

/** As {@link personNow}. */
export function usePerson(): string | null {
  return useSyncExternalStore(onSessionChange, personNow)
}

/** Names this browser to the API: `device_id` of `/auth/login`. */
export function deviceId(): string {
  const known = localStorage.getItem(deviceKey)
  if (known) return known
  const made = `browser-${randomHex()}`
  localStorage.setItem(deviceKey, made)
  return made
}
