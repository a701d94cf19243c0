/** The SDK's client of this page's host, with the credentials of whoever is signed in. */
import { createClient } from '@jackfield/sdk'
import { SessionEnded, accessToken } from '../session/access-token'
import { forgetSession, sessionNow } from '../session/session'
import { serverAnswered, serverIsLost } from './connection'

/** Wait once for a full minute's window rather than show an error. */
const retries = 1

export const api = createClient({ url: location.origin, retries, fetch: send })

/** These are asked without credentials. */
const isOpen = (request: Request) => new URL(request.url).pathname.startsWith('/api/v1/auth/')

async function send(request: Request): Promise<Response> {
  const session = sessionNow()
  if (!session || isOpen(request)) return reach(request)
  if (session.kind === 'api_key') return ownSession(await reach(signed(request, `ApiKey ${session.apiKey}`)))
  if (session.kind === 'operator')
    return ownSession(await reach(signed(request, `Operator ${session.token}`)))
  const token = await accessToken()
  const response = await reach(signed(request.clone(), `Bearer ${token}`))
  if (response.status !== 401) return response
  const next = await accessToken(token)
  const again = await reach(signed(request, `Bearer ${next}`))
  return again
}

function signed(request: Request, authorization: string): Request {
  request.headers.set('authorization', authorization)
  return request
}

/** A key that is not taken any more was revoked: there is nothing to refresh. */
function ownSession(response: Response): Response {
  if (response.status === 401) forgetSession()
  return response
}

async function reach(request: Request): Promise<Response> {
  try {
    const response = await fetch(request)
    serverAnswered()
    return response
  } catch (error) {
    if (!request.signal.aborted || (error as Error).name === 'TimeoutError') serverIsLost()
    throw error
  }
}

/** For what the client cannot send, such as the address of a picture or recording that is fetched as a blob. */
export async function authorizedFetch(path: string, init: RequestInit = {}): Promise<Response> {
  return send(new Request(path, init))
}

export { SessionEnded }
