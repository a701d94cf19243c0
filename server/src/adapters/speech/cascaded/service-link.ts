/** Requests to one of the services: at the operator's URL, which may be in their own network. */
import { once } from 'node:events'
import { Agent as HttpAgent, type IncomingMessage, request as httpRequest } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { SpeechModelError } from '../speech-model.js'
import type { Deadlines, Service } from './services.js'
import { Watch } from './watch.js'

/** Bytes of a refusal that are read for its message. */
const longestRefusal = 8_192

/** An idle connection is closed before most servers do it, which might cross a request. */
const idleMs = 4_000

export interface Asked {
  readonly method: 'GET' | 'POST'
  /** Beneath the base URL: `/models`. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
  readonly deadlines: Deadlines
  /** A longer answer is an error. */
  readonly maxBytes: number
  /** Statuses that are no refusal, beside 200 to 299. */
  readonly alsoFine?: readonly number[]
  readonly signal: AbortSignal
}

export interface Answer {
  readonly status: number
  /** Without parameters, in lower case; empty if there is none. */
  readonly type: string
  readonly headers: IncomingMessage['headers']
  readonly parts: AsyncIterable<Buffer>
}

export class ServiceLink {
  private readonly agent: HttpAgent | HttpsAgent
  private readonly isSecure: boolean

  /** @param name for messages: `speech to text` */
  constructor(
    readonly service: Service,
    private readonly name: string,
  ) {
    this.isSecure = new URL(service.baseUrl).protocol === 'https:'
    const options = { keepAlive: true, maxSockets: 4, maxFreeSockets: 1, timeout: idleMs }
    this.agent = this.isSecure ? new HttpsAgent(options) : new HttpAgent(options)
  }

  /**
   * Asks, and has the answer read while it comes.
   * @throws {SpeechModelError} no whole answer came within the deadlines, or it is a refusal
   * @throws what the signal was aborted with
   */
  async ask<T>(asked: Asked, read: (answer: Answer) => Promise<T>): Promise<T> {
    asked.signal.throwIfAborted()
    const watch = new Watch(asked.deadlines, asked.signal)
    let response: IncomingMessage | null = null
    try {
      response = await this.send(asked, watch)
      const { statusCode: status = 0, headers } = response
      const type = /^[^;\s]*/.exec(headers['content-type'] ?? '')?.[0].toLowerCase() ?? ''
      const parts = partsOf(response, watch, asked.maxBytes, this.name)
      if ((status < 200 || status > 299) && !asked.alsoFine?.includes(status))
        throw await this.refusal(status, parts)
      return await read({ status, type, headers, parts })
    } catch (error) {
      asked.signal.throwIfAborted()
      throw this.failureOf(error, watch)
    } finally {
      watch.end()
      if (!response?.complete) response?.destroy()
    }
  }

  /** Ends what is under way. */
  close(): void {
    this.agent.destroy()
  }

  private async send(asked: Asked, watch: Watch): Promise<IncomingMessage> {
    const url = new URL(this.service.baseUrl.replace(/\/+$/, '') + asked.path)
    for (;;) {
      const request = (this.isSecure ? httpsRequest : httpRequest)(url, {
        method: asked.method,
        headers: {
          ...{ 'user-agent': 'Jackfield', 'accept-encoding': 'identity', ...asked.headers },
          ...(this.service.apiKey !== null && { authorization: `Bearer ${this.service.apiKey}` }),
          ...(asked.body !== undefined && { 'content-length': String(Buffer.byteLength(asked.body)) }),
        },
        agent: this.agent,
        signal: watch.signal,
      })
      // A request that is destroyed while it is under way may emit another error.
      request.on('error', () => undefined)
      request.end(asked.body)
      try {
        const [response] = (await once(request, 'response')) as [IncomingMessage]
        watch.alive()
        return response
      } catch (error) {
        // A reused keep-alive connection was closed just then: the server has not read the request.
        if (request.reusedSocket && isLost(error) && !watch.signal.aborted) continue
        throw error
      }
    }
  }

  private async refusal(status: number, parts: AsyncIterable<Buffer>): Promise<SpeechModelError> {
    const kept: Buffer[] = []
    let length = 0
    for await (const part of parts) {
      kept.push(part)
      length += part.length
      if (length > longestRefusal) break
    }
    const isPassing = status === 408 || status === 429 || status >= 500
    const said = saidIn(Buffer.concat(kept).toString().slice(0, longestRefusal))
    return new SpeechModelError(
      isPassing ? 'unreachable' : 'refused',
      this.redacted(`${this.name} answered ${status}${said && `: ${said}`}`),
    )
  }

  private failureOf(error: unknown, watch: Watch): SpeechModelError {
    if (error instanceof SpeechModelError) return error
    const { origin } = new URL(this.service.baseUrl)
    if (watch.isOver) {
      return new SpeechModelError('slow', `${this.name} at ${origin} said nothing more for too long`)
    }
    const first = error instanceof AggregateError ? (error.errors[0] as Error) : (error as Error)
    return new SpeechModelError('unreachable', this.redacted(`${this.name} at ${origin}: ${first.message}`))
  }

  /** A message without the key, which a server may repeat. */
  private redacted(message: string): string {
    const { apiKey } = this.service
    return (apiKey ? message.replaceAll(apiKey, '…') : message).slice(0, 300)
  }
}

async function* partsOf(
  response: IncomingMessage,
  watch: Watch,
  maxBytes: number,
  name: string,
): AsyncGenerator<Buffer> {
  let length = 0
  for await (const part of response as AsyncIterable<Buffer>) {
    watch.alive()
    length += part.length
    if (length > maxBytes) {
      throw new SpeechModelError('protocol', `${name} answered with more than ${maxBytes} bytes`)
    }
    yield part
  }
}

function isLost(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  return code === 'ECONNRESET' || code === 'EPIPE'
}

/** A server's own words: `{"error": {"message"}}` of OpenAI, `{"error"}`, `{"detail"}` and `{"message"}` of others. */
function saidIn(text: string): string {
  try {
    const body = JSON.parse(text) as Record<string, unknown> | null
    const error = body?.['error'] as { message?: unknown } | string | undefined
    const said = (typeof error === 'object' ? error?.message : error) ?? body?.['message'] ?? body?.['detail']
    return typeof said === 'string' ? said.slice(0, 200) : ''
  } catch {
    return ''
  }
}
