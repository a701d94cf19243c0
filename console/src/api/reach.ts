/** Sends requests and derives from them whether the server is reachable. */
import { serverAnswered, serverIsLost, serverIsSlow } from './connection'

/** No response, or a proxy answered in place of the server. */
export class Unreached extends Error {
  override readonly name = 'Unreached'
}

/** Statuses with which a proxy reports that its server is down. */
const ofProxies = new Set([502, 503, 504])

/** @throws {Unreached}, and the signal's reason on abort */
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

/** A 503 of the API itself is JSON, for example when its storage is unreachable. */
async function isOfServer(response: Response): Promise<boolean> {
  if (!ofProxies.has(response.status)) return true
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null)
  return typeof body === 'object' && body !== null && 'statusCode' in body
}

/** Whether the request ended by a timeout. */
export function isTimeout(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'TimeoutError'
}
