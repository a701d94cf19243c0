/** Speaks HTTP to a server under test, naming the host that a browser would resolve. */
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Answer<T = any> {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: T
}

export interface RequestOptions {
  /** How long its answer may take. */
  withinMs?: number
  body?: unknown
  /** Sent as it is instead of JSON. */
  raw?: { type: string; content: string | Buffer }
  headers?: Record<string, string>
}

interface Patience {
  withinMs?: number
  everyMs?: number
  what?: string
}

const agent = new Agent({ keepAlive: true, maxSockets: 100 })
const deadlineMs = 20_000

/** A caller of the API: a host and credentials. */
export class ApiClient {
  constructor(
    readonly port: number,
    readonly host: string,
    readonly authorization: string | undefined,
  ) {}

  /** The same caller on another server or host, or with other credentials. */
  with(changes: { port?: number; host?: string; authorization?: string | undefined }): ApiClient {
    const authorization = 'authorization' in changes ? changes.authorization : this.authorization
    return new ApiClient(changes.port ?? this.port, changes.host ?? this.host, authorization)
  }

  async get(path: string): Promise<Answer> {
    return this.request('GET', path)
  }
  async post(path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    return this.request('POST', path, { body, headers })
  }
  async put(path: string, body?: unknown): Promise<Answer> {
    return this.request('PUT', path, { body })
  }
  async patch(path: string, body?: unknown): Promise<Answer> {
    return this.request('PATCH', path, { body })
  }
  async delete(path: string): Promise<Answer> {
    return this.request('DELETE', path)
  }

  async request(method: string, path: string, options: RequestOptions = {}): Promise<Answer> {
    const content =
      options.raw?.content ?? (options.body === undefined ? undefined : JSON.stringify(options.body))
    const headers = {
      host: `${this.host}:${this.port}`,
      ...(this.authorization && { authorization: this.authorization }),
      ...(content !== undefined && {
        'content-type': options.raw?.type ?? 'application/json',
        'content-length': String(Buffer.byteLength(content)),
      }),
      ...options.headers,
    }
    return new Promise((resolve, reject) => {
      const sent = request(
        {
          ...{ host: '127.0.0.1', port: this.port, method, headers, agent },
          path: path.startsWith('/health') ? path : `/api/v1${path}`,
          signal: AbortSignal.timeout(options.withinMs ?? deadlineMs),
        },
        (response) => {
          const chunks: Buffer[] = []
          const isEndless = response.headers['content-type']?.startsWith('text/event-stream') ?? false
          response.on('data', (chunk: Buffer) => {
            chunks.push(chunk)
            if (!isEndless) return
            resolve({ status: response.statusCode ?? 0, headers: response.headers, body: chunk })
            response.destroy()
          })
          response.on('error', reject)
          response.on('end', () => {
            const text = Buffer.concat(chunks)
            const json = /json(;|$)/.test(response.headers['content-type'] ?? '')
            const body: unknown = json ? JSON.parse(text.toString()) : text
            resolve({ status: response.statusCode ?? 0, headers: response.headers, body })
          })
        },
      )
      sent.on('error', reject)
      sent.end(content)
    })
  }
}

/** Between two questions; what takes long is asked less often, as each question costs the server and the test. */
const SOONEST_MS = 50
const LATEST_MS = 150

/**
 * Asks again until the answer satisfies; returns it.
 * @param options `everyMs` [a tenth of the time that has passed, 50 to 150]
 * @throws when it does not within the time
 */
export async function eventually<T>(
  ask: () => Promise<T>,
  satisfied: (answer: T) => boolean,
  { withinMs = 15_000, everyMs, what = 'the expected state' }: Patience = {},
): Promise<T> {
  const begin = Date.now()
  for (;;) {
    const answer = await ask()
    if (satisfied(answer)) return answer
    const passed = Date.now() - begin
    if (passed > withinMs) throw new Error(`no ${what} within ${withinMs} ms: ${JSON.stringify(answer)}`)
    await sleep(everyMs ?? Math.min(LATEST_MS, Math.max(SOONEST_MS, passed / 10)))
  }
}
