import { deviceId, forgetSession, sessionNow } from './session'

const tellMs = 5_000

/** Forgets the session at once, and tells the API to end it, which may not be there. */
export function signOut(): void {
  const session = sessionNow()
  forgetSession()
  if (session?.kind !== 'agent') return
  const told = fetch('/api/v1/me/logout', {
    method: 'POST',
    headers: {
      authorization: `Bearer ${session.tokens.access_token}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ device_id: deviceId() }),
    // Also when the tab is closed now.
    keepalive: true,
    signal: AbortSignal.timeout(tellMs),
  })
  told.catch(() => undefined)
}
