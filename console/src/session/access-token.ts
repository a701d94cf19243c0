/** An agent's access token: refreshed before it expires, by one tab at a time, because a refresh token is for one use. */
import { ApiError } from '@jackfield/sdk'
import { reach } from '../api/reach'
import {
  type AgentSession,
  type AgentTokens,
  deviceId,
  forgetSession,
  keepTokens,
  sessionNow,
} from './session'

/** A token that expires within this time is not used any more. */
const reserveMs = 60_000

const refreshTimeoutMs = 15_000

/** The API refused the tokens: the agent has to sign in again. */
export class SessionEnded extends Error {
  override readonly name = 'SessionEnded'
}

/**
 * @param refused a token that the API rejected: it is not returned again
 * @throws {SessionEnded} if the session is over
 * @throws {Unreached} if the server cannot be reached
 * @throws {ApiError} if the API cannot refresh at the moment
 */
export async function accessToken(refused?: string): Promise<string> {
  const known = fresh(refused)
  // Another tab may have refreshed it already.
  return known ?? alone(async () => fresh(refused) ?? refresh())
}

function agentSession(): AgentSession {
  const session = sessionNow()
  if (session?.kind !== 'agent') throw new SessionEnded('no agent is signed in')
  return session
}

function fresh(refused?: string): string | null {
  const { access_token, expires_at } = agentSession().tokens
  return access_token !== refused && expires_at - Date.now() > reserveMs ? access_token : null
}

let refreshing: Promise<string> | undefined

/** One refresh at a time across all tabs, if the browser has Web Locks (pages over HTTPS). */
async function alone(work: () => Promise<string>): Promise<string> {
  refreshing ??= locked(work).finally(() => {
    refreshing = undefined
  })
  return refreshing
}

async function locked(work: () => Promise<string>): Promise<string> {
  const locks = navigator.locks as LockManager | undefined
  return locks ? locks.request('jackfield.refresh', async () => work()) : work()
}

async function refresh(): Promise<string> {
  const session = agentSession()
  const { id, tokens } = session
  const response = await reach(refreshRequest(session, { signal: AbortSignal.timeout(refreshTimeoutMs) }))
  if (response.ok) {
    const next = (await response.json()) as AgentTokens
    keepTokens(id, next)
    return next.access_token
  }
  if ([400, 401, 403].includes(response.status)) return refused(id, tokens)
  const answer: unknown = await response.json().catch(() => undefined)
  throw new ApiError(response.status, answer, response.headers.get('retry-after'))
}

/** Requests new tokens. @param more further options of the request */
export function refreshRequest({ id, tokens }: AgentSession, more: RequestInit): Request {
  return new Request('/api/v1/auth/refresh', {
    ...more,
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': keyOf(id, tokens) },
    body: JSON.stringify({ refresh_token: tokens.refresh_token, device_id: deviceId() }),
  })
}

/** The same key for each use of a refresh token, so that any tab can repeat a request whose response was lost. */
function keyOf(id: string, { refresh_token }: AgentTokens): string {
  return `${id}-${refresh_token.slice(-32)}`
}

/** Another tab may have signed in or refreshed meanwhile: keep its tokens. */
async function refused(id: string, { refresh_token }: AgentTokens): Promise<string> {
  const now = agentSession()
  if (now.id !== id || now.tokens.refresh_token !== refresh_token) return fresh() ?? refresh()
  forgetSession()
  throw new SessionEnded('the session is over')
}
