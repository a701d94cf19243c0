/** Serves avatars without authentication, as an <img> sends no API key: their addresses cannot be guessed. */
import Router from '@koa/router'
import { notFound } from '../../infrastructure/http/errors.js'
import { apiPrefix } from '../../infrastructure/http/public-urls.js'
import { type Avatars, avatarPath } from './avatars.js'

/** A new picture has a new name, so that what is under a name never changes. */
const forever = 'public, max-age=31536000, immutable'

export function avatarPages(avatars: Avatars): Router {
  const router = new Router()
  router.get(`${apiPrefix}${avatarPath}/:name`, async (ctx) => {
    const avatar = await avatars.open(ctx.params['name'] ?? '')
    if (!avatar) throw notFound('No such picture')
    ctx.set({
      'Cache-Control': forever,
      'X-Content-Type-Options': 'nosniff',
      // Opened by itself it is a picture and nothing else; embedded it may be anywhere.
      'Content-Security-Policy': "default-src 'none'; sandbox",
      'Cross-Origin-Resource-Policy': 'cross-origin',
    })
    ctx.type = avatar.type
    ctx.length = avatar.size
    ctx.body = avatar.stream
  })
  return router
}
