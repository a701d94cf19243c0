/** Requests to an appliance under faults: each with a short deadline, none of which waits for another. */
import { Agent, request } from 'node:http'

export interface Answer {
  /** 0 when there was none in time. */
  status: number
  body: unknown
}

/** What a customer's program waits at most. */
const deadlineMs = 5_000

const pageSize = 100

export class Api {
  private readonly agent = new Agent({ keepAlive: true })

  constructor(
    private readonly port: number,
    private readonly host: string,
    private readonly authorization: string,
  ) {}

  /** The same server as another host or caller. */
  as(host: string, authorization = this.authorization): Api {
    return new Api(this.port, host, authorization)
  }

  async get(path: string): Promise<Answer> {
    return this.ask('GET', path)
  }

  async send(
    method: 'POST' | 'PATCH' | 'PUT',
    path: string,
    body: unknown,
    type = 'application/json',
  ): Promise<Answer> {
    return this.ask(method, path, Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body)), type)
  }

  /** @throws when it is refused, or is not answered */
  async make(
    method: 'POST' | 'PATCH' | 'PUT',
    path: string,
    body: unknown,
    type?: string,
  ): Promise<Record<string, unknown>> {
    const answer = await this.send(method, path, body, type)
    if (answer.status >= 200 && answer.status < 300) return answer.body as Record<string, unknown>
    throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
  }

  /** All rows of a list. */
  async all<Row>(path: string): Promise<Row[]> {
    const rows: Row[] = []
    for (let page = 1; ; page++) {
      const data = await this.page<Row>(path, page)
      rows.push(...data)
      if (data.length < pageSize) return rows
    }
  }

  /** Rows of a list that were made at a time or later. @param since ISO */
  async since<Row>(path: string, since: string): Promise<Row[]> {
    const rows: (Row & { created_at: string })[] = []
    for (let page = 1; ; page++) {
      const data = await this.page<Row & { created_at: string }>(`${path}?sort_order=desc`, page)
      rows.push(...data.filter(({ created_at }) => created_at >= since))
      if (data.length < pageSize || data.some(({ created_at }) => created_at < since)) return rows
    }
  }

  private async page<Row>(path: string, page: number): Promise<Row[]> {
    const asked = `${path}${path.includes('?') ? '&' : '?'}limit=${pageSize}&page=${page}`
    const { status, body } = await this.get(asked)
    if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`)
    return (body as { data: Row[] }).data
  }

  private async ask(method: string, path: string, content?: Buffer, type?: string): Promise<Answer> {
    return new Promise((resolve) => {
      const failed = (error: Error) => resolve({ status: 0, body: error.message })
      const sent = request(
        {
          ...{ host: '127.0.0.1', port: this.port, method, path: `/api/v1${path}`, agent: this.agent },
          headers: {
            host: `${this.host}:${this.port}`,
            authorization: this.authorization,
            ...(content && { 'content-type': type, 'content-length': content.length }),
          },
          signal: AbortSignal.timeout(deadlineMs),
        },
        (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('error', failed)
          response.on('end', () => {
            const whole = Buffer.concat(chunks)
            const isJson = response.headers['content-type']?.includes('json') ?? false
            const body: unknown = isJson ? JSON.parse(whole.toString()) : whole
            resolve({ status: response.statusCode ?? 0, body })
          })
        },
      )
      sent.on('error', failed)
      sent.end(content)
    })
  }
}
