/**
 * `fetch` for a command line: with hosts below `localhost` reached at the
 * appliance's own address. Browsers resolve these by themselves (RFC 6761, 6.3); Node does not.
 */
import { type IncomingMessage, request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'

/** Response timeout in milliseconds. */
export const deadlineMs = 30_000

/** Makes a fetch that connects names below `localhost` to `address`. */
export function fetchFrom(address: string): (request: Request) => Promise<Response> {
  const near = new URL(address).hostname.replace(/^\[|\]$/g, '')
  return async (request) => {
    const url = new URL(request.url)
    const body = Buffer.from(await request.arrayBuffer())
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const send = url.protocol === 'https:' ? httpsRequest : httpRequest
      const sent = send({
        host: url.hostname.endsWith('.localhost') ? near : url.hostname,
        port: url.port,
        path: url.pathname + url.search,
        method: request.method,
        headers: { ...Object.fromEntries(request.headers), host: url.host, 'content-length': body.length },
        signal: request.signal,
      })
      sent.on('response', resolve)
      sent.on('error', (error) => reject(new Error(`${url.origin} is not reached: ${reasonOf(error)}`)))
      sent.end(body)
    })
    const chunks: Uint8Array[] = []
    for await (const chunk of answer) chunks.push(chunk as Uint8Array)
    const headers = Object.entries(answer.headers).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, [value].flat().join(', ')]],
    )
    return new Response(Buffer.concat(chunks), { status: answer.statusCode ?? 500, headers })
  }
}

function reasonOf(error: NodeJS.ErrnoException): string {
  const late = error.name === 'AbortError' || error.name === 'TimeoutError'
  return late ? `no answer within ${String(deadlineMs / 1_000)} s` : error.message
}
