/**
 * Pages of other sites (WHATWG Fetch, section 3.2, CORS). What is called with a person's own token, or to get one, may be
 * called by an app wherever its pages come from: the token is sent by the page itself and never by the browser of its
 * own accord. What is called with an API key may not: a key in a page would be everybody's.
 */
import type Koa from 'koa'
import type { Endpoint } from './endpoint.js'
import type { RouteTable } from './route-table.js'

/** What pages send beyond what every page may, and what they are let see of an answer. */
const sent = 'Authorization, Content-Type, Idempotency-Key, Last-Event-ID'
const seen = 'X-Request-Id, X-RateLimit-Limit, X-RateLimit-Remaining, Retry-After'

/** How long a browser may remember what it was answered, in seconds: as long as browsers do at most. */
const rememberedFor = 7_200

export function isForPages({ auth }: Endpoint): boolean {
  return auth.scheme === 'bearer' || auth.scheme === 'visitor'
}

/** Lets pages read the answer, whatever it is. */
export const allowPages: Koa.Middleware = async (ctx, next) => {
  ctx.set('Access-Control-Allow-Origin', '*')
  ctx.set('Access-Control-Expose-Headers', seen)
  await next()
}

/** Answers what browsers ask before they send a page's request. */
const answerPreflight: Koa.Middleware = (ctx) => {
  ctx.set('Access-Control-Allow-Origin', '*')
  // What a page may not call on such a path it may send all the same: it cannot read the answer.
  ctx.set('Access-Control-Allow-Methods', 'GET, POST, PUT, PATCH, DELETE')
  ctx.set('Access-Control-Allow-Headers', sent)
  ctx.set('Access-Control-Max-Age', String(rememberedFor))
  ctx.status = 204
}

/** Has the paths of endpoints that are for pages answer to OPTIONS. */
export function addPreflights(table: RouteTable, endpoints: readonly Endpoint[]): void {
  const paths = new Set(endpoints.filter(isForPages).map(({ path }) => path))
  for (const path of paths) table.add('OPTIONS', path, [answerPreflight])
}
