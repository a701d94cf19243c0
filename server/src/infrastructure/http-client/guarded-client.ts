/**
 * The one client for URLs that customers and operators give. It is made of Node's own `http` and `https`: they
 * follow no redirect, read no proxy from the environment and decompress nothing by themselves, and
 * let the address be chosen when connecting, so that every hop is held to the same rules.
 */
import {
  Agent as HttpAgent,
  type IncomingMessage,
  type RequestOptions,
  request as httpRequest,
} from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import type { LookupFunction } from 'node:net'
import { NoTurnError, Turns } from '../../lib/turns.js'
import { AddressPolicy } from './address-policy.js'
import { type Network } from '../../lib/networks.js'
import { RequestFailedError, RequestRefusedError, RequestTimedOutError } from './errors.js'
import { guardedLookup } from './guarded-lookup.js'
import { type ByteBudget, readBeginning, readBounded } from './read-bounded.js'
import { brokenUrlRule } from './urls.js'

interface Settings {
  /** Networks that the operator allows although they are not public. */
  allowed_networks: readonly Network[]
  /** Addresses of name servers, `host` or `host:port`; the system’s when empty. */
  dns_servers: readonly string[]
  /** How many connections are kept between requests, by a client that asks one server only; 0 otherwise. */
  kept_connections?: number
}

export interface GuardedRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  url: string
  /** The id of a workspace. Workspaces take turns, so that no slow server keeps others' requests waiting. */
  owner: string
  /** A live call waits for the answer: it has connections that nothing else takes. */
  live?: boolean
  headers?: Readonly<Record<string, string>>
  body?: string
  /** For everything: waiting for a connection, DNS, redirects and the whole answer. */
  timeoutMs: number
  maxResponseBytes: number
  /** A longer answer is cut at `maxResponseBytes`, or makes the request fail. */
  tooLong: 'cut' | 'fail'
  /** Shared with other requests: what they read together is no longer than this; longer makes one fail. */
  budget?: ByteBudget
  /** A redirect is an answer like any other. */
  redirectsAreAnswers?: boolean
  /**
   * The status alone decides. Headers that are too long or broken, and a body that does not end, do not make the
   * request fail: `headers` and `body` hold what was read, the body within a second of the headers.
   */
  onlyStatus?: boolean
}

export interface GuardedResponse {
  status: number
  headers: IncomingMessage['headers']
  /** As it came: no content coding is undone, and none is asked for. */
  body: Buffer
}

const maxRedirects = 3
const maxHeaderBytes = 16_384

/** How long the body of an answer is read whose status alone decides. */
const bodyMs = 1_000

/** Connections at once: of all owners, apart for those that live calls wait for, and of an owner to one host. */
const ordinary = { inAll: 512, ofOwner: 50, share: 1 / 8 }
const live = { inAll: 1_024, ofOwner: 100, share: 1 / 8 }
const maxToHost = 50

/** An idle connection is closed after this time, before most servers close it, which could cross a request. */
const idleMs = 4_000

/** Unless one server is asked alone, none is kept: nothing that a customer's server sent can reach another's request. */
function agentOptions(kept: number) {
  if (kept === 0) return { keepAlive: false }
  return { keepAlive: true, maxSockets: kept, maxFreeSockets: kept, timeout: idleMs }
}

/** The only headers that a redirect to another origin keeps: any other may be a secret, or identify the sender. */
const harmlessHeaders = new Set(['accept', 'content-type', 'user-agent'])

export class GuardedClient {
  private readonly policy: AddressPolicy
  private readonly lookup: LookupFunction
  private readonly http: HttpAgent
  private readonly https: HttpsAgent
  private readonly turns = new Turns(ordinary)
  private readonly liveTurns = new Turns(live)
  private readonly toHost = new Turns({ ofOwner: maxToHost })
  private readonly isShared: boolean

  constructor(settings: Settings) {
    const options = agentOptions(settings.kept_connections ?? 0)
    this.isShared = (settings.kept_connections ?? 0) === 0
    this.http = new HttpAgent(options)
    this.https = new HttpsAgent(options)
    this.policy = new AddressPolicy(settings.allowed_networks)
    this.lookup = guardedLookup(this.policy, settings.dns_servers)
  }

  /** The rule that a URL breaks, to follow "must", or undefined; for telling it when the URL is given. */
  brokenRule(url: string): string | undefined {
    return brokenUrlRule(url, this.policy)
  }

  /**
   * Makes a request, following at most three redirects that keep its method: 307 and 308, and for
   * GET 301 to 303. Any other answer, of whatever status, is returned.
   * @throws {RequestRefusedError} the URL, or where it leads, is not allowed
   * @throws {RequestFailedError} no whole answer came in time
   */
  async request(request: GuardedRequest): Promise<GuardedResponse> {
    const signal = AbortSignal.timeout(request.timeoutMs)
    const progress: Progress = { reached: false, status: undefined }
    try {
      return await this.inTurn(request, async () => this.follow(request, signal, progress))
    } catch (error) {
      const { status } = progress
      if (request.onlyStatus && status !== undefined && !(error instanceof RequestRefusedError))
        return { status, headers: {}, body: Buffer.alloc(0) }
      const failure = failureOf(error, signal, request)
      failure.reached = progress.reached
      throw failure
    }
  }

  /** Ends what is under way. */
  close(): void {
    this.http.destroy()
    this.https.destroy()
  }

  private async inTurn<T>(request: GuardedRequest, work: () => Promise<T>): Promise<T> {
    if (!this.isShared) return work()
    const { owner, url, timeoutMs } = request
    const host = URL.canParse(url) ? new URL(url).host : ''
    const line = request.live ? this.liveTurns : this.turns
    const until = performance.now() + timeoutMs
    return this.toHost.take(`${owner} ${host}`, timeoutMs, async () =>
      line.take(owner, Math.max(1, until - performance.now()), work),
    )
  }

  private async follow(
    request: GuardedRequest,
    signal: AbortSignal,
    progress: Progress,
  ): Promise<GuardedResponse> {
    let hop = request
    for (let redirects = 0; ; redirects++) {
      const response = await this.send(hop, signal, progress)
      const target = request.redirectsAreAnswers ? undefined : redirectOf(response, request.method)
      if (target === undefined)
        return {
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: request.onlyStatus
            ? await readBeginning(response, request.maxResponseBytes, bodyMs)
            : await readBounded(response, request, signal),
        }
      response.destroy()
      if (redirects >= maxRedirects) throw new RequestRefusedError(`more than ${maxRedirects} redirects`)
      hop = redirected(hop, target)
    }
  }

  private async send(
    request: GuardedRequest,
    signal: AbortSignal,
    progress: Progress,
  ): Promise<IncomingMessage> {
    progress.status = undefined
    const broken = this.brokenRule(request.url)
    if (broken) throw new RequestRefusedError(`the URL must ${broken}`)
    const url = new URL(request.url)
    const secure = url.protocol === 'https:'
    const options: RequestOptions & { rejectUnauthorized: boolean } = {
      method: request.method,
      headers: {
        'user-agent': 'Jackfield',
        'accept-encoding': 'identity',
        ...request.headers,
        ...(request.body !== undefined && { 'content-length': String(Buffer.byteLength(request.body)) }),
      },
      agent: secure ? this.https : this.http,
      lookup: this.lookup,
      maxHeaderSize: maxHeaderBytes,
      rejectUnauthorized: true,
      signal,
    }
    return new Promise((resolve, reject) => {
      const sent = (secure ? httpsRequest : httpRequest)(url, options, resolve)
      sent.on('error', reject)
      sent.on('socket', (socket) => {
        const reached = () => (progress.reached = true)
        // Before the parser, which reports no status until the headers are complete.
        if (request.onlyStatus)
          socket.prependOnceListener('data', (chunk: Buffer) => (progress.status = statusOf(chunk)))
        if (sent.reusedSocket) reached()
        else socket.once(secure ? 'secureConnect' : 'connect', reached)
      })
      // An upgrade that was not requested ends without an error.
      sent.on('close', () => reject(new RequestFailedError('the connection was closed without an answer')))
      sent.end(request.body)
    })
  }
}

/** How far a request has come. */
interface Progress {
  reached: boolean
  /** Of the answer, once its first line has come. */
  status: number | undefined
}

/** The status in the first line of an answer (RFC 9112, 4); undefined for one of another form, and for an interim one. */
function statusOf(beginning: Buffer): number | undefined {
  const line = /^HTTP\/1\.[01] ([2-5][0-9]{2})[ \r\n]/.exec(beginning.toString('latin1', 0, 16))
  return line ? Number(line[1]) : undefined
}

function failureOf(error: unknown, signal: AbortSignal, { timeoutMs }: GuardedRequest): RequestFailedError {
  if (error instanceof RequestFailedError) return error
  if (!signal.aborted && !(error instanceof NoTurnError))
    return new RequestFailedError(reasonOf(error), { cause: error })
  return new RequestTimedOutError(`no whole answer within ${timeoutMs / 1000} s`, { cause: error })
}

/** Where an answer sends a request of this method, when it may be followed without changing it. */
function redirectOf({ statusCode = 0, headers }: IncomingMessage, method: string): string | undefined {
  const keepsMethod = statusCode === 307 || statusCode === 308
  const followed = keepsMethod || (method === 'GET' && statusCode >= 301 && statusCode <= 303)
  return followed ? headers.location : undefined
}

function redirected(request: GuardedRequest, location: string): GuardedRequest {
  if (!URL.canParse(location, request.url)) throw new RequestRefusedError('a redirect to no URL')
  const [from, to] = [new URL(request.url), new URL(location, request.url)]
  if (from.protocol === 'https:' && to.protocol === 'http:')
    throw new RequestRefusedError('a redirect from https to http')
  const headers = Object.entries(request.headers ?? {})
  const kept = headers.filter(
    ([name]) => from.origin === to.origin || harmlessHeaders.has(name.toLowerCase()),
  )
  return { ...request, url: to.href, headers: Object.fromEntries(kept) }
}

/** What went wrong, in a line; of several addresses that were tried, the first. */
function reasonOf(error: unknown): string {
  const first = error instanceof AggregateError ? (error.errors[0] as Error) : (error as Error)
  return first.message.slice(0, 200)
}
