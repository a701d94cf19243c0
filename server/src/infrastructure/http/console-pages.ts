/** The console: a single page and what it loads, from the directory that its build filled. */
import { existsSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type Koa from 'koa'
import { type Asset, AssetFiles } from './asset-files.js'
import { notFound } from './errors.js'
import { answerShared } from './shared-bytes.js'

/** Where `npm run build -w console` puts it. */
export const consoleDirectory = fileURLToPath(new URL('../../../../../console/dist/app/', import.meta.url))

/** Paths that are never the console's. */
const notConsole = /^\/(api|health|metrics)(\/|$)/

const forever = 'max-age=31536000,immutable'

/**
 * Everything comes from the console's own host; scripts set styles, sounds and pictures may be made in the page, and media
 * that customers send lies at their own addresses.
 * @param sockets origins of WebSockets; some browsers do not count the page's own host as `'self'` for them
 */
const policyOf = (sockets: readonly string[]) =>
  [
    "default-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob: https:",
    "media-src 'self' data: blob: https:",
    ["connect-src 'self'", ...sockets].join(' '),
    "worker-src 'self' blob:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')

/**
 * Answers GET requests of browsers that nothing else answers. The browser routes its pages: every address without a file
 * gets the same page.
 * @param socketOf where the API says that sockets are
 */
export function consolePages(
  socketOf: (host: string) => string | undefined,
  directory = consoleDirectory,
): Koa.Middleware {
  const isBuilt = existsSync(join(directory, 'index.html'))
  const files = new AssetFiles(directory)
  return async (ctx, next) => {
    const isAsked = (ctx.method === 'GET' || ctx.method === 'HEAD') && !notConsole.test(ctx.path)
    const isFile = /\.\w+$/.test(ctx.path)
    // Programs take everything; who names HTML is a browser that opens a page.
    if (!isAsked || !(isFile || ctx.get('accept').includes('text/html'))) {
      await next()
      return
    }
    if (!isBuilt) throw notFound('The console is not built here: npm run build -w console')
    const path = isFile ? ctx.path : '/index.html'
    const found = await smallest(ctx, files, path)
    if (!found) {
      await next()
      return
    }
    const { asset, coding } = found
    ctx.set({
      'Last-Modified': asset.changedAt.toUTCString(),
      'Cache-Control': path.startsWith('/assets/') ? forever : 'no-cache',
      Vary: 'Accept-Encoding',
      ...(coding && { 'Content-Encoding': coding }),
    })
    answerShared(ctx, extname(path), asset.bytes)
    const socket = socketOf(ctx.host)
    protect(ctx, [...new Set([...ownSockets(ctx.host), ...(socket === undefined ? [] : [socket])])])
  }
}

const codings = { br: '.br', gzip: '.gz' }

/** A file as small as the browser takes it and the build has made it; null when there is none. */
async function smallest(
  ctx: Koa.Context,
  files: AssetFiles,
  path: string,
): Promise<{ asset: Asset; coding: string | null } | null> {
  for (const coding of ['br', 'gzip'] as const) {
    if (ctx.acceptsEncodings(coding, 'identity') !== coding) continue
    const asset = await files.find(`${path}${codings[coding]}`)
    if (asset) return { asset, coding }
  }
  const asset = await files.find(path)
  return asset && { asset, coding: null }
}

/** The browser may know the host by http or https, as the proxy before us decides. */
function ownSockets(host: string): string[] {
  return /^[\w.:[\]-]+$/.test(host) ? [`ws://${host}`, `wss://${host}`] : []
}

function protect(ctx: Koa.Context, sockets: readonly string[]): void {
  ctx.set({
    'Content-Security-Policy': policyOf(sockets),
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(self), microphone=(self), speaker-selection=(self), geolocation=()',
    'Cross-Origin-Opener-Policy': 'same-origin',
  })
}
