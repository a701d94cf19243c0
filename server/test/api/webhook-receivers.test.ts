/** Receivers of other makers: answers that are never whole, credentials, own headers, and the library of Standard Webhooks. */
import { once } from 'node:events'
import { type Server, createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { type ApiClient, eventually } from '../support/api-client.js'
import type { Appliance, TestWorkspace } from '../support/appliance.js'
import { type Received, WebhookReceiver } from '../support/webhook-receiver.js'
import { tablesHolding } from './database.js'
import { customTool, fieldsOf, keyWith, newVoiceAgent, startUnlimited, succeed } from './fixtures.js'

const mask = '********'
const password = 'TOP-SECRET-PASSWORD'

describe('receivers of webhooks', () => {
  let appliance: Appliance
  let workspace: TestWorkspace
  let api: ApiClient
  let reader: ApiClient
  const receiver = new WebhookReceiver()
  before(async () => {
    await receiver.start()
    appliance = await startUnlimited({
      JACKFIELD_HTTP_CLIENT_ALLOWED_NETWORKS: '127.0.0.1/32',
      JACKFIELD_WEBHOOKS_FIRST_RETRY: '1',
      JACKFIELD_WEBHOOKS_RETRY_FOR: '60',
    })
    workspace = await appliance.workspace()
    api = workspace.api
    reader = await keyWith(workspace, { scope: 'any', role: 'viewer' })
  })
  after(async () => {
    await appliance?.stop()
    await receiver?.stop()
  })

  let paths = 0
  async function subscribe(changes: object = {}, urlOf = (url: string) => url) {
    const path = `/hook-${(paths += 1)}`
    const body = { url: urlOf(receiver.url(path)), events: ['message.sent'], ...changes }
    return { path, hook: await succeed(api.post('/webhooks', body)) }
  }

  const deliveriesOf = async (id: string): Promise<Record<string, any>[]> =>
    (await succeed(api.get(`/webhooks/${id}/deliveries`))).data

  async function test({ path, hook }: { path: string; hook: { id: string } }): Promise<Received> {
    const before = receiver.at(path).length
    await succeed(api.post(`/webhooks/${hook.id}/test`))
    const all = await eventually(
      async () => receiver.at(path),
      ({ length }) => length > before,
    )
    return all.at(-1)!
  }

  it('that answer 2xx have the event, though their answer never ends', async () => {
    const server: Server = createServer((socket) => {
      socket.on('error', () => socket.destroy())
      socket.once('data', () =>
        socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n'),
      )
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    try {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
      const { hook } = await subscribe({ url })
      await succeed(api.post(`/webhooks/${hook.id}/test`))
      const [delivery] = await eventually(
        async () => deliveriesOf(hook.id),
        ([one]) => one?.['attempts'] > 0,
      )
      expect(delivery).to.include({ status: 'delivered', response_status: 200, error: null, attempts: 1 })
    } finally {
      server.close()
    }
  })

  it('are left alone for as long as they ask', async () => {
    const { hook, path } = await subscribe()
    receiver.retryAfter = '30'
    try {
      for (const [status, least] of [
        [503, 25],
        [429, 25],
        [500, 0],
      ] as const) {
        receiver.answering = (one) => (one.path === path ? status : 204)
        await succeed(api.post(`/webhooks/${hook.id}/test`))
        const [delivery] = await eventually(
          async () => deliveriesOf(hook.id),
          ([one]) => one?.['attempts'] > 0,
        )
        const pause = Date.parse(delivery!['next_attempt_at']) - Date.parse(delivery!['attempted_at'])
        if (least > 0) expect(pause, String(status)).to.be.within(least * 1_000, 40_000)
        else expect(pause, String(status)).to.be.below(10_000)
      }
    } finally {
      receiver.retryAfter = undefined
      receiver.answering = () => 204
    }
  })

  it('are shown credentials of the URL, which are kept sealed among the headers', async () => {
    const basic = `Basic ${Buffer.from(`us er:${password}é`).toString('base64')}`
    const withUser = (url: string) => url.replace('//', `//us%20er:${password}%C3%A9@`)
    const made = await subscribe({}, withUser)
    expect(made.hook).to.deep.include({ url: receiver.url(made.path), headers: { Authorization: basic } })
    expect((await test(made)).headers.authorization).to.equal(basic)
    expect(await tablesHolding(appliance, password)).to.deep.equal([])
    const { id } = made.hook
    const moved = await succeed(api.patch(`/webhooks/${id}`, { url: receiver.url(made.path) }))
    expect(moved.headers, 'a URL without credentials leaves them').to.deep.equal({ Authorization: basic })
    const other = receiver.url(made.path).replace('//', '//a:b@')
    expect((await succeed(api.patch(`/webhooks/${id}`, { url: other }))).headers).to.deep.equal({
      Authorization: 'Basic YTpi',
    })
    const both = await api.patch(`/webhooks/${id}`, { url: other, headers: { authorization: 'x' } })
    expect(both.body.message).to.equal('url must hold no credentials beside headers.authorization')
    for (const broken of ['//a%3Ab:c@', '//a%ff:c@', '//a%0a:c@']) {
      const answer = await api.patch(`/webhooks/${id}`, { url: other.replace('//a:b@', broken) })
      expect(fieldsOf(answer), broken).to.deep.equal(['url'])
    }
  })

  it('are sent own headers, which readers see masked and a mask keeps', async () => {
    const headers = { 'X-Api-Key': password, Authorization: `Bearer ${password}` }
    const made = await subscribe({ headers })
    const own = `/webhooks/${made.hook.id}`
    expect(made.hook.headers).to.deep.equal(headers)
    const { headers: sent } = await test(made)
    expect(sent).to.include({ 'x-api-key': password, authorization: headers.Authorization })
    expect(sent['jackfield-signature']).to.match(/^t=\d+,v1=[0-9a-f]{64}$/)
    const masked = { 'X-Api-Key': mask, Authorization: mask }
    expect((await succeed(reader.get(own))).headers).to.deep.equal(masked)
    const kept = await succeed(api.patch(own, { headers: { 'X-Api-Key': mask, 'X-New': '1' } }))
    expect(kept.headers).to.deep.equal({ 'X-Api-Key': password, 'X-New': '1' })
    expect(fieldsOf(await api.patch(own, { headers: { 'X-Other': mask } }))).to.deep.equal([
      'headers.X-Other',
    ])
    const [delivery] = await deliveriesOf(made.hook.id)
    const detail = await succeed(api.get(`${own}/deliveries/${delivery!['id']}`))
    expect(detail.request.headers).to.include({ 'X-Api-Key': mask, 'webhook-id': delivery!['event_id'] })
    expect(
      JSON.stringify(await succeed(reader.get(`/audit-log?target_id=${made.hook.id}`)).catch(() => '')),
    ).not.to.include(password)
    expect(await tablesHolding(appliance, password)).to.deep.equal([])
    expect((await succeed(api.patch(own, { headers: {} }))).headers).to.deep.equal({})
    expect((await test(made)).headers).not.to.have.property('x-api-key')
  })

  it('cannot be sent headers of the connection, or ours', async () => {
    const names = [
      ...[
        'Host',
        'content-length',
        'Transfer-Encoding',
        'Connection',
        'Keep-Alive',
        'TE',
        'Trailer',
        'Upgrade',
      ],
      ...[
        'Proxy-Authorization',
        'Expect',
        'Content-Type',
        'Jackfield-Signature',
        'jackfield-event',
        'Jackfield-X',
      ],
      ...['webhook-id', 'Webhook-Timestamp', 'webhook-signature', 'traceparent'],
    ]
    const body = { url: receiver.url(), events: ['*'] }
    const tools = `/voice-agents/${await newVoiceAgent(api)}/tools`
    for (const name of names) {
      const refused = await api.post('/webhooks', { ...body, headers: { [name]: 'x' } })
      expect(refused.status, name).to.equal(400)
      expect(refused.body.message).to.equal(`headers.${name} is set by the platform itself`)
      const tool = await api.post(tools, { ...customTool, webhook_headers: { [name]: 'x' } })
      expect(fieldsOf(tool), name).to.deep.equal([`webhook_headers.${name}`])
    }
    const twice = await api.post('/webhooks', { ...body, headers: { 'X-A': '1', 'x-a': '2' } })
    expect(twice.body.message).to.equal('headers.x-a is there twice')
    for (const [name, value] of [
      ['X Y', '1'],
      ['X-Y:', '1'],
      ['X-Y', 'a\r\nX-Z: 1'],
      ['X-Y', 'é'],
    ] as const)
      expect((await api.post('/webhooks', { ...body, headers: { [name]: value } })).status, name).to.equal(
        400,
      )
    const many = Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`X-${index}`, '1']))
    expect(fieldsOf(await api.post('/webhooks', { ...body, headers: many }))).to.deep.equal(['headers'])
  })

  it('take credentials of a tool from its URL as well', async () => {
    const tools = `/voice-agents/${await newVoiceAgent(api)}/tools`
    const tool = await succeed(
      api.post(tools, {
        ...customTool,
        webhook_headers: { 'X-A': '1' },
        webhook_url: 'https://a:b@tools.invalid/x',
      }),
    )
    expect(tool).to.deep.include({
      webhook_url: 'https://tools.invalid/x',
      webhook_headers: { 'X-A': '1', Authorization: 'Basic YTpi' },
    })
  })

  const genuine = (secret: string, { text, headers }: Received) =>
    new StandardWebhook(secret).verify(text, headers as Record<string, string>)

  it('find what comes genuine by the library of Standard Webhooks, with our secret and with their own', async () => {
    const own = `whsec_${Buffer.alloc(24, 'x').toString('base64')}`
    for (const changes of [
      {},
      { secret: own },
      { secret: `whsec_${Buffer.alloc(64, 7).toString('base64')}` },
    ]) {
      const made = await subscribe(changes)
      const got = await test(made)
      if ('secret' in changes) expect(made.hook.secret).to.equal(changes.secret)
      expect(genuine(made.hook.secret, got)).to.deep.equal(got.body)
      expect(got.headers['webhook-id']).to.equal(got.body.id)
      expect(() => genuine(`whsec_${Buffer.alloc(24, 'y').toString('base64')}`, got)).to.throw(
        'No matching signature',
      )
      expect(() => genuine(made.hook.secret, { ...got, text: `${got.text} ` })).to.throw(
        'No matching signature',
      )
    }
    const body = { url: receiver.url(), events: ['*'] }
    for (const secret of [
      'mine',
      'whsec_',
      `whsec_${'A'.repeat(31)}`,
      `whsec_${Buffer.alloc(65).toString('base64')}`,
      7,
    ])
      expect(fieldsOf(await api.post('/webhooks', { ...body, secret })), String(secret)).to.deep.equal([
        'secret',
      ])
  })

  it('may hold either of two secrets while one is replaced', async () => {
    const made = await subscribe()
    const { id, secret: first } = made.hook
    const rotate = async (body?: object) => succeed(api.post(`/webhooks/${id}/rotate-secret`, body))
    const { secret: second, previous_secret_until } = await rotate()
    expect(Date.parse(previous_secret_until) - Date.now()).to.be.within(86_000_000, 86_400_000)
    const got = await test(made)
    for (const secret of [first, second]) expect(genuine(secret, got)).to.deep.equal(got.body)
    expect(got.headers['jackfield-previous-signature']).to.match(/^t=\d+,v1=[0-9a-f]{64}$/)
    const { secret: third } = await rotate({ previous_valid_for: 1 })
    await eventually(
      async () => succeed(api.get(`/webhooks/${id}`)),
      ({ previous_secret_until: until }) => until === null,
    )
    const later = await test(made)
    expect(genuine(third, later)).to.deep.equal(later.body)
    for (const secret of [first, second])
      expect(() => genuine(secret, later)).to.throw('No matching signature')
    const own = `whsec_${Buffer.alloc(32, 'o').toString('base64')}`
    const last = await rotate({ secret: own, previous_valid_for: 0 })
    expect(last).to.include({ secret: own, previous_secret_until: null })
    const end = await test(made)
    expect(genuine(own, end)).to.deep.equal(end.body)
    expect(() => genuine(third, end)).to.throw('No matching signature')
    expect(end.headers).not.to.have.property('jackfield-previous-signature')
    expect(await tablesHolding(appliance, second)).to.deep.equal([])
    expect(
      fieldsOf(await api.post(`/webhooks/${id}/rotate-secret`, { previous_valid_for: -1 })),
    ).to.deep.equal(['previous_valid_for'])
  })
})
