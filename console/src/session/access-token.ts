/** An agent's access token: refreshed before it ends, by one tab at a time, because a refresh token is for one use. */
import { type AgentTokens, deviceId, forgetSession, sessionNow, signIn } from './session'

/** A token that ends so soon is not used any more. */
const reserveMs = 60_000

const refreshTimeoutMs = 15_000

/** The tokens were refused: the agent has to sign in again. */
export class SessionEnded extends Error {
  override readonly name = 'SessionEnded'
}

/**
 * @param refused a token that the API did not take: it is not answered again
 * @throws {SessionEnded} when the session is over
 * @throws {TypeError} when the server cannot be reached
 */
export async function accessToken(refused?: string): Promise<string> {
  const known = fresh(refused)
  return known ?? alone(async () => fresh(refused) ?? refresh())
}

function fresh(refused?: string): string | null {
  const session = sessionNow()
  if (session?.kind !== 'agent') throw new SessionEnded('nobody is signed in')
  const { access_token, expires_at } = session.tokens
  return access_token !== refused && expires_at - Date.now() > reserveMs ? access_token : null
}

let refreshing: Promise<string> | undefined

/** One refresh at a time, in all tabs where the browser has locks: on pages that came by https. */
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
  const session = sessionNow()
  if (session?.kind !== 'agent') throw new SessionEnded('nobody is signed in')
  const response = await fetch('/api/v1/auth/refresh', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ refresh_token: session.tokens.refresh_token, device_id: deviceId() }),
    signal: AbortSignal.timeout(refreshTimeoutMs),
  })
  if (response.status === 400 || response.status === 401 || response.status === 403) {
    forgetSession()
    throw new SessionEnded('the session is over')
  }
  if (!response.ok) throw new TypeError(`refresh answered ${response.status}`)
  const tokens = (await response.json()) as AgentTokens
  signIn({ kind: 'agent', tokens })
  return tokens.access_token
}
