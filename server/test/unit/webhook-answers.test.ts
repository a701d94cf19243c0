/** Answers of receivers whose status alone matters: it decides, whatever is wrong behind it. */
import { once } from 'node:events'
import { type Server, type Socket, createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { parseNetwork } from '../../src/lib/networks.js'
import { RequestFailedError } from '../../src/infrastructure/http-client/errors.js'
import { GuardedClient, type GuardedRequest } from '../../src/infrastructure/http-client/guarded-client.js'
import { retryAfterOf } from '../../src/infrastructure/http-client/retry-after.js'
import { RetrySchedule } from '../../src/features/webhooks/retry-schedule.js'

const longHeader = `X-Long: ${'a'.repeat(20_000)}\r\n`

/** What a receiver sends, whether it closes the connection then, and the beginning of the body that is kept. */
const answers: { title: string; sent: string; closes: boolean; status: number; body: string }[] = [
  {
    ...{ title: 'a chunked body that does not end', closes: false, status: 200, body: 'ok' },
    sent: 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n',
  },
  {
    ...{ title: 'a Content-Length beyond the body', closes: true, status: 200, body: 'ok' },
    sent: 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nok',
  },
  {
    ...{
      title: 'a Content-Length beyond the body, and an open connection',
      closes: false,
      status: 202,
      body: 'o',
    },
    sent: 'HTTP/1.1 202 Accepted\r\nContent-Length: 10\r\n\r\no',
  },
  {
    ...{ title: 'a body up to the end of a connection that stays', closes: false, status: 200, body: 'ok' },
    sent: 'HTTP/1.0 200 OK\r\n\r\nok',
  },
  {
    ...{ title: 'a broken chunk', closes: true, status: 200, body: 'ok' },
    sent: 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\nzz\r\n',
  },
  {
    ...{ title: '20 kB of headers', closes: true, status: 201, body: '' },
    sent: `HTTP/1.1 201 Created\r\n${longHeader}Content-Length: 0\r\n\r\n`,
  },
  {
    ...{ title: '200 kB of headers', closes: false, status: 201, body: '' },
    sent: `HTTP/1.1 201 Created\r\n${longHeader.repeat(10)}\r\n`,
  },
  {
    ...{ title: 'headers that do not end', closes: false, status: 204, body: '' },
    sent: 'HTTP/1.1 204 No Content\r\nX-One: 1\r\n',
  },
  {
    ...{ title: 'headers that break off', closes: true, status: 200, body: '' },
    sent: 'HTTP/1.1 200 OK\r\nX-One',
  },
  {
    ...{ title: 'a header that is none', closes: true, status: 200, body: '' },
    sent: 'HTTP/1.1 200 OK\r\nno header\r\n\r\n',
  },
  {
    ...{ title: 'two lengths', closes: true, status: 200, body: '' },
    sent: 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nok',
  },
  {
    ...{ title: 'a refusal that does not end', closes: false, status: 500, body: 'no' },
    sent: 'HTTP/1.1 500 Oops\r\nContent-Length: 10\r\n\r\nno',
  },
]

describe('answers whose status alone decides', () => {
  let server: Server
  let sent = ''
  let closes = true
  const sockets = new Set<Socket>()
  const client = new GuardedClient({ allowed_networks: [parseNetwork('127.0.0.1/32')!], dns_servers: [] })
  before(async () => {
    server = createServer((socket) => {
      sockets.add(socket)
      socket.on('error', () => socket.destroy())
      socket.once('data', () => (closes ? socket.end(sent, 'latin1') : socket.write(sent, 'latin1')))
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  })
  after(() => {
    client.close()
    for (const socket of sockets) socket.destroy()
    server?.close()
  })

  const ask = async (changes: Partial<GuardedRequest> = {}) =>
    client.request({
      ...{
        method: 'POST',
        url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
        owner: 'acme',
      },
      ...{ body: '{}', timeoutMs: 1_500, maxResponseBytes: 4_096, tooLong: 'cut', onlyStatus: true },
      ...changes,
    })

  for (const answer of answers) {
    it(`are answers with ${answer.title}`, async () => {
      ;({ sent, closes } = answer)
      const { status, body } = await ask()
      expect({ status, body: body.toString() }).to.deep.equal({ status: answer.status, body: answer.body })
    })
  }

  it('are none without a status, or with one of an interim answer', async () => {
    for (const text of [
      '',
      'HTTP/1.1 ',
      'SSH-2.0-x\r\n',
      'HTTP/1.1 100 Continue\r\n\r\n',
      'HTTP/1.1 20 OK\r\n',
    ]) {
      ;[sent, closes] = [text, true]
      const outcome = await ask().catch((error: unknown) => error)
      expect(outcome, JSON.stringify(text)).to.be.instanceOf(RequestFailedError)
    }
  })

  it('are none where the status leads to another place that may not be asked', async () => {
    ;[sent, closes] = ['HTTP/1.1 307 Away\r\nLocation: http://10.0.0.1/\r\nContent-Length: 0\r\n\r\n', true]
    const outcome = await ask().catch((error: unknown) => error)
    expect((outcome as Error).message).to.equal('the URL must lead to a public address')
  })

  it('stay whole for those who need the body', async () => {
    ;({ sent, closes } = answers[1]!)
    expect(await ask({ onlyStatus: false }).catch((error: unknown) => error)).to.be.instanceOf(
      RequestFailedError,
    )
  })
})

describe('Retry-After', () => {
  const now = Date.parse('2026-11-26T10:00:00Z')
  it('holds seconds or a date, and is bounded by a day', () => {
    const read: [string | undefined, number | undefined][] = [
      ['0', 0],
      [' 7 ', 7_000],
      ['999999999', 86_400_000],
      ['Thu, 26 Nov 2026 10:00:30 GMT', 30_000],
      ['Thursday, 26-Nov-26 10:00:30 GMT', 30_000],
      ['Thu, 26 Nov 2026 09:00:00 GMT', 0],
      ['Fri, 26 Nov 2066 09:00:00 GMT', 86_400_000],
      ...[undefined, '', '-1', '1.5', '1e3', 'soon', '2026-11-26', 'Thu, 99 Nov 2026'].map(
        (text): [string | undefined, undefined] => [text, undefined],
      ),
    ]
    for (const [text, ms] of read) expect(retryAfterOf(text, now), text).to.equal(ms)
  })

  it('makes the pause before the next attempt no shorter, and ends with the last one', () => {
    const schedule = new RetrySchedule({ first_retry: 10, longest_pause: 60, retry_for: 600 }, () => 0.5)
    const begun = new Date(now)
    const row = { retries: 0, give_up_at: schedule.giveUpAt(begun) }
    const pause = (askedMs?: number) => Number(schedule.next(begun, row, askedMs)) - now
    expect([pause(), pause(3_000), pause(100_000), pause(86_400_000)]).to.deep.equal([
      ...[10_000, 10_000, 105_000, 600_000],
    ])
  })
})
