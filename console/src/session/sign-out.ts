import { refreshRequest } from './access-token'
import { type AgentSession, type AgentTokens, deviceId, forgetSession, sessionNow } from './session'

/** Nobody waits for it. */
const tellMs = 15_000

/** Forgets the session at once, and tells the API to end it, which may not be there. */
export function signOut(): void {
  const session = sessionNow()
  forgetSession()
  if (session?.kind === 'agent') end(session).catch(() => undefined)
}

/** Also a session whose access token has ended, by this machine's clock or by the server's: it would go on for weeks. */
async function end(session: AgentSession): Promise<void> {
  const signal = AbortSignal.timeout(tellMs)
  const { tokens } = session
  if (tokens.expires_at > Date.now() && (await told(tokens, signal)).status !== 401) return
  const answer = await fetch(refreshRequest(session, { signal, keepalive: true }))
  if (answer.ok) await told((await answer.json()) as AgentTokens, signal)
}

async function told({ access_token }: AgentTokens, signal: AbortSignal): Promise<Response> {
  return fetch('/api/v1/me/logout', {
    method: 'POST',
    headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ device_id: deviceId() }),
    // Also when the tab is closed now.
    keepalive: true,
    signal,
  })
}
