/** The client's own behaviour, over real HTTP: credentials, errors, deadlines, retries, pages. */
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect } from 'chai'
import { ApiError, createClient, dataOf, formOf, rowsOf } from '../src/index.js'

type Answer = (request: IncomingMessage, response: ServerResponse) => void

describe('the SDK’s client', () => {
  let server: Server
  let url: string
  let answer: Answer
  const seen: string[] = []

  before(async () => {
    server = createServer((request, response) => {
      seen.push(`${String(request.method)} ${String(request.url)} ${String(request.headers.authorization)}`)
      answer(request, response)
    })
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`
  })
  beforeEach(() => seen.splice(0))
  after(() => {
    server.closeAllConnections()
    server.close()
  })

  const json = (status: number, body: unknown, headers: Record<string, string> = {}): Answer => {
    return (_, response) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers })
      response.end(JSON.stringify(body))
    }
  }

  /** Answers the first requests as listed, and the others as the last of them. */
  const inTurn = (...answers: Answer[]): Answer => {
    let turn = 0
    return (request, response) => answers[Math.min(turn++, answers.length - 1)]?.(request, response)
  }

  async function thrownBy(work: Promise<unknown>): Promise<Error> {
    return work.then(
      () => expect.fail('nothing was thrown'),
      (error: unknown) => error as Error,
    )
  }

  const client = (options: { timeoutMs?: number; retries?: number; onRetry?: (s: number) => void } = {}) =>
    createClient({ url: `${url}/`, apiKey: 'sid-1.secret', ...options })
  const showCall = { params: { path: { id: 'call_1' } } }

  it('sends its credential, and throws what the API refuses', async () => {
    const errors = [{ field: 'title', messages: ['title is required'] }]
    answer = json(400, { statusCode: 400, message: 'title is required', error: 'Bad Request', errors })
    const error = await thrownBy(dataOf(client().GET('/calls/{id}', showCall)))
    expect(error).to.be.instanceOf(ApiError)
    expect(error).to.include({ name: 'ApiError', status: 400, message: 'title is required' })
    expect((error as ApiError).errors).to.deep.equal(errors)
    expect(seen).to.deep.equal(['GET /api/v1/calls/call_1 ApiKey sid-1.secret'])
  })

  it('sends access tokens, asked for anew at each request, or nothing', async () => {
    answer = json(200, {})
    const turns = ['first', 'second']
    const clients = [
      createClient({ url, accessToken: 'given' }),
      createClient({ url, accessToken: async () => Promise.resolve(turns.shift() ?? '') }),
      createClient({ url }),
    ]
    for (const one of clients) for (const _ of [1, 2]) await dataOf(one.GET('/me'))
    const sent = seen.map((line) => line.slice('GET /api/v1/me '.length))
    expect(sent).to.deep.equal([
      ...['Bearer given', 'Bearer given', 'Bearer first', 'Bearer second', 'undefined', 'undefined'],
    ])
  })

  it('tells the status of what is no answer of the API', async () => {
    answer = (_, response) => response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad</h1>')
    const error = (await thrownBy(dataOf(client().GET('/credit')))) as ApiError
    expect(error).to.include({ status: 502, message: 'the API answered 502', body: undefined })
    expect(error.errors).to.deep.equal([])
  })

  it('gives up at its deadline, and when it is told to', async () => {
    answer = (_, response) => response.writeHead(200, { 'content-type': 'application/json' }).write('{')
    setFlagsFromString('--expose-gc')
    const late = thrownBy(client({ timeoutMs: 100 }).GET('/credit'))
    setTimeout(runInNewContext('gc') as () => void, 50)
    expect(await late, 'also when memory is collected meanwhile').to.include({ name: 'TimeoutError' })
    const abort = new AbortController()
    const call = thrownBy(client().GET('/credit', { signal: abort.signal }))
    setTimeout(() => abort.abort(), 50)
    expect(await call).to.include({ name: 'AbortError' })
  })

  it('gives a file that is sent more time than others', async () => {
    answer = (_, response) => void setTimeout(() => json(201, {})(_, response), 300)
    const hasty = createClient({ url, apiKey: 'sid-1.secret', timeoutMs: 100 })
    const body = formOf<{ file: string }>({ file: new Blob(['sound']) })
    await dataOf(hasty.POST('/messages/media', { body }))
    const late = createClient({ url, apiKey: 'sid-1.secret', uploadTimeoutMs: 100 })
    expect(await thrownBy(late.POST('/messages/media', { body }))).to.include({ name: 'TimeoutError' })
  })

  it('sends a request again after a 429, as often as it is allowed, body and all', async () => {
    const limited = json(429, { statusCode: 429, message: 'Too many', retryAfter: 1 }, { 'retry-after': '1' })
    const bodies: string[] = []
    const read =
      (then: Answer): Answer =>
      (request, response) => {
        let text = ''
        request.on('data', (chunk: Buffer) => (text += chunk.toString()))
        request.on('end', () => {
          bodies.push(text)
          then(request, response)
        })
      }
    answer = inTurn(read(limited), read(json(201, { id: 'acl_1' })))
    const waits: number[] = []
    const body = { title: 'Carrier', mode: 'ip' as const, allowed_ips: ['192.0.2.1'] }
    const patient = client({ retries: 1, onRetry: (seconds) => waits.push(seconds) })
    expect(await dataOf(patient.POST('/sip-trunks/acls', { body }))).to.deep.equal({ id: 'acl_1' })
    expect(bodies).to.deep.equal([JSON.stringify(body), JSON.stringify(body)])
    expect(waits).to.deep.equal([1])

    answer = limited
    const error = (await thrownBy(dataOf(client().GET('/credit')))) as ApiError
    expect(error).to.include({ status: 429, retryAfter: 1 })
    expect(seen, 'without retries it is sent once').to.have.length(3)
    const abort = new AbortController()
    const call = client({ retries: 5, onRetry: () => abort.abort() }).GET('/credit', { signal: abort.signal })
    expect(await thrownBy(call), 'the wait ends too').to.include({ name: 'AbortError' })
  })

  it('reads a list to its end, a page at a time', async () => {
    const page = (number: number, rows: string[]) =>
      json(200, {
        data: rows.map((id) => ({ id })),
        meta: { total: 3, page: number, limit: 2, total_pages: 2 },
      })
    answer = inTurn(page(1, ['a', 'b']), page(2, ['c']))
    const ids: string[] = []
    const numbers = rowsOf(async (query) => client().GET('/phone-numbers', { params: { query } }))
    for await (const { id } of numbers) {
      if (id === 'b') expect(seen, 'the second page is not fetched before it is read').to.have.length(1)
      ids.push(id)
    }
    expect(ids).to.deep.equal(['a', 'b', 'c'])
    expect(seen.map((line) => line.split(' ')[1])).to.deep.equal([
      '/api/v1/phone-numbers?page=1&limit=100',
      '/api/v1/phone-numbers?page=2&limit=100',
    ])
  })
})
