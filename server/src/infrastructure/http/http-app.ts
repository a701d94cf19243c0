/** The Koa application: turns the list of endpoints into routes. */
import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type Router from '@koa/router'
import Koa from 'koa'
import { koaBody } from 'koa-body'
import type { Logger } from 'pino'
import Type from 'typebox'
import { type Change, type Origin, actingAs } from '../database/audit.js'
import type { AuditTrail } from '../database/audit-trail.js'
import { isTooLong } from '../database/turn-pool.js'
import { Access, type Caller, type Directory, siteOf } from './access.js'
import { addPreflights, allowPages, isForPages } from './cross-origin.js'
import type { Actor, Endpoint, EndpointContext, RateTier, UploadedFile } from './endpoint.js'
import { RawAnswer } from './endpoint.js'
import type { Network } from '../../lib/networks.js'
import { answerFile, stalledReaderMs } from './answer-file.js'
import { answerHeaders } from './answer-headers.js'
import { bodyLimit } from './body-limit.js'
import { consolePages } from './console-pages.js'
import { clientAddress, sourceOf } from './client-address.js'
import { ApiError, RateLimitError, UnavailableError, badRequest, invalidField, notFound } from './errors.js'
import { packAnswers } from './packed-answers.js'
import { type PublicUrls, apiPrefix } from './public-urls.js'
import { isDeeper, maxLevels } from './json-levels.js'
import { LostPeers } from './lost-peers.js'
import { RangedAnswer } from './ranged-answer.js'
import { type RateState, RateLimits } from './rate-limits.js'
import { RequestCounts, type WideLimits } from './request-counts.js'
import { RouteTable } from './route-table.js'
import type { SharedCounters } from './shared-counters.js'
import { queryReader, textReader } from './text-parameters.js'
import { type Validator, bodyValidator } from './validation.js'
import { secondsSince, topics } from '../observability/telemetry.js'
import { tracingContexts } from '../observability/tracing-contexts.js'

/** Of a username that somebody tried to log in with. */
const maxLoggedName = 30

/** Seconds after which a read that took too long may be tried again. */
const retrySoon = 5

interface HttpAppOptions {
  endpoints: readonly Endpoint[]
  directory: Directory
  /** Asked for each time: it may be replaced. */
  operatorToken: () => string
  baseDomain: string
  /** `pages`: of what needs no credentials, by its source. */
  rateLimits: Readonly<Record<RateTier | 'pages', number>> & WideLimits
  /** Handles a request that was admitted and checked, here or at another server. */
  run: (endpoint: Endpoint, context: EndpointContext, origin: Origin) => Promise<unknown>
  /** Notes what is read, where it concerns security. */
  trail: Pick<AuditTrail, 'note'>
  /** With other servers, where there are any. */
  counters: SharedCounters | null
  urls: PublicUrls
  /** Reverse proxies whose word on a client's address is taken. */
  trustedProxies: readonly Network[]
  log: Logger
  /** Routes that are not part of the API, such as health and the documentation. */
  pages: readonly Router[]
  /** Such routes with rate limits of their own. */
  posts: readonly Router[]
}

/** Builds the application. */
export function httpApp(options: HttpAppOptions): Koa {
  const access = new Access(options.directory, options.operatorToken, options.baseDomain)
  const counts = new RequestCounts(
    new RateLimits<RateTier>(options.rateLimits, Date.now, options.counters),
    options.rateLimits,
  )
  const tables = { operator: new RouteTable(), workspace: new RouteTable() }
  for (const endpoint of options.endpoints) {
    const table = endpoint.auth.scheme === 'operator' ? tables.operator : tables.workspace
    table.add(endpoint.method, endpoint.path, routeOf(endpoint, access, counts, options))
  }
  addPreflights(tables.workspace, options.endpoints)
  const app = new Koa()
  app.use(async (ctx, next) => {
    const peer = ctx.socket.remoteAddress ?? ''
    ctx.request.ip = clientAddress(peer, ctx.get('x-forwarded-for'), options.trustedProxies)
    await next()
  })
  app.use(answerHeaders(options.trustedProxies))
  app.use(requestLog(options.log))
  app.use(answerErrors(options.log))
  app.use(refuseInvalidHost)
  app.use(packAnswers)
  const pageLimits = new RateLimits({ pages: options.rateLimits.pages })
  const countPage = (ctx: Koa.Context) => pageLimits.count('pages', sourceOf(ctx.ip))
  for (const router of options.posts) app.use(router.routes())
  for (const router of options.pages) {
    const routes = router.routes()
    app.use(async (ctx, next) => {
      if (router.match(ctx.path, ctx.method).route) countPage(ctx)
      await routes(ctx as never, next)
    })
  }
  const operatorRoutes = tables.operator.routes()
  const workspaceRoutes = tables.workspace.routes()
  app.use(async (ctx, next) => {
    const routes = siteOf(ctx.host, options.baseDomain).kind === 'operator' ? operatorRoutes : workspaceRoutes
    await routes(ctx, next)
  })
  const socketOf = (host: string) => {
    const site = siteOf(host, options.baseDomain)
    return site.kind === 'workspace' ? new URL(options.urls.callSocket(site.id, '')).origin : undefined
  }
  // Not an API route: console or 404.
  app.use(async (ctx, next) => {
    const state = countPage(ctx)
    if (ctx.path.startsWith(`${apiPrefix}/`)) setRateHeaders(ctx, state)
    await next()
  })
  app.use(consolePages(socketOf))
  // What fails once the answer has begun: mostly a client that went away.
  app.on('error', (error: unknown) =>
    options.log.debug({ event: 'http.answer_cut_off', err: error }, 'answer not finished'),
  )
  app.use((ctx) => {
    throw notFound(`No such endpoint: ${ctx.method} ${ctx.path}`)
  })
  return app
}

function routeOf(
  endpoint: Endpoint,
  access: Access,
  counts: RequestCounts,
  { run, trail }: Pick<HttpAppOptions, 'run' | 'trail'>,
): Koa.Middleware[] {
  const readParams = textReader(endpoint.params ?? Type.Object({}))
  const readQuery = queryReader(endpoint)
  const checkBody = endpoint.body && bodyValidator(endpoint.body)
  const { tier, uncounted } = endpoint
  const countedAs = { tier, uncounted, apart: endpoint.countedApart ? endpoint.path : null }
  const admit: Koa.Middleware = async (ctx, next) => {
    ctx.state.route = endpoint.path
    const source = sourceOf(ctx.ip)
    const authorization = authorizationOf(ctx, endpoint)
    const identified = async (caller: Caller) => {
      ctx.state.caller = caller
      if (endpoint.countedBy) await counts.countVisit(endpoint.tier, source)
      else setRateHeaders(ctx, await counts.count(caller, countedAs, source))
    }
    try {
      await access.admit(endpoint.auth, ctx.host, authorization, identified)
    } catch (error) {
      // Guessing credentials is limited by source; nothing else is known of such a caller.
      if (!ctx.state.caller) setRateHeaders(ctx, await counts.countRefused(source, authorization))
      throw error
    }
    await next()
  }
  const countNamed: Koa.Middleware = async (ctx, next) => {
    const { workspace } = ctx.state.caller as Caller
    if (endpoint.countedBy && workspace) {
      const body = (ctx.request.body ?? {}) as Readonly<Record<string, unknown>>
      if (typeof body['username'] === 'string') ctx.state.username = body['username'].slice(0, maxLoggedName)
      const name = await endpoint.countedBy(workspace, body)
      setRateHeaders(ctx, await counts.countNamed(endpoint.tier, endpoint.path, sourceOf(ctx.ip), name))
    }
    await next()
  }
  const handle: Koa.Middleware = async (ctx) => {
    const { workspace, actor } = ctx.state.caller as Pick<EndpointContext, 'workspace' | 'actor'>
    const uploads = ctx.state.uploads as UploadedFile[]
    const file = uploads[0]
    const context: EndpointContext = {
      params: readParams((ctx as unknown as { params: Record<string, string> }).params),
      query: readQuery(ctx.query),
      body: file ? ctx.request.body : checkedBody(ctx, endpoint, checkBody),
      file,
      requestId: ctx.state.requestId as string,
      idempotencyKey: idempotencyKeyOf(ctx, endpoint),
      lastEventId: ctx.get('last-event-id') || undefined,
      workspace,
      actor,
    }
    const origin = { ...originOf(actor), ip: ctx.ip, requestId: context.requestId }
    const result = await run(endpoint, context, origin)
    if (endpoint.audited !== null) {
      const change = readingOf(endpoint.audited, context)
      await actingAs(origin, async () => trail.note(change))
    }
    await answer(ctx, endpoint, result)
  }
  return [...(isForPages(endpoint) ? [allowPages] : []), admit, readBody(endpoint), countNamed, handle]
}

function authorizationOf(ctx: Koa.Context, { tokenInQuery }: Endpoint): string {
  const header = ctx.get('authorization')
  const { token } = ctx.query
  return !header && tokenInQuery && typeof token === 'string' ? `Bearer ${token}` : header
}

/** The entry of the audit log for what an endpoint has just answered. */
function readingOf(action: string, { params, workspace }: EndpointContext): Change {
  const ids = (params ?? {}) as Partial<Record<'recording_id' | 'call_id' | 'id' | 'workspace_id', string>>
  const workspace_id = workspace?.id ?? ids.workspace_id ?? null
  const id = ids.recording_id ?? ids.call_id ?? ids.id ?? workspace_id ?? ''
  return { workspace_id, action, target: { type: action.replace(/\..*$/, ''), id } }
}

/** The sender of a request as far as it is known, also if the request is refused. */
function actorIn(ctx: Koa.Context): object {
  const { actor } = (ctx.state.caller ?? {}) as Partial<Caller>
  const username: unknown = ctx.state.username
  return { actor: actor ? originOf(actor) : null, ...(typeof username === 'string' && { username }) }
}

function originOf(actor: Actor | undefined): Pick<Origin, 'kind' | 'id'> {
  switch (actor?.kind) {
    case undefined:
      return { kind: 'system', id: null }
    case 'operator':
      return { kind: 'operator', id: null }
    case 'api_key':
      return { kind: 'api_key', id: actor.sid }
    case 'agent':
      return { kind: 'agent', id: actor.id }
    case 'client':
      return { kind: 'client', id: actor.sub }
    case 'call_token':
      return { kind: actor.person, id: actor.sub }
  }
}

/** @param state null where nothing is counted */
function setRateHeaders(ctx: Koa.Context, state: RateState | null): void {
  if (!state) return
  ctx.set('X-RateLimit-Limit', String(state.limit))
  ctx.set('X-RateLimit-Remaining', String(state.remaining))
}

/** Reads a JSON body, or the one file of a multipart upload; uploaded files are removed after the answer. */
function readBody(endpoint: Endpoint): Koa.Middleware {
  const { upload } = endpoint
  const maxBytes = bodyLimit(endpoint.body ?? Type.Object({}))
  const parse = koaBody({
    json: true,
    jsonLimit: maxBytes,
    jsonStrict: false,
    text: false,
    urlencoded: false,
    multipart: upload !== undefined,
    parsedMethods: ['POST', 'PUT', 'PATCH'] as never,
    formidable: {
      maxFiles: 1,
      maxFileSize: upload?.maxBytes ?? 1,
      maxFieldsSize: maxBytes,
      maxFields: 20,
    },
    onError: (error) => {
      throw bodyError(error, maxBytes, upload)
    },
  })
  return async (ctx, next) => {
    ctx.state.uploads = []
    if (!endpoint.body && !upload) {
      await next()
      return
    }
    try {
      await parse(ctx, async () => undefined)
      ctx.state.uploads = uploadsOf(ctx, upload?.field)
      await next()
    } finally {
      for (const file of Object.values(ctx.request.files ?? {}).flat()) {
        await rm(file.filepath, { force: true })
      }
    }
  }
}

function uploadsOf(ctx: Koa.Context, field: string | undefined): UploadedFile[] {
  const files = Object.entries(ctx.request.files ?? {}).flatMap(([name, file]) =>
    [file].flat().map((one) => ({ name, one })),
  )
  return files.map(({ name, one }) => {
    if (name !== field) throw invalidField(name, `the file must be sent as field ${field ?? ''}`)
    const type = (one.mimetype ?? '').replace(/;.*$/s, '').trim().toLowerCase()
    return { path: one.filepath, name: one.originalFilename ?? 'file', type, size: one.size }
  })
}

/** Codes of formidable's errors: the file is larger than allowed (alone, in all), or empty. */
const tooLarge = [1009, 1016]
const noContent = 1010

function bodyError(
  error: Error & { status?: number; httpCode?: number; code?: unknown },
  maxBytes: number,
  upload: Endpoint['upload'],
): ApiError {
  if (upload && tooLarge.some((code) => code === error.code)) {
    return invalidField(upload.field, `${upload.field} must have at most ${upload.maxBytes} bytes`)
  }
  if ((error.status ?? error.httpCode) === 413) {
    return invalidField('', `the body must have at most ${maxBytes} bytes`)
  }
  if (upload && error.code === noContent)
    return invalidField(upload.field, `${upload.field} must not be empty`)
  return badRequest(error instanceof SyntaxError ? 'The body is not valid JSON' : 'The body cannot be read')
}

function bodyOf(ctx: Koa.Context, endpoint: Endpoint): unknown {
  if (!endpoint.body) return undefined
  const types = endpoint.upload ? ['json', 'multipart'] : ['json']
  if (ctx.request.length !== 0 && ctx.is(...types) === false) {
    throw badRequest('Send the body as Content-Type: application/json')
  }
  return ctx.request.body ?? {}
}

function idempotencyKeyOf(ctx: Koa.Context, endpoint: Endpoint): string | undefined {
  const key = ctx.get('idempotency-key')
  if (!endpoint.idempotent || !key) return undefined
  if (key.length > 255) throw invalidField('Idempotency-Key', 'Idempotency-Key must have 1 to 255 characters')
  return key
}

function checkedBody(ctx: Koa.Context, endpoint: Endpoint, check: Validator | undefined): unknown {
  const body = bodyOf(ctx, endpoint)
  check?.(body)
  if (isDeeper(body, maxLevels)) throw badRequest(`The body must not have more than ${maxLevels} levels`)
  return body
}

async function answer(ctx: Koa.Context, endpoint: Endpoint, result: unknown): Promise<void> {
  if (result instanceof RangedAnswer) {
    await answerFile(ctx, result)
    return
  }
  if (result instanceof RawAnswer) {
    ctx.status = result.status ?? endpoint.status
    ctx.type = result.type
    ctx.set(result.headers)
    ctx.body = result.content
    if (result.content instanceof Readable) endWith(ctx, result.content)
    return
  }
  ctx.status = endpoint.status
  ctx.body = result
}

const lostPeers = new LostPeers()

/** Content that ends before its time ends the connection with it; and who takes nothing of the rest is not waited for. */
function endWith(ctx: Koa.Context, content: Readable): void {
  lostPeers.watch(ctx.req.socket)
  content.once('close', () => {
    if (ctx.res.writableEnded) ctx.res.setTimeout(stalledReaderMs, () => ctx.res.destroy())
    else ctx.res.destroy()
  })
}

/** Koa reads some invalid hosts, as a list or one with a user name; a proxy may have read another (RFC 9112, 3.2). */
const refuseInvalidHost: Koa.Middleware = async (ctx, next) => {
  if (/[^\w.:[\]-]/.test(ctx.get('host'))) throw badRequest('The Host header must be a name or an address')
  await next()
}

/** Gives every request an id, answered as X-Request-Id, and logs its end. */
function requestLog(log: Logger): Koa.Middleware {
  const logEnd = (ctx: Koa.Context, requestId: string, seconds: number) => {
    log.info(
      {
        event: 'http.request',
        request: requestId,
        method: ctx.method,
        host: ctx.host,
        path: ctx.path,
        status: ctx.status,
        ip: ctx.ip,
        ...actorIn(ctx),
        ms: Math.round(seconds * 1000),
      },
      'request',
    )
  }
  return async (ctx, next) => {
    const started = performance.now()
    const requestId = randomUUID()
    ctx.state.requestId = requestId
    ctx.set('X-Request-Id', requestId)
    const answered = async () => {
      await next()
      const seconds = secondsSince(started)
      const { workspace } = (ctx.state.caller ?? {}) as Partial<Pick<EndpointContext, 'workspace'>>
      const payload = { route: routeNameOf(ctx), requestId, workspaceId: workspace?.id ?? null }
      logEnd(ctx, requestId, seconds)
      topics.request.publish({ method: ctx.method, status: ctx.status, seconds, ...payload })
    }
    // Health checks and pages get no trace.
    if (!ctx.path.startsWith(`${apiPrefix}/`)) return answered()
    return tracingContexts.request.run({ traceparent: ctx.get('traceparent') }, answered)
  }
}

/** The template of the route that answers: that of an endpoint, of a page, or none. */
function routeNameOf(ctx: Koa.Context): string {
  const route: unknown = ctx.state.route ?? ctx._matchedRoute
  return typeof route === 'string' ? route : 'none'
}

/** Answers every error in the documented shape; anything but an {@link ApiError} is logged and answered with a bare 500. */
function answerErrors(log: Logger): Koa.Middleware {
  return async (ctx, next) => {
    try {
      await next()
    } catch (error) {
      const known = knownError(error) ?? internalError(error, ctx, log)
      const body = known.body()
      if (known instanceof RateLimitError) {
        setRateHeaders(ctx, { limit: known.limit, remaining: 0 })
      }
      if (known instanceof RateLimitError || known instanceof UnavailableError) {
        ctx.set('Retry-After', String(known.retryAfter))
      }
      ctx.status = known.status
      ctx.body = body
    }
  }
}

function knownError(error: unknown): ApiError | null {
  if (error instanceof ApiError) return error
  return isTooLong(error) ? new UnavailableError('The search took too long: narrow it', retrySoon) : null
}

function internalError(error: unknown, ctx: Koa.Context, log: Logger): ApiError {
  const code = (error as { code?: string }).code
  const aborted = code === 'ECONNRESET' || code === 'EPIPE' || code === 'ECONNABORTED'
  if (!aborted)
    log.error(
      { event: 'http.request_failed', err: error, request: ctx.state.requestId as string },
      'request failed',
    )
  return new ApiError(500, 'Internal error')
}
