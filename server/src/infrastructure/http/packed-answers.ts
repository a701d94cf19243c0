/**
 * Answers packed for clients that ask for it (RFC 9110, 12.5.3), where it pays. What is packed cannot be guessed by its length
 * (BREACH): for that a stranger's page would have to send requests with somebody's credentials, and these come in a header
 * that no browser adds by itself.
 */
import { promisify } from 'node:util'
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib'
import type Koa from 'koa'
import { apiPrefix } from './public-urls.js'
import { answerShared } from './shared-bytes.js'

const codings = ['br', 'gzip'] as const

type Coding = (typeof codings)[number]

/** What TCP sends before it has heard of the client (RFC 6928): to pack less costs CPU and brings nothing sooner. */
const leastBytes = 14_600

/** A hundred rows, 60 kB, take 0.1 ms so, a third of what a thread of the pool would; more than this would delay others. */
const mostBytes = 1_000_000
const quick = 1
/** For what is packed once, in a thread of the pool. */
const good = 9

const quality = (level: number) => ({ params: { [constants.BROTLI_PARAM_QUALITY]: level } })

/** The best that the client takes; undefined where it asks for none, as programs do. */
export function codingFor(ctx: Koa.Context): Coding | undefined {
  if (ctx.get('accept-encoding') === '') return undefined
  return codings.find((coding) => ctx.acceptsEncodings(coding, 'identity') === coding)
}

/** Packs the JSON of answers to GET: not streams, files, failures and short answers. */
export const packAnswers: Koa.Middleware = async (ctx, next) => {
  await next()
  if (ctx.method !== 'GET' || ctx.status !== 200 || !isJson(ctx.body)) return
  if (!ctx.path.startsWith(`${apiPrefix}/`)) return
  const coding = codingFor(ctx)
  if (!coding) return
  // Koa would write it as JSON once more.
  const bytes = Buffer.from(JSON.stringify(ctx.body))
  ctx.vary('Accept-Encoding')
  if (bytes.length < leastBytes || bytes.length > mostBytes) {
    ctx.body = bytes
    ctx.type = 'json'
    return
  }
  ctx.body = coding === 'br' ? brotliCompressSync(bytes, quality(quick)) : gzipSync(bytes, { level: quick })
  ctx.type = 'json'
  ctx.set('Content-Encoding', coding)
}

function isJson(body: unknown): body is object {
  if (Array.isArray(body)) return true
  return typeof body === 'object' && body !== null && Object.getPrototypeOf(body) === Object.prototype
}

const packedCopies = new WeakMap<Buffer, Partial<Record<Coding, Promise<Buffer>>>>()

/** Answers with bytes that many ask for: they are packed once. */
export async function answerPacked(ctx: Koa.Context, type: string, bytes: Buffer): Promise<void> {
  const coding = codingFor(ctx)
  ctx.vary('Accept-Encoding')
  if (!coding) {
    answerShared(ctx, type, bytes)
    return
  }
  const copies = packedCopies.get(bytes) ?? {}
  packedCopies.set(bytes, copies)
  const packed = await (copies[coding] ??= pack(bytes, coding))
  ctx.set('Content-Encoding', coding)
  answerShared(ctx, type, packed)
}

async function pack(bytes: Buffer, coding: Coding): Promise<Buffer> {
  return coding === 'br'
    ? promisify(brotliCompress)(bytes, quality(good))
    : promisify(gzip)(bytes, { level: good })
}
