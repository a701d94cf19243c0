/** Callbacks to servers that answer well, badly, or not at all: there is always an answer, and in time. */
import { createHmac } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { expect } from 'chai'
import { pino } from 'pino'
import {
  type CallbackAnswer,
  CallbackClient,
  callbackDeadlineMs,
  maxAnswerBytes,
} from '../../src/infrastructure/callbacks/callback-client.js'
import { parseNetwork } from '../../src/lib/networks.js'
import { GuardedClient } from '../../src/infrastructure/http-client/guarded-client.js'
import { CustomerServer, answering, misbehaviours, writing } from '../support/customer-server.js'
import { DnsServer } from '../support/dns-server.js'

describe('callbacks', function () {
  this.timeout(30_000)

  /** 127.0.0.2 stands for the Internet, 127.0.0.1 for what must not be reached. */
  let server: CustomerServer
  let hidden: CustomerServer
  let dns: DnsServer
  let guarded: GuardedClient
  let secretOf: (workspace: { id: string }) => Promise<string>
  let client: CallbackClient

  before(async () => {
    server = await CustomerServer.start('127.0.0.2')
    hidden = await CustomerServer.start()
    dns = await DnsServer.start((name) => (name === 'hidden.test' ? ['127.0.0.1'] : undefined))
    guarded = new GuardedClient({
      allowed_networks: [parseNetwork('127.0.0.2/32')!],
      dns_servers: [dns.address],
    })
    client = new CallbackClient({
      client: guarded,
      secretOf: async (workspace) => secretOf(workspace),
      log: pino({ level: 'silent' }),
    })
  })
  beforeEach(() => (secretOf = async ({ id }) => `secret of ${id}`))
  afterEach(() => expect(hidden.asked, 'what must not be reached').to.deep.equal([]))
  after(async () => {
    guarded?.close()
    dns?.close()
    await Promise.all([server?.stop(), hidden?.stop()])
  })

  const ask = async (
    url: string,
    workspace = 'acme',
    headers?: Record<string, string>,
  ): Promise<CallbackAnswer> =>
    client.ask({
      ...{ workspace: { id: workspace }, callId: 'call_1', server: { url, ...(headers && { headers }) } },
      ...{ event: 'call_flow.jca', body: { call_id: 'call_1' } },
    })

  /** The kind of failure, with the exchange that the timeline shows. */
  async function failing(url: string) {
    const since = Date.now()
    const answer = await ask(url)
    if (answer.ok) throw new Error(`unexpected: ${answer.text}`)
    expect(Date.now() - since, 'milliseconds').to.be.below(callbackDeadlineMs + 2_000)
    expect(answer.message).to.be.a('string').with.length.above(5)
    return { error: answer.error, message: answer.message, ...answer.exchange }
  }

  it('post what is asked, signed with the secret of the workspace, and read an object', async () => {
    const url = server.on('/good', answering({ name: 'Zoé', list: [1] }))
    const answer = await ask(url)
    expect(answer).to.deep.include({ ok: true, status: 200, json: { name: 'Zoé', list: [1] } })
    const [asked] = server.at('/good')
    expect(asked?.body).to.deep.equal({ event: 'call_flow.jca', call_id: 'call_1' })
    expect(asked?.headers['content-type']).to.equal('application/json')
    const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(asked?.headers['jackfield-signature'])) ?? []
    expect(v1).to.equal(createHmac('sha256', 'secret of acme').update(`${t}.${asked?.text}`).digest('hex'))
    expect(Math.abs(Date.now() / 1000 - Number(t))).to.be.below(60)
    expect(answer.exchange).to.deep.include({ url, status: 200, request: asked?.text })
    expect(answer.exchange.response).to.equal('{"name":"Zoé","list":[1]}')
  })

  it('send headers of the customer’s own, and credentials in the URL, and show neither', async () => {
    const url = server.on('/own', answering({}))
    const named = url.replace('//', '//zoe:p%40ss@')
    const answer = await ask(named, 'acme', { 'X-Api-Key': 'k_1', 'Jackfield-Signature': 'mine' })
    const [asked] = server.at('/own')
    expect(asked?.headers).to.include({
      'x-api-key': 'k_1',
      authorization: `Basic ${Buffer.from('zoe:p@ss').toString('base64')}`,
    })
    expect(asked?.headers['jackfield-signature']).to.match(/^t=/)
    expect(answer.exchange).to.include({ url, status: 200 })
    expect(JSON.stringify(answer.exchange)).to.not.match(/k_1|ss@|zoe/)
  })

  it('send them to no other server that a redirect leads to', async () => {
    const other = await CustomerServer.start('127.0.0.2')
    try {
      const location = other.on('/other', answering({}))
      const url = server.on('/leads', (_, response) => response.writeHead(307, { location }).end())
      const answer = await ask(url.replace('//', '//zoe:pass@'), 'acme', { 'X-Api-Key': 'k_1' })
      expect(answer.ok).to.equal(true)
      const [asked] = other.at('/other')
      expect(asked?.headers).to.not.have.any.keys('x-api-key', 'authorization')
    } finally {
      await other.stop()
    }
  })

  it('take any 2xx, and a text that begins with a byte order mark', async () => {
    expect(await ask(server.on('/created', answering({ a: 1 }, 201)))).to.deep.include({
      ok: true,
      status: 201,
    })
    expect(await ask(server.on('/bom', writing('\ufeff{"a":1}')))).to.deep.include({
      ok: true,
      text: '{"a":1}',
    })
  })

  it('say what is wrong with an answer', async () => {
    const wrong: Record<string, [string, Parameters<CustomerServer['on']>[1]]> = {
      status: ['the answer was 500 instead of 200', answering({ a: 1 }, 500)],
      not_json: ['the answer is not JSON', writing('<html>')],
      not_object: ['the answer is not a JSON object', answering([{ a: 1 }])],
      too_long: [`the answer is longer than ${maxAnswerBytes} bytes`, misbehaviours.endless],
      invalid: [
        'the answer has more than 64 levels',
        writing(`{"a":${'['.repeat(30_000)}${']'.repeat(30_000)}}`),
      ],
    }
    for (const [error, [message, behaviour]] of Object.entries(wrong)) {
      const found = await failing(server.on(`/${error}`, behaviour))
      expect(found, error).to.include({ error, message })
    }
    for (const text of ['null', '"text"', '1', 'true', '[]']) {
      expect(await failing(server.on('/x', writing(text))), text).to.include({ error: 'not_object' })
    }
    for (const body of ['', '{', '{"a":1}x', '{"a":"\n"}']) {
      expect(await failing(server.on('/x', writing(body))), body).to.include({ error: 'not_json' })
    }
    const zipped = writing(gzipSync('{"a":1}'), { 'content-encoding': 'gzip' })
    expect(await failing(server.on('/gzip', zipped))).to.include({
      ...{ error: 'not_json', message: 'the answer is gzip, which was not asked for' },
      response: '(27 bytes of gzip)',
    })
  })

  it('take the longest answer that is read, and show its beginning', async () => {
    const text = `{"a":"${'x'.repeat(maxAnswerBytes - 8)}"}`
    const answer = await ask(server.on('/longest', writing(text)))
    expect(answer.ok && answer.text).to.equal(text)
    expect(answer.exchange.response).to.equal(text.slice(0, 4_096))
    expect(await failing(server.on('/longest', writing(`${text} `)))).to.include({ error: 'too_long' })
  })

  it('wait for no server longer than the deadline', async () => {
    const late = `no whole answer within ${callbackDeadlineMs / 1000} s`
    const urls = [
      server.on('/hangs', misbehaviours.hangs),
      server.on('/drips', misbehaviours.drips),
      'http://silent.test/',
    ]
    for (const found of await Promise.all(urls.map(failing)))
      expect(found).to.include({ error: 'timeout', message: late, status: null, response: null })
  })

  it('survive connections that break, or are never made', async () => {
    const closed = await CustomerServer.start('127.0.0.2')
    const gone = closed.url('/')
    await closed.stop()
    for (const url of [gone, server.on('/resets', misbehaviours.resets)]) {
      expect(await failing(url), url).to.include({ error: 'network', response: null })
    }
  })

  it('lead nowhere private, neither at once nor by a redirect', async () => {
    const there = hidden.url('/secret')
    const redirects = (location: string) =>
      server.on('/redirects', (_, response) => response.writeHead(307, { location }).end())
    for (const url of [there, 'http://169.254.169.254/', there.replace('127.0.0.1', 'hidden.test')]) {
      expect(await failing(url), url).to.include({ error: 'refused' })
      expect(await failing(redirects(url)), url).to.include({ error: 'refused', response: null })
    }
    expect(await failing(redirects('/redirects'))).to.include({ message: 'more than 3 redirects' })
    expect(await failing('no URL')).to.include({ error: 'refused', url: 'no URL' })
  })

  it('fail when they cannot be signed', async () => {
    secretOf = async () => Promise.reject(new Error('the database is away: password=x'))
    const found = await failing(server.url('/good'))
    expect(found).to.include({ error: 'internal', message: 'the platform could not ask' })
  })

  it('of a workspace whose server hangs hold nobody else’s', async () => {
    const hangs = server.on('/hangs', misbehaviours.hangs)
    const neighbour = await CustomerServer.start('127.0.0.2')
    const good = neighbour.on('/good', answering({ a: 1 }))
    const before = server.at('/hangs').length
    const held = Array.from({ length: 80 }, async () => ask(hangs, 'slow'))
    const [mine, other] = await Promise.all([ask(good, 'slow'), ask(good, 'fast')])
    expect(other.ok).to.equal(true)
    expect(mine).to.deep.include({ ok: false, error: 'timeout' })
    for (const answer of await Promise.all(held)) expect(answer).to.deep.include({ error: 'timeout' })
    // One may get its turn in the last moment.
    expect(server.at('/hangs').length - before, 'of 80').to.be.within(40, 50)
    expect((await ask(good, 'slow')).ok).to.equal(true)
    await neighbour.stop()
  })
})
