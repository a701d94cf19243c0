/** Serves the files of messages at addresses that contain a token: to agents' browsers, and carriers that fetch them. */
import Router from '@koa/router'
import { siteOf } from '../../../infrastructure/http/access.js'
import { answerFile } from '../../../infrastructure/http/answer-file.js'
import { notFound } from '../../../infrastructure/http/errors.js'
import { apiPrefix } from '../../../infrastructure/http/public-urls.js'
import type { MediaStore } from './media-store.js'
import { mediaPath } from './media-url.js'

const headers = {
  // Immutable, as an address always has the same file; private, as only those who have the address may read it.
  'Cache-Control': 'private, max-age=31536000, immutable',
  'X-Content-Type-Options': 'nosniff',
  // Opened by itself it is a picture or audio and nothing else; embedded it may be anywhere.
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Referrer-Policy': 'no-referrer',
}

export function mediaPages(media: MediaStore, baseDomain: string): Router {
  const router = new Router()
  router.get(`${apiPrefix}${mediaPath}/:id/:token`, async (ctx) => {
    const { id = '', token = '' } = ctx.params
    const site = siteOf(ctx.host, baseDomain)
    const file = site.kind === 'workspace' ? await media.find(site.id, id, token) : null
    if (!file) throw notFound('No such file')
    ctx.set(headers)
    await answerFile(ctx, file)
  })
  return router
}
