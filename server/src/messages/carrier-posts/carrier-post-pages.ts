/** Where carriers over HTTP post, on the operator's host. What they write is theirs to say, and no part of our API. */
import Router from '@koa/router'
import type Koa from 'koa'
import { siteOf } from '../../http/access.js'
import { notFound } from '../../http/errors.js'
import { apiPrefix } from '../../http/public-urls.js'
import { readRawBody } from '../../http/raw-body.js'
import type { CarrierPost, CarrierPosts } from './carrier-posts.js'

const maxBytes = 1_000_000

export function carrierPostPages(posts: CarrierPosts, baseDomain: string): Router {
  const router = new Router()
  const taking =
    (take: (carrierId: string, post: CarrierPost) => Promise<void>) =>
    async (ctx: Koa.Context & { params: Record<string, string> }) => {
      if (siteOf(ctx.host, baseDomain).kind !== 'operator') throw notFound('No such carrier')
      await take(ctx.params['id'] ?? '', {
        ...{ contentType: ctx.get('content-type'), authorization: ctx.get('authorization') },
        ...{ signature: ctx.get('jackfield-signature'), body: await readRawBody(ctx, maxBytes) },
      })
      ctx.status = 204
    }
  router.post(
    `${apiPrefix}/carriers/:id/inbound`,
    taking(async (...post) => posts.texts(...post)),
  )
  router.post(
    `${apiPrefix}/carriers/:id/receipts`,
    taking(async (...post) => posts.receipts(...post)),
  )
  return router
}
