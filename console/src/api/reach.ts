/** Requests to the server, and what they tell of the connection to it. */
import { serverAnswered, serverIsLost, serverIsSlow } from './connection'

/** Nothing answered, or a proxy in place of the server. */
export class Unreached extends Error {
  override readonly name = 'Unreached'
}

/** What proxies say that have no server behind them. */
const ofProxies = new Set([502, 503, 504])

/** @throws {Unreached}, and what ends the request by its signal */
export async function reach(request: Request): Promise<Response> {
  const response = await sent(request)
  if (await isOfServer(response)) {
    serverAnswered()
    return response
  }
  serverIsLost()
  throw new Unreached(`a proxy answered ${response.status}`)
}

async function sent(request: Request): Promise<Response> {
  try {
    return await fetch(request)
  } catch (error) {
    if (isTimeout(error)) void serverIsSlow()
    if (request.signal.aborted) throw error
    serverIsLost()
    throw new Unreached('no answer', { cause: error })
  }
}

/** The API says so itself in JSON, as when its storage cannot be reached. */
async function isOfServer(response: Response): Promise<boolean> {
  if (!ofProxies.has(response.status)) return true
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null)
  return typeof body === 'object' && body !== null && 'statusCode' in body
}

/** Whether a deadline has ended a request. */
export function isTimeout(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'TimeoutError'
}
