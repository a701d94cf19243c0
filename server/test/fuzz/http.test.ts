/** What comes over HTTP, well-formed and not: it is answered as documented or refused, and never breaks the server. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { expect } from 'chai'
import fc from 'fast-check'
import { bodies, bodyOf, unknownParams, urlOf } from '../api/endpoint-examples.js'
import { keyWith, newAdmin, startUnlimited } from '../api/fixtures.js'
import { answerCheck, builtDocument, operationsOf, placesOf, replaced } from '../api/operations.js'
import type { ApiClient } from '../support/api-client.js'
import type { Appliance, TestWorkspace } from '../support/appliance.js'
import { bytes, fuzz, fuzzTimeoutMs, line, mutated, text } from './fuzzing.js'

const document = builtDocument()
const conforms = answerCheck(document)
const answerDeadlineMs = 1_000

/** Those whose success may end what the test lives on. */
const spared = /^(DELETE|POST \/auth\/|PUT \/me\/password|PATCH \/workspaces)/

describe('HTTP from strangers', function () {
  this.timeout(fuzzTimeoutMs)
  let appliance: Appliance
  let workspace: TestWorkspace
  let pid: number
  let keys: Record<'operator' | 'api_key' | 'bearer' | 'visitor' | 'open', ApiClient>

  before(async () => {
    appliance = await startUnlimited()
    workspace = await appliance.workspace()
    pid = appliance.serverPid
    const visitor = workspace.api.with({ authorization: undefined })
    keys = {
      operator: appliance.operator,
      api_key: await keyWith(workspace, { scope: 'full', role: 'owner' }),
      bearer: (await newAdmin(workspace)).api,
      ...{ visitor, open: visitor },
    }
  })
  afterEach(async () => {
    expect(appliance.serverPid, 'the server’s process').to.equal(pid)
    expect((await workspace.api.get('/profile')).status).to.equal(200)
  })
  after(async () => appliance.stop())

  it('sends anything to the port', async () => {
    const method = fc.constantFrom('GET', 'POST', 'PUT', 'OPTIONS', 'CONNECT', 'PRI', 'get', '')
    const path = fc.oneof(
      fc.constantFrom('/', '*', '/api/v1/calls', '/api/v1/openapi.json', '/health', 'http://x/', '//', '/%'),
      line,
    )
    const header = fc.oneof(
      fc.constantFrom(
        ...[
          'Content-Length: -1',
          'Content-Length: 5',
          'Content-Length: 99999999999',
          'Transfer-Encoding: chunked',
        ],
        ...[
          'Expect: 100-continue',
          'Upgrade: websocket',
          'Upgrade: h2c',
          'Connection: upgrade',
          'Range: bytes=9-1',
        ],
        ...[
          'Sec-WebSocket-Key: x',
          'Sec-WebSocket-Version: 13',
          'If-None-Match: *',
          'Content-Encoding: gzip',
        ],
      ),
      fc.tuple(line, line).map((pair) => pair.join(': ')),
    )
    const request = fc
      .record({ method, path, headers: fc.array(header, { maxLength: 6 }), body: line })
      .map(
        ({ method: verb, path: where, headers, body }) =>
          `${verb} ${where} HTTP/1.1\r\nHost: ${workspace.id}.localhost\r\n${headers.join('\r\n')}\r\n\r\n${body}`,
      )
    const sent = fc.oneof(
      bytes,
      mutated(request).map((one) => Buffer.from(one)),
    )
    await fuzz(sent, async (data) => {
      const answer = await answerTo(data)
      expect(answer, 'an answer').not.to.match(/^HTTP\/1\.1 5\d\d/)
    })
  })

  it('asks each endpoint for anything', async () => {
    const operations = operationsOf(document).filter(
      ({ name, takesOnlyFiles }) => !takesOnlyFiles && !spared.test(name),
    )
    const asked = fc.record({
      operation: fc.constantFrom(...operations),
      // Which place of the body is another one's, and what is there.
      place: fc.nat(),
      value: fc.oneof(text, fc.jsonValue({ maxDepth: 3 }), fc.double(), fc.integer()),
      more: fc.option(fc.jsonValue({ maxDepth: 4 }), { freq: 5 }),
      query: fc.array(fc.tuple(fc.nat(), text), { maxLength: 3 }),
      wild: fc.boolean(),
    })
    await fuzz(asked, async ({ operation, place, value, more, query, wild }) => {
      const { name, method, parameters, body: schema, auth } = operation
      const example = bodies[name] && schema ? await bodyOf(operation, workspace) : undefined
      const places = schema ? placesOf(document, schema) : []
      const path = places[place % (places.length || 1)]?.path
      const body = more ?? (path && example !== undefined ? replaced(example, path, value) : example)
      const queries = parameters.filter((one) => one.in === 'query')
      const pairs = query.map(([index, each]): [string, string] => [
        wild ? each : (queries[index % (queries.length || 1)]?.name ?? 'page'),
        each,
      ])
      const search = queries.length > 0 || wild ? `?${new URLSearchParams(pairs).toString()}` : ''
      const url = urlOf(operation, unknownParams(operation)) + search
      const answer = await keys[auth.scheme].request(method, url, schema ? { body } : {})
      // 503: some need the switch, which is not there.
      if (answer.status !== 503) expect(answer.status, JSON.stringify(answer.body)).to.be.lessThan(500)
      conforms(operation, answer)
    })
  })

  /** What the server says before it closes or has nothing more to say; '' for nothing. */
  async function answerTo(data: Buffer): Promise<string> {
    const socket = connect(appliance.port, '127.0.0.1')
    let answer = ''
    socket.on('error', () => undefined) // a reset is an answer, too
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1')
      socket.end()
    })
    await once(socket, 'connect')
    socket.end(data)
    socket.setTimeout(answerDeadlineMs, () => socket.destroy())
    if (!socket.closed) await once(socket, 'close')
    return answer
  }
})
