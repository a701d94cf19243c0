/** A carrier that takes each message as an HTTP request. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Network } from '../../../../lib/networks.js'
import {
  RequestFailedError,
  RequestRefusedError,
  RequestTimedOutError,
} from '../../../../infrastructure/http-client/errors.js'
import { GuardedClient, type GuardedRequest } from '../../../../infrastructure/http-client/guarded-client.js'
import {
  type CarrierLink,
  type LinkHealth,
  type LinkHolder,
  type OutboundText,
  type Segment,
  SubmitError,
} from '../../link.js'
import { countryOf, writeNumber } from '../../numbers.js'
import { segmentCount } from '../../text/segments.js'
import { takenId } from './answers.js'
import type { HttpCarrierSecrets, HttpCarrierSettings } from './settings.js'
import { type Template, compileTemplate } from './template.js'

interface Options {
  settings: HttpCarrierSettings
  secrets: Pick<HttpCarrierSecrets, 'headers'>
  /** Requests that may be without an answer at once: as many connections are kept. */
  window: number
  /** Limits where it may connect to. */
  network: { allowed_networks: readonly Network[]; dns_servers: readonly string[] }
  holder: Pick<LinkHolder, 'changed'>
}

const maxAnswerBytes = 65_536

/** How long submissions under way may take when the link is stopped. */
const drainMs = 5_000

/** After this many failures in a row submissions pause. */
const toleratedFailures = 3

/** Length of the pause; it doubles each time, up to the longest. */
const [firstPauseMs, longestPauseMs] = [2_000, 60_000]

export class HttpLink implements CarrierLink {
  readonly window: number
  private current: LinkHealth = { state: 'down', since: new Date(), last_error: null }
  private readonly template: Template
  /** A client of its own, whose connections reach no other server. */
  private readonly client: GuardedClient
  private readonly underWay = new Set<Promise<unknown>>()
  private failures = 0
  private pauseMs = firstPauseMs
  private timer: NodeJS.Timeout | undefined

  /** @throws {TemplateError} */
  constructor(private readonly options: Options) {
    this.window = options.window
    this.template = compileTemplate(options.settings)
    this.client = new GuardedClient({ ...options.network, kept_connections: options.window })
  }

  get health(): LinkHealth {
    return this.current
  }

  /** The carrier splits long texts. */
  segmentsOf(message: OutboundText): readonly Segment[] {
    return [{ ...message, index: 0, total: 1 }]
  }

  /** There is nothing to connect before something is sent. */
  start(): void {
    this.become('up', null)
  }

  async stop(): Promise<void> {
    clearTimeout(this.timer)
    await Promise.race([Promise.allSettled(this.underWay), sleep(drainMs, undefined, { ref: false })])
    this.client.close()
    this.become('down', this.current.last_error)
  }

  async submit(segment: Segment): Promise<string | null> {
    const submission = this.exchange(segment).finally(() => this.underWay.delete(submission))
    this.underWay.add(submission)
    try {
      const id = await submission
      this.succeeded()
      return id
    } catch (error) {
      if (error instanceof SubmitError) this.failed(error)
      throw error
    }
  }

  private async exchange(segment: Segment): Promise<string | null> {
    const { settings } = this.options
    if (segment.media.length > 0 && !settings.media) {
      throw new SubmitError('carrier', 'no_media', 'The carrier takes no files')
    }
    const response = await this.client.request(this.requestOf(segment)).catch((error: unknown) => {
      throw error instanceof RequestFailedError ? lost(error) : error
    })
    return takenId(settings, response)
  }

  private requestOf(segment: Segment): GuardedRequest {
    const { settings, secrets } = this.options
    const { method, url, content_type, timeout_seconds } = settings
    const country = segment.country || countryOf(segment.from)
    const format = (party: string) => {
      const { text, needsType } = writeNumber(party, settings, country)
      // Only the plus sign distinguishes a number of another country from a national one.
      return needsType ? `+${text}` : text
    }
    const body = this.template({
      ...{ from: format(segment.from), to: format(segment.to), body: segment.body, message_id: segment.id },
      ...{ encoding: settings.encodings[segment.encoding], segments: segmentCount(segment.body) },
      media_urls: segment.media.map((file) => file.url),
    })
    return {
      // The client is this carrier's own.
      owner: 'carrier',
      ...{ timeoutMs: timeout_seconds * 1_000, maxResponseBytes: maxAnswerBytes, tooLong: 'cut' },
      // A redirect's target was not chosen by the operator, and would get our secrets.
      redirectsAreAnswers: true,
      method,
      ...(method === 'GET'
        ? { url: url + (url.includes('?') ? '&' : '?') + body, headers: secrets.headers }
        : { url, headers: { ...secrets.headers, 'content-type': content_type }, body }),
    }
  }

  private succeeded(): void {
    this.failures = 0
    this.pauseMs = firstPauseMs
    if (this.current.state === 'down') {
      clearTimeout(this.timer)
      this.become('up', null)
    }
  }

  private failed({ kind, code, message }: SubmitError): void {
    if (kind === 'throttled' || kind === 'destination' || kind === 'permanent' || kind === 'opted_out') {
      this.succeeded()
      return
    }
    this.failures += 1
    if (this.current.state === 'down' || this.failures < toleratedFailures) return
    this.become('down', `${code}: ${message}`)
    // Only a submission shows whether the carrier works again.
    this.timer = setTimeout(() => this.become('up', this.current.last_error), this.pauseMs).unref()
    this.pauseMs = Math.min(this.pauseMs * 2, longestPauseMs)
  }

  private become(state: LinkHealth['state'], last_error: string | null): void {
    this.current = { state, since: new Date(), last_error }
    this.options.holder.changed(this.current)
  }
}

/** A request without an answer. */
function lost(error: RequestFailedError): SubmitError {
  if (error.reached) {
    const code = error instanceof RequestTimedOutError ? 'timeout' : 'connection_lost'
    return new SubmitError('unanswered', code, error.message)
  }
  if (error instanceof RequestRefusedError)
    return new SubmitError('carrier', 'address_refused', error.message)
  return new SubmitError('temporary', 'unreachable', error.message)
}
