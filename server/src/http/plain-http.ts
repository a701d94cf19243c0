/** Where there is HTTPS, plain HTTP answers the machine itself and who checks names for certificates; others are led on. */
import { readFile } from 'node:fs/promises'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { type Network, parseNetwork } from '../http-client/address-policy.js'
import { isAmong } from './client-address.js'

interface Options {
  readonly tlsPort: number
  /** Reverse proxies, which speak HTTP to us and HTTPS to clients. */
  readonly trustedProxies: readonly Network[]
}

const loopback = ['127.0.0.0/8', '::1/128'].map(parseNetwork).filter((network) => network !== undefined)

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

/** Sends all to HTTPS but programs on this machine, trusted proxies and those who ask how we are. */
export function withRedirect(
  { tlsPort, trustedProxies }: Options,
  listener: RequestListener,
): RequestListener {
  if (tlsPort === 0) return listener
  return (request, response) => {
    if (mayBePlain(request, trustedProxies)) {
      listener(request, response)
      return
    }
    redirect(request, response, tlsPort)
  }
}

function mayBePlain(request: IncomingMessage, trustedProxies: readonly Network[]): boolean {
  if (/^\/health(\/live)?$/.test(request.url ?? '')) return true
  return isAmong(request.socket.remoteAddress ?? '', [...loopback, ...trustedProxies])
}

function redirect(request: IncomingMessage, response: ServerResponse, tlsPort: number): void {
  const host = /^[\w.-]+|^\[[0-9a-f:.]+\]/i.exec(request.headers.host ?? '')?.[0]
  if (host === undefined || !request.url?.startsWith('/')) {
    response.writeHead(400).end()
    return
  }
  const port = tlsPort === 443 ? '' : `:${String(tlsPort)}`
  response.writeHead(308, { location: `https://${host}${port}${request.url}` }).end()
}
