import { refreshRequest } from './access-token'
import { endEntry } from './leave-entry'
import { type AgentSession, type AgentTokens, deviceId, forgetSession, sessionNow } from './session'

/** Timeout of the background request. */
const requestMs = 15_000

/** Ends the session locally at once, and at the API in the background, which may be unreachable. */
export function signOut(): void {
  const session = sessionNow()
  forgetSession()
  if (session?.kind === 'agent') end(session).catch(() => undefined)
  if (session?.kind === 'entry') endEntry(session.token).catch(() => undefined)
}

/** Also if the access token has expired, by this machine's clock or by the server's: the session would live for weeks. */
async function end(session: AgentSession): Promise<void> {
  const signal = AbortSignal.timeout(requestMs)
  const { tokens } = session
  if (tokens.expires_at > Date.now() && (await logOut(tokens, signal)).status !== 401) return
  const answer = await fetch(refreshRequest(session, { signal, keepalive: true }))
  if (answer.ok) await logOut((await answer.json()) as AgentTokens, signal)
}

async function logOut({ access_token }: AgentTokens, signal: AbortSignal): Promise<Response> {
  return fetch('/api/v1/me/logout', {
    method: 'POST',
    headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ device_id: deviceId() }),
    // The request survives closing the tab.
    keepalive: true,
    signal,
  })
}
