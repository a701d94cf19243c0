/** A link to a carrier over HTTP, against a real server. */
import { expect } from 'chai'
import { parseNetwork } from '../../src/lib/networks.js'
import { HttpLink } from '../../src/adapters/sms/kinds/http/http-link.js'
import { type HttpCarrierSettings, commonStatuses } from '../../src/adapters/sms/kinds/http/settings.js'
import { type LinkHealth, type OutboundText, type Segment, SubmitError } from '../../src/adapters/sms/link.js'
import { NUMBER_DEFAULTS } from '../../src/adapters/sms/numbers.js'
import { eventually } from '../support/api-client.js'
import { HttpCarrierServer } from '../support/http-carrier.js'

const text: OutboundText = {
  ...{ id: 'msg_1', from: '12025550100', to: '447700900123', body: 'Say "hi" & 20% off\n€😀' },
  ...{ encoding: 'ucs2', media: [] },
}
const photo = { url: 'http://acme.localhost/api/v1/media/att_1/abc', content_type: 'image/png', bytes: 70 }

const loopback = { allowed_networks: [parseNetwork('127.0.0.0/8')!], dns_servers: [] }

describe('a link to a carrier over HTTP', () => {
  const carrier = new HttpCarrierServer()
  const links: HttpLink[] = []
  let told: LinkHealth[] = []

  before(async () => carrier.start())
  afterEach(async () => {
    await Promise.all(links.splice(0).map(async (link) => link.stop()))
    carrier.submitted.length = 0
    told = []
  })
  after(async () => carrier?.stop())

  function linkWith(
    changes: Partial<HttpCarrierSettings> = {},
    { window = 10, network = loopback } = {},
  ): HttpLink {
    const settings: HttpCarrierSettings = {
      ...{ url: carrier.url(), method: 'POST', content_type: 'application/json' },
      body: '{"from": "{{from}}", "to": "{{to}}", "text": "{{body}}", "media": "{{media_urls}}", "parts": "{{segments}}"}',
      ...{
        ...NUMBER_DEFAULTS,
        number_format: 'plus',
        message_id: '/data/0/id',
        success_statuses: [],
        success_value: null,
      },
      ...{ error_code: '/error/code', error_message: '/error/text', media: true, timeout_seconds: 5 },
      ...{ refusals: {}, encodings: { gsm7: 'gsm7', ucs2: 'ucs2' }, kinds: null },
      inbound_auth: 'signature',
      inbound: { items: null, from: '/from', to: '/to', body: '/text', id: '/id', media: [] },
      receipts: {
        ...{ items: null, id: '/id', status: '/status', to: null, error_code: null, error_message: null },
        statuses: commonStatuses,
      },
      ...changes,
    }
    const link = new HttpLink({
      ...{ settings, secrets: { headers: { Authorization: 'Bearer secret' } }, window, network },
      holder: { changed: (health) => told.push(health) },
    })
    links.push(link)
    link.start()
    return link
  }

  async function submit(link: HttpLink, message = text): Promise<string | null> {
    return link.submit(link.segmentsOf(message)[0] as Segment)
  }

  async function refusal(link: HttpLink, message = text): Promise<SubmitError> {
    return submit(link, message).then(
      (id) => {
        throw new Error(`it was taken as ${id}`)
      },
      (error: unknown) => {
        expect(error).to.be.instanceOf(SubmitError)
        return error as SubmitError
      },
    )
  }

  it('submits as its template says, as JSON, and finds the id', async () => {
    carrier.answer(202, { data: [{ id: 'abc' }] })
    const link = linkWith()
    expect(link.segmentsOf({ ...text, body: 'x'.repeat(1_000) })).to.have.length(1)
    expect(await submit(link)).to.equal('abc')
    await submit(link, { ...text, media: [photo] })
    const [plain, withPhoto] = carrier.submitted
    expect(plain).to.include({ method: 'POST', path: '/messages' })
    expect(plain!.headers).to.include({ authorization: 'Bearer secret', 'content-type': 'application/json' })
    const sent = { from: '+12025550100', to: '+447700900123', text: text.body, parts: 1 }
    expect(JSON.parse(plain!.text)).to.deep.equal(sent)
    expect(JSON.parse(withPhoto!.text)).to.deep.equal({ ...sent, media: [photo.url] })
  })

  it('submits forms, in the body or the query', async () => {
    carrier.answer(200, {}, { 'X-Message-Id': '77' })
    const form = {
      content_type: 'application/x-www-form-urlencoded',
      body: 'key=a%26b&to={{to}}&text={{body}}&media={{media_urls}}',
      number_format: 'digits',
      message_id: 'header:X-Message-Id',
    } as const
    expect(await submit(linkWith(form), { ...text, media: [photo, photo] })).to.equal('77')
    await submit(linkWith({ ...form, method: 'GET', url: carrier.url('/send?v=2') }))
    const [post, get] = carrier.submitted
    const fields = [
      ['key', 'a&b'],
      ['to', '447700900123'],
      ['text', text.body],
    ]
    expect([...new URLSearchParams(post!.text)]).to.deep.equal([
      ...fields,
      ...[photo, photo].map(({ url }) => ['media', url]),
    ])
    expect(get).to.include({ method: 'GET', text: '' })
    const query = new URL(get!.path, 'http://x').searchParams
    expect([...query]).to.deep.equal([['v', '2'], ...fields])
  })

  it('keeps ids that are numbers as they are written, and those that no column holds as a hash', async () => {
    carrier.answering = (_, response) => response.end('{"data":[{"id": 9007199254740993}]}')
    expect(await submit(linkWith())).to.equal('9007199254740993')
    carrier.answer(200, { data: [{ id: 'é'.repeat(200) }] })
    expect(await submit(linkWith())).to.match(/^[0-9a-f]{64}$/)
    carrier.answering = (_, response) => response.end('thank you')
    expect(await submit(linkWith())).to.equal(null)
  })

  it('tells one refusal from the other', async () => {
    const link = linkWith()
    const body = { error: { code: 21211, text: 'No such number' } }
    for (const [status, kind] of [
      ...([400, 422, 413] as const).map((one) => [one, 'permanent'] as const),
      ...([302, 401, 402, 403, 404] as const).map((one) => [one, 'carrier'] as const),
      ...([500, 502, 503, 408] as const).map((one) => [one, 'temporary'] as const),
      ...([429] as const).map((one) => [one, 'throttled'] as const),
      ...([504] as const).map((one) => [one, 'unanswered'] as const),
    ]) {
      carrier.answer(status, body, { location: carrier.url('/elsewhere') })
      const error = await refusal(link)
      expect(error.kind, `${status}`).to.equal(kind)
      expect(error).to.include({ code: '21211', message: 'No such number', retryAfterMs: undefined })
    }
    expect(carrier.submitted.every(({ path }) => path === '/messages')).to.equal(true)
    carrier.answer(503, {}, { 'Retry-After': '7' })
    expect(await refusal(link)).to.include({ kind: 'throttled', code: '503', retryAfterMs: 7_000 })
    carrier.answer(429, {}, { 'Retry-After': new Date(Date.now() + 60_000).toUTCString() })
    expect((await refusal(link)).retryAfterMs).to.be.within(50_000, 60_000)
    carrier.answer(429, {}, { 'Retry-After': '999999999' })
    expect((await refusal(link)).retryAfterMs).to.equal(3_600_000)
  })

  it('believes a carrier that answers 200 whatever happens only what it says', async () => {
    const link = linkWith({
      ...{ message_id: '/id', success_value: { pointer: '/status', values: ['0', 'ok'] } },
    })
    carrier.answer(200, { status: 0, id: 'a' })
    expect(await submit(link)).to.equal('a')
    carrier.answer(200, { status: 5, id: 'a', error: { code: 5, text: 'Throttled' } })
    expect(await refusal(link)).to.include({ kind: 'permanent', code: '5' })
    const strict = linkWith({ success_statuses: [202] })
    carrier.answer(200)
    expect(await refusal(strict)).to.include({ kind: 'carrier', code: '200' })
  })

  it('reads what a refusal means by its codes, whatever the status', async () => {
    const refusals = {
      21610: 'opted_out',
      1: 'throttled',
      '30022': 'destination',
      ERR7: 'temporary',
      403: 'permanent',
    } as const
    const link = linkWith({ refusals, success_value: { pointer: '/status', values: ['0'] } })
    const answered = async (status: number, body: object, headers = {}) => {
      carrier.answer(status, body, headers)
      return refusal(link)
    }
    expect(await answered(400, { error: { code: 21610 } })).to.include({ kind: 'opted_out', code: '21610' })
    expect(await answered(200, { status: '1' })).to.include({ kind: 'throttled', code: '1' })
    expect(await answered(429, { error: { code: 30022 } }, { 'Retry-After': '3' })).to.include({
      ...{ kind: 'destination', retryAfterMs: 3_000 },
    })
    expect(await answered(400, { error: { code: 'err7' } })).to.include({ kind: 'temporary' })
    expect(await answered(403, { error: { code: 5 } })).to.include({ kind: 'permanent', code: '5' })
    expect(await answered(200, { status: '9' })).to.include({ kind: 'permanent', code: '9' })
    expect(link.health.state).to.equal('up')
  })

  it('reads answers that are plain texts', async () => {
    const link = linkWith({
      ...{
        message_id: '/words/1',
        success_value: { pointer: '/words/0', values: ['OK'] },
        error_code: '/words/1',
      },
      ...{ error_message: '/text', refusals: { 105: 'temporary' } },
    })
    carrier.answering = (_, response) => response.end('OK: 4711\n')
    expect(await submit(link)).to.equal('4711')
    carrier.answering = (_, response) => response.end('ERR: 105, try later')
    expect(await refusal(link)).to.include({ kind: 'temporary', code: '105', message: 'ERR: 105, try later' })
  })

  it('says the encoding in the words of the carrier', async () => {
    const link = linkWith({
      ...{ content_type: 'application/x-www-form-urlencoded', body: 'type={{encoding}}' },
      encodings: { gsm7: 'text', ucs2: 'unicode' },
    })
    carrier.answer(200, {})
    await submit(link)
    await submit(link, { ...text, body: 'Hi', encoding: 'gsm7' })
    expect(carrier.submitted.map(({ text: body }) => body)).to.deep.equal(['type=unicode', 'type=text'])
  })

  it('knows what may have arrived from what cannot', async () => {
    carrier.answering = () => undefined
    expect(await refusal(linkWith({ timeout_seconds: 0.3 }))).to.include({
      kind: 'unanswered',
      code: 'timeout',
    })
    carrier.answering = (_, response) => response.socket?.destroy()
    expect(await refusal(linkWith())).to.include({ kind: 'unanswered', code: 'connection_lost' })
    carrier.answering = (_, response) =>
      response.writeHead(200, { 'content-length': '50' }).write('half', () => response.socket?.destroy())
    expect(await refusal(linkWith())).to.include({ kind: 'unanswered', code: 'connection_lost' })
    await carrier.stop()
    expect(await refusal(linkWith())).to.include({ kind: 'temporary', code: 'unreachable' })
    await carrier.start()
    const guarded = linkWith({}, { network: { allowed_networks: [], dns_servers: [] } })
    expect(await refusal(guarded)).to.include({ kind: 'carrier', code: 'address_refused' })
    const texts = linkWith({ media: false })
    expect(await refusal(texts, { ...text, media: [photo] })).to.include({
      kind: 'carrier',
      code: 'no_media',
    })
  })

  it('is down after some failures in a row, and up again with the first answer, or after a pause', async () => {
    carrier.answer(500)
    const link = linkWith()
    expect(link.health).to.include({ state: 'up', last_error: null })
    await refusal(link)
    await refusal(link)
    expect(link.health.state).to.equal('up')
    await refusal(link)
    expect(link.health.state).to.equal('down')
    expect(link.health.last_error).to.contain('500')
    carrier.answer(400)
    await refusal(link)
    expect(link.health).to.include({ state: 'up', last_error: null })
    carrier.answer(401)
    for (let tries = 0; tries < 3; tries++) await refusal(link)
    expect(link.health.state).to.equal('down')
    await eventually(
      async () => link.health.state,
      (state) => state === 'up',
      { withinMs: 30_000 },
    )
    expect(told.map(({ state }) => state)).to.deep.equal(['up', 'down', 'up', 'down', 'up'])
  })

  it('keeps its connections, as many as its window', async () => {
    const before = carrier.connections
    carrier.answering = (_, response) => setTimeout(() => response.end('{}'), 5)
    const link = linkWith({}, { window: 4 })
    for (let round = 0; round < 10; round++)
      await Promise.all(Array.from({ length: 4 }, async () => submit(link)))
    expect(carrier.submitted).to.have.length(40)
    expect(carrier.connections - before).to.be.at.most(4)
  })

  it('waits for what is under way when it is stopped', async () => {
    carrier.answering = (_, response) => setTimeout(() => response.end('{"data":[{"id":"late"}]}'), 300)
    const link = linkWith()
    const submitted = submit(link)
    await eventually(
      async () => carrier.submitted.length,
      (length) => length === 1,
    )
    await link.stop()
    expect(await submitted).to.equal('late')
    expect(link.health.state).to.equal('down')
  })
})
