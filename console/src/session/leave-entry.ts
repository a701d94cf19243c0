/** The operator leaves a workspace, and is back in the platform's console. */
import { forgetSession, sessionNow } from './session'
import { site } from './site'

const requestMs = 5_000

export async function leaveEntry(): Promise<void> {
  const session = sessionNow()
  if (session?.kind !== 'entry' || site.kind !== 'workspace') return
  // The entry ends by itself: one that cannot be ended now must not keep the operator here.
  await endEntry(session.token).catch(() => undefined)
  forgetSession()
  const host = location.host.replace(/^[^.]+\./, 'admin.')
  location.assign(`${location.protocol}//${host}/workspaces/${site.id}`)
}

export async function endEntry(token: string): Promise<void> {
  await fetch('/api/v1/auth/leave', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
    keepalive: true,
    signal: AbortSignal.timeout(requestMs),
  })
}
