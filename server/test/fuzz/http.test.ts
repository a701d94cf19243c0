/** What comes to the HTTP port and is hardly HTTP; what is sent to endpoints has api/fuzz.test.ts. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { expect } from 'chai'
import fc from 'fast-check'
import { startUnlimited } from '../api/fixtures.js'
import type { Appliance, TestWorkspace } from '../support/appliance.js'
import { bytes, fuzz, fuzzTimeoutMs, line, mutated } from './fuzzing.js'

const answerDeadlineMs = 1_000

describe('HTTP from strangers', function () {
  this.timeout(fuzzTimeoutMs)
  let appliance: Appliance
  let workspace: TestWorkspace
  let pid: number

  before(async () => {
    appliance = await startUnlimited()
    workspace = await appliance.workspace()
    pid = appliance.serverPid
  })
  afterEach(async () => {
    expect(appliance.serverPid, 'the server’s process').to.equal(pid)
    expect((await workspace.api.get('/profile')).status).to.equal(200)
  })
  after(async () => appliance?.stop())

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
