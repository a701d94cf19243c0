/** Headers of every answer, in one place. What answers may set its own. */
import type Koa from 'koa'
import type { TLSSocket } from 'node:tls'
import type { Network } from '../../lib/networks.js'
import { isAmong } from './client-address.js'
import { apiPrefix } from './public-urls.js'

/** Seconds for which a browser that came over TLS asks for nothing in clear (RFC 6797): a year. */
const strictTransport = 'max-age=31536000'

/** @param trustedProxies reverse proxies whose word on TLS is taken */
export function answerHeaders(trustedProxies: readonly Network[]): Koa.Middleware {
  return async (ctx, next) => {
    ctx.set('X-Content-Type-Options', 'nosniff')
    // Not `no-referrer`: with it browsers send `Origin: null` on a form post.
    ctx.set('Referrer-Policy', 'same-origin')
    if (cameOverTls(ctx, trustedProxies)) ctx.set('Strict-Transport-Security', strictTransport)
    if (ctx.path.startsWith(`${apiPrefix}/`)) ctx.set('Cache-Control', 'no-store')
    await next()
  }
}

function cameOverTls(ctx: Koa.Context, trustedProxies: readonly Network[]): boolean {
  if ((ctx.socket as Partial<TLSSocket>).encrypted) return true
  const isProxied = isAmong(ctx.socket.remoteAddress ?? '', trustedProxies)
  return isProxied && /^https$/i.test(ctx.get('x-forwarded-proto').split(',')[0]?.trim() ?? '')
}
