/**
 * Endpoints for the posts of HTTP carriers, on the operator's host. The carriers define the format; it is no part of our
 * API.
 */
import Router from '@koa/router'
import type Koa from 'koa'
import { tokenParameter } from '../../../adapters/sms/kinds/http/posts.js'
import { siteOf } from '../../../infrastructure/http/access.js'
import { sourceOf } from '../../../infrastructure/http/client-address.js'
import { ApiError, UnavailableError, notFound } from '../../../infrastructure/http/errors.js'
import { apiPrefix } from '../../../infrastructure/http/public-urls.js'
import { RateLimits } from '../../../infrastructure/http/rate-limits.js'
import { readRawBody } from '../../../infrastructure/http/raw-body.js'
import type { CarrierPosts, Post } from './carrier-posts.js'

const maxBytes = 1_000_000

/** Bodies that are read at once: of one source, and of all. */
const maxOfSource = 20
const maxBodies = 200

interface Options {
  posts: CarrierPosts
  baseDomain: string
  /** Refused posts of one source in a minute, limited like wrong credentials elsewhere. */
  maxRefused: number
}

export function carrierPostPages({ posts, baseDomain, maxRefused }: Options): Router {
  const router = new Router()
  const refusals = new RateLimits({ refused: maxRefused })
  const bodies = new BodiesAtOnce()
  const taking = (at: Post['at']) => async (ctx: Koa.Context & { params: Record<string, string> }) => {
    if (siteOf(ctx.host, baseDomain).kind !== 'operator') throw notFound('No such carrier')
    const id = ctx.params['id'] ?? ''
    const source = sourceOf(ctx.ip)
    /** Whose refusals these are: a carrier that posts to another's old address must not lose what is right. */
    let identity = source
    try {
      const found = await posts.find(id)
      identity = `${source} ${id}`
      refusals.check('refused', identity)
      const carrier = found.admit({
        authorization: ctx.get('authorization'),
        signature: ctx.get('jackfield-signature'),
        twilio: ctx.get('x-twilio-signature'),
        telnyx: { signature: ctx.get('telnyx-signature-ed25519'), timestamp: ctx.get('telnyx-timestamp') },
        ...{ host: ctx.host, path: ctx.originalUrl },
        token: new URLSearchParams(ctx.querystring).get(tokenParameter) ?? '',
      })
      const body = await bodies.read(source, async () => readRawBody(ctx, maxBytes))
      const contentType = ctx.get('content-type')
      carrier.check(contentType, body)
      await posts.take(carrier, { at, contentType, query: ctx.querystring, body })
    } catch (error) {
      if (error instanceof ApiError && (error.status === 401 || error.status === 404))
        refusals.count('refused', identity)
      throw error
    }
    ctx.status = 204
  }
  for (const at of ['inbound', 'receipts'] as const) {
    // Carriers that call back by GET have all in the query.
    router.get(`${apiPrefix}/carriers/:id/${at}`, taking(at))
    router.post(`${apiPrefix}/carriers/:id/${at}`, taking(at))
  }
  return router
}

/** A signed post can only be checked after it was read, so the bodies that are read at once are limited by source. */
class BodiesAtOnce {
  private readonly ofSource = new Map<string, number>()
  private all = 0

  /** @throws 503 where too many are being read */
  async read<T>(source: string, read: () => Promise<T>): Promise<T> {
    const before = this.ofSource.get(source) ?? 0
    if (this.all >= maxBodies || before >= maxOfSource)
      throw new UnavailableError('Too many posts at once', 1)
    this.ofSource.set(source, before + 1)
    this.all += 1
    try {
      return await read()
    } finally {
      this.all -= 1
      const left = (this.ofSource.get(source) ?? 1) - 1
      if (left > 0) this.ofSource.set(source, left)
      else this.ofSource.delete(source)
    }
  }
}
