/** The SDK's client for this page's host, with the credentials of the signed-in user. */
import { ApiError, createClient } from '@jackfield/sdk'
import { accessToken } from '../session/access-token'
import { type Session, forgetSession, sessionNow } from '../session/session'
import { loadErrorWords } from './problems/load'
import { reach } from './reach'
import { announceWait } from './waits'

/** Waits once for the rate limit's window (a minute) before an error is shown. */
const retries = 1

const onRetry = (seconds: number) => announceWait('limited', seconds * 1_000)

export const api = createClient({ url: location.origin, retries, onRetry, fetch: send })

/** For large responses: the reader has its own stall timeout. */
export const downloads = createClient({
  ...{ url: location.origin, retries, onRetry, fetch: send },
  timeoutMs: 3_600_000,
})

/** Requests without credentials. */
const isOpen = (request: Request) => new URL(request.url).pathname.startsWith('/api/v1/auth/')

async function send(request: Request): Promise<Response> {
  const response = await answered(request)
  if (response.status >= 400) await loadErrorWords()
  return response
}

async function answered(request: Request): Promise<Response> {
  const session = sessionNow()
  if (!session || isOpen(request)) return reach(request)
  return session.kind === 'agent' ? asAgent(request) : byKey(request, session)
}

async function asAgent(request: Request): Promise<Response> {
  try {
    const token = await accessToken()
    const response = await reach(signed(request.clone(), `Bearer ${token}`))
    if (response.status !== 401) return response
    return await reach(signed(request, `Bearer ${await accessToken(token)}`))
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return refusalOf(error)
  }
}

/** If no token is available, the request fails the same way; a requested wait is honoured. */
function refusalOf({ status, body, retryAfter }: ApiError): Response {
  const headers = { ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }) }
  return Response.json(body ?? null, { status, headers })
}

async function byKey(request: Request, session: Exclude<Session, { kind: 'agent' }>): Promise<Response> {
  const authorization = session.kind === 'api_key' ? `ApiKey ${session.apiKey}` : `Operator ${session.token}`
  const response = await reach(signed(request, authorization))
  // A rejected key has been revoked; keys cannot be refreshed.
  if (response.status === 401) forgetSession()
  return response
}

function signed(request: Request, authorization: string): Request {
  request.headers.set('authorization', authorization)
  return request
}
