/** Where there is HTTPS, plain HTTP answers the machine itself and who checks names for certificates; others are led on. */
import { readFile } from 'node:fs/promises'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { type Network, loopback } from '../../lib/networks.js'
import { siteOf } from './access.js'
import { isAmong } from './client-address.js'

interface Options {
  readonly tlsPort: number
  /** Reverse proxies, which speak HTTP to us and HTTPS to clients. */
  readonly trustedProxies: readonly Network[]
  readonly baseDomain: string
}

/** RFC 8555, section 8.3: what an authority asks for to see that a name leads here. */
const challengePath = /^\/\.well-known\/acme-challenge\/([\w-]{1,200})$/

/**
 * Answers challenges from the files of a directory, by their names.
 * @param directory has `.well-known/acme-challenge` in it; '' answers none
 */
export function withChallenges(directory: string, listener: RequestListener): RequestListener {
  if (!directory) return listener
  return (request, response) => {
    const token = challengePath.exec(request.url ?? '')?.[1]
    if (token === undefined) {
      listener(request, response)
      return
    }
    void readFile(join(directory, '.well-known/acme-challenge', token)).then(
      (content) => response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(content),
      () => response.writeHead(404).end(),
    )
  }
}

/** Redirects all to HTTPS but programs on this machine, trusted proxies and health checks. */
export function withRedirect(options: Options, listener: RequestListener): RequestListener {
  if (options.tlsPort === 0) return listener
  return (request, response) => {
    if (mayBePlain(request, options)) {
      listener(request, response)
      return
    }
    redirect(request, response, options)
  }
}

/** Whether a request, or one for a WebSocket, may come without TLS. */
export function mayBePlain(
  request: IncomingMessage,
  { tlsPort, trustedProxies }: Pick<Options, 'tlsPort' | 'trustedProxies'>,
): boolean {
  if (tlsPort === 0 || /^\/health(\/live)?$/.test(request.url ?? '')) return true
  return isAmong(request.socket.remoteAddress ?? '', [...loopback, ...trustedProxies])
}

/**
 * Redirects to our own hosts only, and caches must not store the redirect. A request with credentials gets 403 instead: a
 * client that is redirected would keep sending them in clear.
 */
function redirect(
  request: IncomingMessage,
  response: ServerResponse,
  { tlsPort, baseDomain }: Options,
): void {
  const host = /^[\w.-]+/.exec(request.headers.host ?? '')?.[0] ?? ''
  if (siteOf(host, baseDomain).kind === 'none' || !request.url?.startsWith('/')) {
    response.writeHead(421, { 'cache-control': 'no-store' }).end()
    return
  }
  const port = tlsPort === 443 ? '' : `:${String(tlsPort)}`
  const location = `https://${host}${port}${request.url}`
  if (request.headers.authorization !== undefined) {
    const error = {
      statusCode: 403,
      error: 'Forbidden',
      message: `Credentials must not come in clear: use ${location}`,
    }
    response
      .writeHead(403, { 'content-type': 'application/json', 'cache-control': 'no-store' })
      .end(JSON.stringify(error))
    return
  }
  response.writeHead(308, { location, 'cache-control': 'no-store' }).end()
}
