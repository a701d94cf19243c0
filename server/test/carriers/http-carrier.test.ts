/** A carrier over HTTP with the whole appliance: messages out, receipts and texts in. */
import { readFile } from 'node:fs/promises'
import { generateKeyPairSync, sign } from 'node:crypto'
import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { commonStatuses } from '../../src/adapters/sms/kinds/http/settings.js'
import { grouped } from '../../src/lib/grouped.js'
import { signatureOf } from '../../src/infrastructure/http-client/signature.js'
import { newNumberWith } from '../api/carrier-fixtures.js'
import { startUnlimited, succeed } from '../api/fixtures.js'
import { client, sendText } from '../api/message-fixtures.js'
import { type Answer, eventually } from '../support/api-client.js'
import type { Appliance, TestWorkspace } from '../support/appliance.js'
import { FileServer } from '../support/file-server.js'
import { HttpCarrierServer } from '../support/http-carrier.js'
import * as pictures from '../support/pictures.js'

const secret = 'what-the-carrier-signs-with'
const slow = { withinMs: 60_000 }

describe('a carrier over HTTP', function () {
  this.timeout(120_000)
  const server = new HttpCarrierServer()
  let appliance: Appliance
  let workspace: TestWorkspace
  let files: FileServer
  let carrier: string
  let from: string
  let ids = 0

  before(async () => {
    await server.start()
    files = await FileServer.start()
    appliance = await startUnlimited({ JACKFIELD_HTTP_CLIENT_ALLOWED_NETWORKS: '127.0.0.0/8' })
    workspace = await appliance.workspace()
    carrier = await newHttpCarrier()
    from = `+${(await newNumberWith(appliance, workspace, [carrier])).number.replace('+', '')}`
  })
  beforeEach(() => {
    server.submitted.length = 0
    server.answering = (_, response) => response.writeHead(202).end(JSON.stringify({ id: `m${++ids}` }))
  })
  after(async () => {
    await appliance?.stop()
    await Promise.all([server?.stop(), files?.stop()])
  })

  async function newHttpCarrier(settings: object = {}): Promise<string> {
    const made = {
      ...{ title: 'Green SMS', kind: 'http', window_size: 10, throughput: 100 },
      settings: {
        url: server.url(),
        body: '{"to": "{{to}}", "from": "{{from}}", "text": "{{body}}", "media": "{{media_urls}}", "ref": "{{message_id}}"}',
        headers: { Authorization: 'Bearer our-key-at-the-carrier' },
        ...{ message_id: '/id', error_code: '/code', error_message: '/reason', media: true },
        ...{ inbound_secret: secret, inbound_auth: 'signature' },
        inbound: { from: '/from', to: '/to', body: '/text', id: '/id', media: ['/media'] },
        receipts: { id: '/id', status: '/status', statuses: { ...commonStatuses, DELIVRD: 'delivered' } },
        ...settings,
      },
    }
    return (await succeed(appliance.operator.post('/carriers', made))).id as string
  }

  const stranger = () => appliance.operator.with({ authorization: undefined })

  async function post(
    to: 'inbound' | 'receipts',
    body: object,
    {
      of = carrier,
      caller = stranger(),
      headers,
    }: { of?: string; caller?: ReturnType<typeof stranger>; headers?: Record<string, string> } = {},
  ): Promise<Answer> {
    const content = JSON.stringify(body)
    return caller.request('POST', `/carriers/${of}/${to}`, {
      raw: { type: 'application/json', content },
      headers: headers ?? { 'jackfield-signature': signatureOf(content, secret, new Date()) },
    })
  }

  const shown = async (id: string) => succeed(workspace.api.get(`/messages/${id}`))
  const become = async (id: string, status: string) =>
    eventually(
      async () => shown(id),
      (message) => message.status === status,
      { ...slow, what: status },
    )
  const inbound = async () =>
    (await succeed(workspace.api.get('/messages?direction=inbound&limit=100'))).data as any[]

  it('is given each message once, as its settings say, and its receipts end it', async () => {
    const { id } = await succeed(sendText(workspace.api, from, { body: 'Grüße 😀 "quoted"' }))
    const sent = await become(id, 'sent')
    expect(sent).to.include({ cost: 0.01, error_code: null })
    expect(server.submitted.map(({ text }) => JSON.parse(text))).to.deep.equal([
      { to: client, from, text: 'Grüße 😀 "quoted"', ref: id },
    ])
    expect(server.submitted[0]!.headers.authorization).to.equal('Bearer our-key-at-the-carrier')
    const receipt = { id: `m${ids}`, status: 'sent' }
    expect((await post('receipts', receipt)).status).to.equal(204)
    expect((await shown(id)).status).to.equal('sent')
    for (let times = 0; times < 2; times++) {
      expect((await post('receipts', { ...receipt, status: 'delivrd' })).status).to.equal(204)
    }
    await become(id, 'delivered')
    expect((await post('receipts', { ...receipt, status: 'failed' })).status).to.equal(204)
    expect((await post('receipts', { id: 'unknown', status: 'failed' })).status).to.equal(204)
    expect((await shown(id)).status).to.equal('delivered')
    expect(server.submitted).to.have.length(1)
  })

  it('fetches the files of an MMS', async () => {
    const media_urls = [files.serve('/a.png', pictures.png), files.serve('/b.jpg', pictures.jpeg)]
    const { id } = await succeed(sendText(workspace.api, from, { body: '', media_urls }))
    await become(id, 'sent')
    const { media } = JSON.parse(server.submitted[0]!.text) as { media: string[] }
    const fetched = await Promise.all(
      media.map(async (url) => {
        const { hostname: host, pathname } = new URL(url)
        return stranger().with({ host }).get(pathname.replace('/api/v1', ''))
      }),
    )
    expect(fetched.map(({ headers }) => headers['content-type'])).to.deep.equal(['image/png', 'image/jpeg'])
    expect(fetched[1]!.body.equals(pictures.jpeg)).to.equal(true)
  })

  it('refuses for good, for now, or says wait', async () => {
    server.answer(422, { code: 21_211, reason: 'No such number' })
    const wrong = await succeed(sendText(workspace.api, from))
    const failed = await become(wrong.id, 'failed')
    expect(failed).to.include({ error_code: '21211', error_message: 'No such number', cost: null })
    const answers = [429, 500, 202]
    server.answering = (_, response) =>
      response.writeHead(answers.shift() ?? 202, { 'retry-after': '1' }).end(`{"id":"again${++ids}"}`)
    const { id } = await succeed(sendText(workspace.api, from))
    await become(id, 'sent')
    expect(answers).to.deep.equal([])
  })

  it('gets what was accepted while it was away', async () => {
    await server.stop()
    const sent = await Promise.all(
      Array.from({ length: 20 }, async () => succeed(sendText(workspace.api, from))),
    )
    await eventually(
      async () => succeed(appliance.operator.get(`/carriers/${carrier}/status`)),
      ({ state }) => state === 'down',
      slow,
    )
    await server.start()
    for (const { id } of sent) await become(id, 'sent')
    expect(new Set(server.submitted.map(({ text }) => JSON.parse(text).ref)).size).to.equal(20)
    expect(server.submitted).to.have.length(20)
  })

  it('gets each message once while the server is killed, and what it had not answered twice at most', async () => {
    const answered: string[] = []
    server.answering = ({ text }, response) => {
      const { ref } = JSON.parse(text) as { ref: string }
      setTimeout(() => {
        if (response.destroyed) return
        response.writeHead(202).end(JSON.stringify({ id: `m${++ids}` }))
        answered.push(ref)
      }, 30)
    }
    const sent = await Promise.all(
      Array.from({ length: 150 }, async () => succeed(sendText(workspace.api, from))),
    )
    await eventually(
      async () => answered.length,
      (count) => count > 20,
      slow,
    )
    await appliance.killServer()
    await appliance.startServer()
    for (const { id } of sent) await become(id, 'sent')
    const counts = grouped(server.submitted, ({ text }) => JSON.parse(text).ref as string)
    expect([...counts.keys()]).to.have.members(sent.map(({ id }) => id))
    const twice = [...counts.values()].filter((those) => those.length > 1)
    expect(twice.every((those) => those.length === 2)).to.equal(true)
    expect(twice.length).to.be.at.most(10)
  })

  it('brings texts, each once, and they survive the server being killed', async () => {
    const text = { from: '447700900123', to: from, text: 'Hi “there”', id: `in-${++ids}` }
    expect((await post('inbound', text)).status).to.equal(204)
    expect((await post('inbound', text)).status).to.equal(204)
    await appliance.killServer()
    await appliance.startServer()
    expect((await post('inbound', text)).status).to.equal(204)
    const those = (await inbound()).filter(({ body }) => body === text.text)
    expect(those).to.have.length(1)
    expect(those[0]).to.include({ from: '+447700900123', to: from, status: 'received', cost: null })
    expect((await post('inbound', { ...text, to: '+12025550999', id: 'x' })).status).to.equal(204)
  })

  it('writes numbers in the form of their country, which never become those of others', async () => {
    const digits = from.slice(1)
    const ours = [digits.slice(1), `0${digits.slice(1)}`, `011${digits}`, digits, `00${digits}`, from]
    for (const [index, to] of ours.entries()) {
      const text = { from: '(202) 555-0141', to, text: `to ${to}`, id: `national-${index}` }
      expect((await post('inbound', text)).status, to).to.equal(204)
    }
    const messages = (await inbound()).filter(({ body }) => body.startsWith('to '))
    expect(messages.map(({ body }) => body)).to.have.members(ours.map((to) => `to ${to}`))
    expect(new Set(messages.map((one) => `${one.from} ${one.to}`))).to.eql(new Set([`+12025550141 ${from}`]))
    await post('inbound', { from: '2025550142', to: digits, text: 'STOP', id: 'national-stop' })
    const refused = await workspace.api.post('/messages/send', { from, to: '+12025550142', body: 'Offer' })
    expect(refused.status).to.equal(400)
    const unknown = await post('inbound', { from: '2025550142', to: '!', text: 'x', id: 'national-none' })
    expect([unknown.status, unknown.body.message]).to.eql([204, undefined])
    const empty = await post('inbound', { from: '2025550142', to: ' ', text: 'x', id: 'national-empty' })
    expect(empty.status).to.equal(400)
    expect(empty.body.message).to.equal('to: The text names no recipient')
  })

  it('brings files, from its own server and others', async () => {
    const media = [
      files.serve('/in.jpg', pictures.jpeg),
      { url: files.serve('/page', Buffer.from('<html>')) },
      { url: files.serve('/in.gif', pictures.gif), content_type: 'text/html' },
    ]
    const text = { from: '+447700900124', to: from, text: 'Look', media, id: `in-${++ids}` }
    expect((await post('inbound', text)).status).to.equal(204)
    const [mms] = await eventually(
      async () => (await inbound()).filter(({ body, media: kept }) => body === 'Look' && kept.length > 0),
      (those) => those.length > 0,
      slow,
    )
    expect(mms.media.map(({ content_type }: { content_type: string }) => content_type)).to.deep.equal([
      ...['image/jpeg', 'image/gif'],
    ])
    expect(mms.media_urls).to.deep.equal(mms.media.map(({ url }: { url: string }) => url))
  })

  it('is believed nothing that it has not signed', async () => {
    const text = { from: '+447700900125', to: from, text: 'Forged', id: 'forged' }
    const content = JSON.stringify(text)
    const old = new Date(Date.now() - 400_000)
    for (const headers of [
      {},
      { 'jackfield-signature': signatureOf(content, 'another-secret-of-somebody', new Date()) },
      { 'jackfield-signature': signatureOf(content, secret, old) },
      { 'jackfield-signature': signatureOf(`${content} `, secret, new Date()) },
      { authorization: `Bearer ${secret}` },
    ] as Record<string, string>[]) {
      expect((await post('inbound', text, { headers })).status, JSON.stringify(headers)).to.equal(401)
      expect((await post('receipts', { id: 'm1', status: 'failed' }, { headers })).status).to.equal(401)
    }
    const silent = await newHttpCarrier({ inbound_secret: '' })
    const empty = { 'jackfield-signature': signatureOf(content, '', new Date()) }
    expect((await post('inbound', text, { of: silent, headers: empty })).status).to.equal(401)
    expect((await post('inbound', text, { of: 'car_unknown' })).status).to.equal(404)
    const caller = stranger().with({ host: `${workspace.id}.localhost` })
    expect((await post('inbound', text, { caller })).status).to.equal(404)
    await succeed(
      appliance.operator.patch(`/carriers/${silent}`, {
        is_active: false,
        settings: { inbound_secret: secret },
      }),
    )
    expect((await post('inbound', text, { of: silent })).status).to.equal(404)
    expect((await inbound()).filter(({ body }) => body === 'Forged')).to.deep.equal([])
  })

  it('may show its secret in place of a signature, and post forms', async () => {
    const shy = await newHttpCarrier({
      ...{ inbound_auth: 'token', inbound_secret: 'shown:as-it-is-16' },
      inbound: { from: '/From', to: '/To', body: '/Body', id: '/Sid', media: ['/Media0', '/Media1'] },
    })
    const number = `+${(await newNumberWith(appliance, workspace, [shy])).number.replace('+', '')}`
    const form = new URLSearchParams({ From: '+447700900126', To: number, Body: 'a=b&c+d', Sid: 's1' })
    const postForm = async (authorization: string, query = '') =>
      stranger().request('POST', `/carriers/${shy}/inbound${query}`, {
        raw: { type: 'application/x-www-form-urlencoded', content: form.toString() },
        headers: { authorization },
      })
    const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`
    expect((await postForm(basic('any:shown:as-it-is-17'))).status).to.equal(401)
    expect((await postForm(basic('any:shown:as-it-is-16'))).status).to.equal(204)
    expect((await postForm('Bearer shown:as-it-is-16')).status).to.equal(204)
    // A parameter of the carrier's own is not taken for the secret.
    expect((await postForm('Bearer shown:as-it-is-16', '?token=its-own')).status).to.equal(204)
    expect((await postForm('Bearer shown:as-it-is-17', '?token=its-own')).status).to.equal(401)
    expect((await inbound()).filter(({ body }) => body === 'a=b&c+d')).to.have.length(1)
  })

  it('is told what is wrong with a post', async () => {
    const { status, body } = await post('inbound', { from: '1' })
    expect(status).to.equal(400)
    expect(body.message).to.equal('There must be a text at /to')
    const large = await post('inbound', { from: '1', to: from, text: 'x'.repeat(1_100_000) })
    expect(large.status).to.equal(413)
    const signature = signatureOf('{}', secret, new Date())
    const packed = { 'content-encoding': 'gzip', 'jackfield-signature': signature }
    expect((await post('inbound', { from: '1' }, { headers: packed })).status).to.equal(415)
  })

  it('adds nothing in a query that its signature does not cover', async () => {
    const content = JSON.stringify({ from: client, text: 'To another', id: 'by-query' })
    const query = new URLSearchParams({ to: from }).toString()
    const { status, body } = await stranger().request('POST', `/carriers/${carrier}/inbound?${query}`, {
      raw: { type: 'application/json', content },
      headers: { 'jackfield-signature': signatureOf(content, secret, new Date()) },
    })
    expect([status, body.message]).to.deep.equal([400, 'There must be a text at /to'])
  })

  it('is read only as far as somebody may be it, and refused where it has been wrong too often', async () => {
    const limited = await appliance.startAnotherServer({ JACKFIELD_RATE_LIMITS_DEFAULT: '30' })
    const { host } = stranger()
    /** Begins a post and sends none of its body. @returns its status, or 0 where none came in a second */
    const begun = async (of: string, headers: Record<string, string>) => {
      const sent = request({
        ...{ host: '127.0.0.1', port: limited, method: 'POST', path: `/api/v1/carriers/${of}/inbound` },
        headers: { host, 'content-type': 'application/json', 'content-length': '900000', ...headers },
        agent: false,
      })
      sent.flushHeaders()
      const status = await new Promise<number>((resolve, reject) => {
        const late = setTimeout(() => resolve(0), 1_000)
        sent.on('error', reject)
        sent.on('response', ({ statusCode = 0 }) => {
          clearTimeout(late)
          resolve(statusCode)
        })
      })
      return { status, sent }
    }
    const left = 60_000 - (Date.now() % 60_000)
    if (left < 15_000) await sleep(left)
    expect((await begun('car_unknown', {})).status).to.equal(404)
    expect((await begun(carrier, {})).status).to.equal(401)
    const sign = () => ({ 'jackfield-signature': signatureOf('{}', secret, new Date()) })
    const reading = await Promise.all(Array.from({ length: 25 }, async () => begun(carrier, sign())))
    const statuses = reading.map(({ status }) => status)
    expect(statuses.filter((status) => status === 0)).to.have.length(20)
    expect(statuses.filter((status) => status === 503)).to.have.length(5)
    for (const { sent } of reading) sent.on('error', () => undefined).destroy()
    const caller = stranger().with({ port: limited })
    const wrong = { 'jackfield-signature': signatureOf('other', secret, new Date()) }
    const refused = []
    for (let times = 0; times < 31; times++)
      refused.push((await post('inbound', { from: '1' }, { caller, headers: wrong })).status)
    expect(refused.slice(0, 28)).to.deep.equal(Array(28).fill(401))
    expect(refused.at(-1)).to.equal(429)
    expect((await begun(carrier, sign())).status, 'it is not even read').to.equal(429)
    const other = await newHttpCarrier()
    expect((await post('inbound', { from: '1' }, { caller, of: other })).status, 'of another').to.equal(400)
    for (let times = 0; times < 31; times++) await post('inbound', {}, { caller, of: 'car_unknown' })
    expect((await post('inbound', {}, { caller, of: 'car_unknown' })).status).to.equal(429)
  })

  it('may post what no column holds', async () => {
    const odd = ['BÄNK', '\u0000', '\ud800', '😀'.repeat(200), '1'.repeat(500), '/../..', "' OR 1=1 --"]
    for (const value of odd) {
      const known = { from: '447700900127', to: from, text: 'Odd' }
      for (const text of [
        { ...known, from: value },
        { ...known, to: value },
        { ...known, id: value },
        { ...known, text: value },
      ]) {
        const { status } = await post('inbound', text)
        expect(status, JSON.stringify(text)).to.equal(204)
      }
      for (const receipt of [
        { id: value, status: 'failed' },
        { id: 'odd', status: 'failed', error_code: value, error_message: value, to: value },
      ]) {
        expect((await post('receipts', receipt)).status, JSON.stringify(receipt)).to.equal(204)
      }
      const path = encodeURIComponent(value.replace('\ud800', '\ufffd'))
      expect((await stranger().request('POST', `/carriers/${path}/inbound`)).status, path).to.be.oneOf([
        400, 404,
      ])
      const visitor = stranger().with({ host: `${workspace.id}.localhost` })
      expect((await visitor.get(`/media/${path}/${path}`)).status, path).to.be.oneOf([400, 404])
    }
  })

  it('can be set up as the documentation shows', async () => {
    const page = await readFile(
      new URL('../../../../docs/messages/http-carriers.md', import.meta.url),
      'utf8',
    )
    const [, example = ''] = /<<'END'\n(.*?)\nEND\n/s.exec(page) ?? []
    const made = await succeed(appliance.operator.post('/carriers', JSON.parse(example)))
    expect(made.settings.receipts).to.include({ id: '/data/id', error_code: '/error_code' })
    expect(JSON.stringify(made)).to.not.contain('0123456789abcdef').and.to.not.contain('16-or-more')
  })

  /** A post without a signature of ours. */
  const open = async (
    method: 'GET' | 'POST',
    path: string,
    {
      content = '',
      type = 'application/json',
      headers = {},
    }: { content?: string; type?: string; headers?: object } = {},
  ): Promise<number> =>
    (
      await stranger().request(method, `/carriers/${path}`, {
        ...(method === 'POST' && { raw: { type, content } }),
        headers: { ...headers },
      })
    ).status

  it('calls back by GET, and by POST with a query and a text, with the secret in the query', async () => {
    const of = await newHttpCarrier({
      ...{ inbound_auth: 'token', message_id: null },
      inbound: { from: '/from', to: '/to', body: '/body', id: '/id' },
      receipts: { id: '/id', status: '/status', statuses: { '1': 'delivered', '2': 'failed' } },
    })
    const ours = `+${(await newNumberWith(appliance, workspace, [of])).number.replace('+', '')}`
    const parties = `from=${client.replace('+', '')}&to=${ours.replace('+', '')}`
    expect(await open('GET', `${of}/inbound?${parties}&body=by+get&id=g1&token=${secret}`)).to.equal(204)
    const plain = { content: 'as a text €', type: 'text/plain; charset=UTF-8' }
    expect(await open('POST', `${of}/inbound?${parties}&id=g2&token=${secret}`, plain)).to.equal(204)
    expect(await open('GET', `${of}/inbound?${parties}&body=no&id=g3&token=${secret}x`)).to.equal(401)
    const found = (await inbound()).filter(({ to }) => to === ours).map(({ body }) => body)
    expect(found).to.have.members(['by get', 'as a text €'])
    // It has no id of its own: ours comes back.
    server.answering = (_, response) => response.writeHead(202).end('0: Accepted for delivery')
    const { id } = await succeed(sendText(workspace.api, ours, { body: 'Hi' }))
    await become(id, 'sent')
    expect(await open('GET', `${of}/receipts?id=${id}&status=1&token=${secret}`)).to.equal(204)
    await become(id, 'delivered')
  })

  it('posts texts and receipts to one URL', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519')
    const key = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64')
    const of = await newHttpCarrier({
      ...{ inbound_auth: 'telnyx', inbound_secret: key, message_id: '/data/id' },
      inbound: {
        ...{ from: '/data/payload/from/phone_number', to: '/data/payload/to/0/phone_number' },
        ...{ body: '/data/payload/text', id: '/data/payload/id', media: ['/data/payload/media'] },
      },
      receipts: { id: '/data/payload/id', status: '/data/payload/to/0/status', statuses: commonStatuses },
    })
    const ours = `+${(await newNumberWith(appliance, workspace, [of])).number.replace('+', '')}`
    server.answering = (_, response) => response.end('{"data":{"id":"tx-1"}}')
    const { id } = await succeed(sendText(workspace.api, ours, { body: 'Hi' }))
    await become(id, 'sent')
    const signed = async (at: string, payload: object) => {
      const content = JSON.stringify({ data: { payload } })
      const timestamp = String(Math.floor(Date.now() / 1000))
      const signature = sign(null, Buffer.from(`${timestamp}|${content}`), privateKey).toString('base64')
      const headers = { 'telnyx-timestamp': timestamp, 'telnyx-signature-ed25519': signature }
      return open('POST', `${of}/${at}`, { content, headers })
    }
    const received = {
      ...{ id: 'tx-2', from: { phone_number: client }, text: 'Yes', media: [] },
      to: [{ phone_number: ours, status: 'webhook_delivered' }],
    }
    expect(await signed('receipts', received)).to.equal(204)
    const sent = { id: 'tx-1', from: { phone_number: ours }, text: 'Hi', media: [] }
    expect(await signed('inbound', { ...sent, to: [{ phone_number: client, status: 'sent' }] })).to.equal(204)
    expect(
      await signed('inbound', { ...sent, to: [{ phone_number: client, status: 'delivered' }] }),
    ).to.equal(204)
    await become(id, 'delivered')
    expect((await inbound()).filter(({ to }) => to === ours).map(({ body }) => body)).to.deep.equal(['Yes'])
    expect(await open('POST', `${of}/inbound`, { content: '{}' })).to.equal(401)
  })

  it('tells that a client has opted out, in its answer or in a receipt', async () => {
    const of = await newHttpCarrier()
    const number = await newNumberWith(appliance, workspace, [of])
    const ours = `+${number.number.replace('+', '')}`
    const optedOut = async () =>
      (await succeed(workspace.api.get(`/opt-outs?phone_number_id=${number.id}`))).data.map(
        ({ client_number }: { client_number: string }) => client_number,
      )
    server.answering = (_, response) =>
      response.writeHead(400).end('{"code":21610,"reason":"Attempt to send to unsubscribed recipient"}')
    const first = await succeed(sendText(workspace.api, ours, { body: 'Hi' }))
    expect(await become(first.id, 'failed')).to.include({ error_code: '21610' })
    expect(await optedOut()).to.deep.equal([client])
    const again = await sendText(workspace.api, ours, { body: 'Hi' })
    expect(again.status).to.equal(400)
    await succeed(workspace.api.delete(`/opt-outs/${number.id}/${encodeURIComponent(client)}`))
    server.answering = (_, response) => response.writeHead(202).end('{"id":"o1"}')
    const second = await succeed(sendText(workspace.api, ours, { body: 'Hi' }))
    await become(second.id, 'sent')
    expect(
      (await post('receipts', { id: 'o1', status: 'failed', error_code: 21610 }, { of })).status,
    ).to.equal(204)
    await become(second.id, 'undelivered')
    expect(await optedOut()).to.deep.equal([client])
  })
})
