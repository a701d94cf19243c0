/** Routes beside the API: health, the OpenAPI document and the page to read it. */
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import Router from '@koa/router'
import type Koa from 'koa'
import { AssetFiles } from './asset-files.js'
import { notFound } from './errors.js'
import { answerPacked } from './packed-answers.js'

/** State of one part. */
export type PartState = 'up' | 'down'

/** What `GET /health` answers: 200 where it serves, else 503. */
export interface Health {
  /** `draining`: no call may begin, or the server is about to stop. `degraded`: a part is down; see `serves`. */
  status: 'ok' | 'degraded' | 'draining'
  /** Whether requests are to be sent here: also in a drain, as calls live that need them, and without Redis. */
  serves: boolean
  parts: Record<string, PartState>
}

interface PageOptions {
  /** The OpenAPI document: asked for once, when somebody wants it. */
  document: () => object
  health: () => Promise<Health>
}

const assets = new AssetFiles(dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json')))
const assetTypes: Record<string, string> = {
  'swagger-ui.css': 'text/css',
  'swagger-ui-bundle.js': 'text/javascript',
}

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width" />
    <title>Jackfield API</title>
    <link rel="stylesheet" href="docs/swagger-ui.css" />
  </head>
  <body>
    <div id="api"></div>
    <script src="docs/swagger-ui-bundle.js"></script>
    <script src="docs/start.js"></script>
  </body>
</html>
`

const start = `window.addEventListener('load', () => {
  SwaggerUIBundle({ url: 'openapi.json', dom_id: '#api', deepLinking: true, docExpansion: 'none', filter: true })
})
`

/** Builds the routes. */
export function pages({ document, health }: PageOptions): Router {
  const router = new Router()
  let serialized: Buffer | undefined
  router.get('/health/live', (ctx) => {
    ctx.body = { status: 'ok' }
  })
  router.get('/health', async (ctx) => {
    const found = await health()
    ctx.status = found.serves ? 200 : 503
    ctx.body = found
  })
  router.get('/api/v1/openapi.json', async (ctx) => {
    serialized ??= Buffer.from(JSON.stringify(document()))
    await answerPacked(ctx, 'application/json', serialized)
  })
  router.get('/api/v1/docs', (ctx) => {
    protect(ctx)
    ctx.type = 'text/html'
    ctx.body = page
  })
  router.get('/api/v1/docs/start.js', (ctx) => {
    ctx.type = 'text/javascript'
    ctx.body = start
  })
  router.get('/api/v1/docs/:asset', async (ctx) => {
    const name = ctx.params['asset'] ?? ''
    const type = assetTypes[name]
    const asset = type === undefined ? null : await assets.find(`/${name}`)
    if (type === undefined || !asset) throw notFound('No such page')
    // It is public, and large.
    ctx.set('Cache-Control', 'no-cache')
    await answerPacked(ctx, type, asset.bytes)
  })
  return router
}

function protect(ctx: Koa.Context): void {
  ctx.set(
    'Content-Security-Policy',
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'",
  )
  ctx.set('X-Content-Type-Options', 'nosniff')
}
