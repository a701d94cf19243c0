/**
 * Asks a customer's own server during a call. Whatever that server does, the answer comes within the deadline, and it is
 * a value: the call continues.
 */
import type { Logger } from 'pino'
import type { Owner } from '../database/workspace-table.js'
import {
  AnswerTooLongError,
  RequestFailedError,
  RequestRefusedError,
  RequestTimedOutError,
} from '../http-client/errors.js'
import { ValidationError } from '../http/errors.js'
import { withCredentials } from '../http/header-fields.js'
import { isDeeper } from '../http/json-levels.js'
import type { GuardedClient, GuardedResponse } from '../http-client/guarded-client.js'
import { codingOf, shownText } from '../http-client/shown-text.js'
import { signatureOf } from '../http-client/signature.js'
import { topics } from '../observability/telemetry.js'
import { shownTrace, tracingContexts } from '../observability/tracing-contexts.js'
import { NoTurnError, Turns } from '../../lib/turns.js'

/** For everything: a turn, DNS, redirects and the whole answer (design, section 5). */
export const callbackDeadlineMs = 5_000

/** Longest answer that is read; what a longer one held is not known. */
export const maxAnswerBytes = 65_536

/** Levels of objects and lists in an answer: who writes one again as text must not run out of stack. */
export const maxDepth = 64

/** Concurrent callbacks of one workspace: a server that hangs must not use up those of others. */
const maxAtOnce = 40

/** Characters of a request or an answer that a timeline shows. */
const excerptLength = 4_096

/** What errors call the parts of a {@link CallbackServer}. */
const places = { url: 'url', headers: 'headers' } as const

/** What kind of failure it was. */
export type CallbackError =
  /** The URL, or where it leads, is not allowed. */
  | 'refused'
  | 'timeout'
  /** No connection, or one that broke before the answer was whole. */
  | 'network'
  | 'too_long'
  /** The answer was not 2xx. */
  | 'status'
  | 'not_json'
  | 'not_object'
  /** What was answered is JSON, but not what was asked for. */
  | 'invalid'
  /** Nothing was asked: the platform itself failed. */
  | 'internal'

/** A customer's server, as a node or an action names it. */
export interface CallbackServer {
  /** May hold a user and a password, which are sent as Basic credentials (RFC 7617). */
  url: string
  /** Sent with each request; not to another origin that a redirect leads to. */
  headers?: Readonly<Record<string, string>>
}

export interface CallbackRequest {
  workspace: Owner
  /** The call in which it is asked. */
  callId: string
  server: CallbackServer
  /** The name of what is asked, for example `call_flow.jca`; the body's field `event`. */
  event: string
  /** The other fields of the body. */
  body: Readonly<Record<string, unknown>>
}

/** What was sent and what came back, as it is shown on the call's timeline. */
export interface CallbackExchange {
  /** Without credentials. */
  url: string
  status: number | null
  duration_ms: number
  /** The beginning of the body that was sent. */
  request: string
  /** The beginning of the answer; null when there was none. */
  response: string | null
}

interface Answered {
  ok: true
  status: number
  /** The answer's object. */
  json: Readonly<Record<string, unknown>>
  /** The answer as it was written. */
  text: string
}

export interface CallbackFailure {
  ok: false
  error: CallbackError
  /** In a line, fit for the customer. */
  message: string
}

export type CallbackAnswer = (Answered | CallbackFailure) & { exchange: CallbackExchange }

interface Options {
  client: Pick<GuardedClient, 'request'>
  secretOf(workspace: Owner): Promise<string>
  log: Logger
}

export class CallbackClient {
  private readonly turns = new Turns({ ofOwner: maxAtOnce })

  constructor(private readonly options: Options) {}

  /** Posts `{event, …body}`, signed, and reads an object from the answer. Never throws. */
  async ask(request: CallbackRequest): Promise<CallbackAnswer> {
    const { callId, event, workspace } = request
    return tracingContexts.callback.run({ callId, event, workspaceId: workspace.id }, async () => {
      const answer = await this.exchange(request)
      const error = answer.ok ? null : answer.error
      topics.callback.publish({ responseStatus: answer.exchange.status, error })
      return answer
    })
  }

  private async exchange({ workspace, server, event, body }: CallbackRequest): Promise<CallbackAnswer> {
    const since = performance.now()
    const request = JSON.stringify({ event, ...body })
    const posted = await this.post(workspace, server, request, since).catch((error: unknown) =>
      this.explain(error),
    )
    const response = 'ok' in posted ? null : posted
    return {
      ...('ok' in posted ? posted : read(posted)),
      exchange: {
        url: withoutUser(server.url),
        status: response?.status ?? null,
        duration_ms: Math.round(performance.now() - since),
        request: excerpt(request),
        response: response && excerpt(shownText(response)),
      },
    }
  }

  private async post(
    workspace: Owner,
    server: CallbackServer,
    body: string,
    since: number,
  ): Promise<GuardedResponse> {
    const { url, headers } = withCredentials(places, server.url, server.headers ?? {})
    const leftMs = () => Math.max(1, Math.ceil(callbackDeadlineMs - (performance.now() - since)))
    const secret = await this.options.secretOf(workspace)
    return this.turns.take(workspace.id, leftMs(), async () =>
      this.options.client.request({
        ...{ method: 'POST', url, owner: workspace.id, live: true },
        headers: {
          ...headers,
          'content-type': 'application/json',
          'jackfield-signature': signatureOf(body, secret, new Date()),
          ...shownTrace(),
        },
        body,
        timeoutMs: leftMs(),
        maxResponseBytes: maxAnswerBytes,
        tooLong: 'fail',
      }),
    )
  }

  private explain(error: unknown): CallbackFailure {
    if (error instanceof RequestTimedOutError || error instanceof NoTurnError)
      return failure('timeout', `no whole answer within ${callbackDeadlineMs / 1000} s`)
    if (error instanceof AnswerTooLongError) return failure('too_long', error.message)
    if (error instanceof RequestRefusedError || error instanceof ValidationError)
      return failure('refused', error.message)
    if (error instanceof RequestFailedError) return failure('network', error.message)
    this.options.log.error({ event: 'callback.failed', err: error }, 'a callback could not be made')
    return failure('internal', 'the platform could not ask')
  }
}

/** Makes a failure of an answer that is not what was asked for. */
export function failure(error: CallbackError, message: string): CallbackFailure {
  return { ok: false, error, message }
}

function read({ status, headers, body }: GuardedResponse): Answered | CallbackFailure {
  if (status < 200 || status > 299) return failure('status', `the answer was ${status} instead of 200`)
  const coding = codingOf(headers)
  if (coding) return failure('not_json', `the answer is ${coding.slice(0, 32)}, which was not asked for`)
  const text = body.toString('utf8').replace(/^\ufeff/, '')
  const json = parse(text)
  if (json === undefined) return failure('not_json', 'the answer is not JSON')
  if (!isObject(json)) return failure('not_object', 'the answer is not a JSON object')
  if (isDeeper(json, maxDepth)) return failure('invalid', `the answer has more than ${maxDepth} levels`)
  return { ok: true, status, json, text }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function withoutUser(text: string): string {
  if (!URL.canParse(text)) return text
  const url = new URL(text)
  if (url.username === '' && url.password === '') return text
  ;[url.username, url.password] = ['', '']
  return url.href
}

/** JSON columns of the database refuse halves of a surrogate pair. */
function excerpt(text: string): string {
  return text.slice(0, excerptLength).replace(/\p{Cs}/gu, '\ufffd')
}
