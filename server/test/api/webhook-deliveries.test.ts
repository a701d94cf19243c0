/** Events of real calls, delivered to a customer's server that is sometimes not there. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { eventually } from '../support/api-client.js'
import type { Appliance, TestWorkspace } from '../support/appliance.js'
import { Child } from '../support/child.js'
import { freePort } from '../support/free-ports.js'
import { type Received, WebhookReceiver } from '../support/webhook-receiver.js'
import { newActiveNumber, newCall, startUnlimited, succeed } from './fixtures.js'

const docs = fileURLToPath(new URL('../../../../docs/integrate/webhooks.md', import.meta.url))

describe('deliveries of webhooks', function () {
  this.timeout(60_000)
  let appliance: Appliance
  let workspace: TestWorkspace
  let api: TestWorkspace['api']
  const receiver = new WebhookReceiver()

  before(async () => {
    await receiver.start()
    appliance = await startUnlimited({
      JACKFIELD_HTTP_CLIENT_ALLOWED_NETWORKS: '127.0.0.1/32',
      JACKFIELD_WEBHOOKS_TIMEOUT: '1',
      JACKFIELD_WEBHOOKS_FIRST_RETRY: '1',
      JACKFIELD_WEBHOOKS_LONGEST_PAUSE: '1',
      JACKFIELD_WEBHOOKS_RETRY_FOR: '4',
      JACKFIELD_WEBHOOKS_DISABLE_AFTER: '3',
    })
    workspace = await appliance.workspace()
    api = workspace.api
    await newActiveNumber(appliance, workspace)
  })
  afterEach(async () => {
    receiver.answering = () => 204
    for (const { id } of (await succeed(api.get('/webhooks?limit=100'))).data)
      await api.delete(`/webhooks/${id}`)
  })
  after(async () => {
    await appliance?.stop()
    await receiver?.stop()
  })

  let paths = 0
  /** Unless it asks for more, a webhook is sent test events only. */
  async function subscribe(events = ['message.sent'], url?: string) {
    const path = `/hook-${(paths += 1)}`
    const { id, secret } = await succeed(api.post('/webhooks', { url: url ?? receiver.url(path), events }))
    return { id: id as string, secret: secret as string, path }
  }

  async function call(to = '+12025550100'): Promise<string> {
    const made = await succeed(
      api.post('/calls/make', { to: { number: to }, actions: [{ action: 'hangup' }] }),
    )
    return made.data.call_id
  }

  const received = async (path: string, count: number): Promise<Received[]> =>
    eventually(
      async () => receiver.at(path),
      (all) => all.length >= count,
      { withinMs: 15_000, what: `${count} deliveries to ${path}` },
    )

  const deliveriesOf = async (id: string, query = '') =>
    (await succeed(api.get(`/webhooks/${id}/deliveries${query}`))).data as Record<string, any>[]

  const settled = async (id: string, status: string) =>
    eventually(
      async () => (await deliveriesOf(id))[0]!,
      (delivery) => delivery?.['status'] === status,
      { withinMs: 15_000, what: `a delivery that is ${status}` },
    )

  const statusOf = async (id: string) => succeed(api.get(`/webhooks/${id}`))

  it('tell of a call that was given up before its answer', async () => {
    const { id: webhook, path } = await subscribe(['call.canceled', 'call.started'])
    const id = await newCall(api)
    await succeed(api.post(`/calls/${id}/hangup`))
    const [told] = await received(path, 1)
    expect(told!.body).to.deep.include({ event: 'call.canceled', workspace_id: workspace.id })
    expect(told!.body.data).to.include({ call_id: id, direction: 'outbound' })
    expect(await deliveriesOf(webhook)).to.have.length(1)
  })

  it('tell each event of a call once to each webhook that asked for it', async () => {
    const all = await subscribe(['*'])
    const some = await subscribe(['call.answered', 'message.sent'])
    const id = await call()
    await received(all.path, 5)
    await received(some.path, 1)
    const timeline = (await succeed(api.get(`/calls/${id}/events`))).data as Record<string, any>[]
    const events = receiver.at(all.path).map(({ body }) => body)
    expect(events.map(({ event }) => event)).to.have.members([
      'call.created',
      'call.ringing',
      'call.answered',
      'call.started',
      'call.ended',
    ])
    // What its script did is on the timeline alone.
    const course = timeline.filter(({ event }) => event !== 'call.action')
    expect(course).to.have.length(4)
    for (const { id: eventId, event, created_at } of course) {
      const told = events.find((one) => one.id === eventId)
      expect(told).to.deep.include({ event, created_at, workspace_id: workspace.id })
      expect(told?.data).to.deep.include({
        call_id: id,
        direction: 'outbound',
        to: { number: '+12025550100', name: '+12025550100' },
      })
    }
    const record = await succeed(api.get(`/calls/${id}`))
    const { status, duration, cost, hangup_cause, sip_code } = record
    const ended = events.find(({ event }) => event === 'call.ended')
    expect(ended?.data).to.include({ status, duration, cost, hangup_cause, sip_code })
    expect(receiver.at(some.path).map(({ body }) => body.event)).to.deep.equal(['call.answered'])
    const [delivery] = await deliveriesOf(some.id)
    expect(delivery).to.include({
      status: 'delivered',
      attempts: 1,
      response_status: 204,
      error: null,
      next_attempt_at: null,
    })
    expect(receiver.at(some.path)[0]?.headers).to.include({
      'content-type': 'application/json',
      'jackfield-event': 'call.answered',
      'jackfield-delivery': delivery?.['id'],
    })
  })

  for (const { language, command, file } of [
    { language: 'js', command: process.execPath, file: 'receiver.mjs' },
    { language: 'python', command: 'python3', file: 'receiver.py' },
  ]) {
    it(`are found genuine by the receiver of the documentation, in ${language}, and forgeries are not`, async function () {
      const code = new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(await readFile(docs, 'utf8'))![1]!
      const directory = await mkdtemp(join(tmpdir(), 'jackfield-receiver-'))
      await writeFile(join(directory, file), code)
      const port = await freePort()
      const { id, secret } = await subscribe(['message.sent'], `http://127.0.0.1:${port}/`)
      const env = { WEBHOOK_SECRET: secret, PORT: String(port) }
      const documented = await Child.start(command, [join(directory, file)], { env })
      try {
        await succeed(api.post(`/webhooks/${id}/test`))
        const { id: deliveryId, response_status } = await settled(id, 'delivered')
        expect(response_status).to.equal(204)
        expect(documented.output).to.include(`${deliveryId} webhook.test`)
        await succeed(api.post(`/webhooks/${id}/rotate-secret`))
        await succeed(api.post(`/webhooks/${id}/test`))
        const [refused] = await eventually(
          async () => deliveriesOf(id, '?status=pending'),
          ([one]) => one?.['attempts'] > 0,
        )
        expect(refused).to.include({ response_status: 400, error: 'the answer was 400 instead of 2xx' })
        const old = `t=${Math.floor(Date.now() / 1000) - 600},v1=${'0'.repeat(64)}`
        for (const signature of ['', 'x', 't=,v1=', old]) {
          const answer = await fetch(`http://127.0.0.1:${port}/`, {
            method: 'POST',
            body: '{}',
            headers: { 'jackfield-signature': signature },
          })
          expect(answer.status, signature).to.equal(400)
        }
      } finally {
        await documented.stop()
        await rm(directory, { recursive: true })
      }
    })
  }

  it('wait for a server that is down, and then come, each signed anew', async () => {
    const { id, path } = await subscribe(['call.created'])
    await receiver.stop()
    await call()
    const waiting = await eventually(
      async () => (await deliveriesOf(id))[0],
      (delivery) => delivery?.['attempts'] >= 1,
    )
    expect(waiting).to.include({ status: 'pending', response_status: null })
    expect(waiting?.['error']).to.match(/ECONNREFUSED/)
    expect((await statusOf(id)).failing_since).to.be.a('string')
    await receiver.start()
    receiver.answering = ({ headers }) =>
      receiver.at(path).length > 2 || !headers['jackfield-signature'] ? 200 : 503
    await settled(id, 'delivered')
    // Two attempts may be made within one second, which is the signature's unit of time; three may not.
    const [first, , third] = await received(path, 3)
    expect(first?.text).to.equal(third?.text)
    expect(first?.headers['jackfield-delivery']).to.equal(third?.headers['jackfield-delivery'])
    expect(first?.headers['jackfield-signature']).not.to.equal(third?.headers['jackfield-signature'])
    expect((await statusOf(id)).failing_since).to.equal(null)
  })

  it('are not lost when the server is killed between the event and its delivery', async () => {
    const { id, path } = await subscribe(['call.created'])
    // The receiver holds the first attempt, so that the server is killed in the middle of it.
    receiver.answering = () => null
    await call()
    await received(path, 1)
    await call()
    await appliance.killServer()
    receiver.answering = () => 204
    await appliance.startServer()
    // The lease of the attempt that was cut off has to end first.
    const deliveries = await eventually(
      async () => deliveriesOf(id, '?status=delivered'),
      (all) => all.length === 2,
      { withinMs: 40_000, what: 'both deliveries' },
    )
    expect(new Set(deliveries.map(({ event_id }) => event_id)).size).to.equal(2)
  })

  it('hold up no stop of the server, and go on after it', async () => {
    const { id, path } = await subscribe()
    receiver.answering = () => null
    await succeed(api.post(`/webhooks/${id}/test`))
    await received(path, 1)
    const since = Date.now()
    expect(await appliance.stopServer()).to.equal(0)
    expect(Date.now() - since).to.be.below(5_000)
    receiver.answering = () => 204
    await appliance.startServer()
    expect(await settled(id, 'delivered')).to.include({ attempts: 2 })
  })

  it('show what was sent and answered, within bounds', async () => {
    const { id, path } = await subscribe()
    receiver.answering = () => 404
    await succeed(api.post(`/webhooks/${id}/test`))
    const { id: deliveryId } = await settled(id, 'failed')
    const detail = await succeed(api.get(`/webhooks/${id}/deliveries/${deliveryId}`))
    const last = receiver.at(path).at(-1)
    const { headers, ...request } = detail.request
    expect(request).to.deep.equal({ method: 'POST', url: receiver.url(path), body: last?.text })
    expect(last?.headers).to.include(headers)
    expect(headers['jackfield-signature']).to.match(/^t=\d+,v1=[0-9a-f]{64}$/)
    expect(detail.attempt_log).to.have.length(detail.attempts)
    expect(detail.attempt_log.at(-1)).to.include({
      ...{ response_status: 404, error: 'the answer was 404 instead of 2xx' },
      ...{ attempted_at: detail.attempted_at, signature: headers['jackfield-signature'] },
    })
    expect(detail.response).to.deep.equal({ status: 404, body: 'answer 404' })
    expect(detail.attempts).to.equal(receiver.at(path).length).and.within(2, 6)
    expect(await deliveriesOf(id, '?status=delivered')).to.deep.equal([])
    expect(await deliveriesOf(id, '?status=failed')).to.have.length(1)
    expect(await deliveriesOf(id, '?event=webhook.test')).to.have.length(1)
    expect(await deliveriesOf(id, '?event=call.ended')).to.deep.equal([])
    expect((await statusOf(id)).last_delivery).to.include({ id: deliveryId, status: 'failed' })
  })

  it('that failed are sent again all at once', async () => {
    const { id, path } = await subscribe()
    const resend = async () => api.post(`/webhooks/${id}/resend-failed`)
    receiver.answering = () => 500
    for (const again of [1, 2]) {
      await succeed(api.post(`/webhooks/${id}/test`))
      await eventually(
        async () => deliveriesOf(id, '?status=failed'),
        (all) => all.length === again,
        { withinMs: 15_000 },
      )
      // It was switched off for its failures.
      expect((await resend()).status).to.equal(409)
      await succeed(api.patch(`/webhooks/${id}`, { is_active: true }))
    }
    receiver.answering = () => 204
    const before = receiver.at(path).length
    expect(await succeed(resend())).to.deep.equal({ resent: 2 })
    await received(path, before + 2)
    await eventually(
      async () => deliveriesOf(id, '?status=delivered'),
      (all) => all.length === 2,
    )
    expect(await succeed(resend())).to.deep.equal({ resent: 0 })
  })

  it('are sent again when asked for, as they were', async () => {
    const { id, path } = await subscribe()
    await succeed(api.post(`/webhooks/${id}/test`))
    const first = await settled(id, 'delivered')
    const resent = await succeed(api.post(`/webhooks/${id}/deliveries/${first['id']}/resend`))
    expect(resent).to.include({ id: first['id'], status: 'pending' })
    const [one, two] = await received(path, 2)
    expect(two?.text).to.equal(one?.text)
    expect(await settled(id, 'delivered')).to.include({ id: first['id'], attempts: 2 })
    expect(await deliveriesOf(id)).to.have.length(1)
  })

  it('come no more from a webhook whose server is gone', async () => {
    const { id, path } = await subscribe(['call.created'])
    receiver.answering = () => 410
    await succeed(api.post(`/webhooks/${id}/test`))
    await settled(id, 'failed')
    expect(await statusOf(id)).to.include({
      is_active: false,
      disabled_reason: 'Its server answered 410 Gone',
    })
    await call()
    expect((await api.post(`/webhooks/${id}/test`)).status).to.equal(409)
    const [delivery] = await deliveriesOf(id)
    expect((await api.post(`/webhooks/${id}/deliveries/${delivery?.['id']}/resend`)).status).to.equal(409)
    receiver.answering = () => 204
    const on = await succeed(api.patch(`/webhooks/${id}`, { is_active: true }))
    expect(on).to.include({ disabled_reason: null, failing_since: null })
    await succeed(api.post(`/webhooks/${id}/deliveries/${delivery?.['id']}/resend`))
    await settled(id, 'delivered')
    expect(receiver.at(path)).to.have.length(2)
  })

  it('switch a webhook off that has failed for long, and not one that now and then succeeds', async () => {
    const failing = await subscribe()
    const shaky = await subscribe()
    let refused = ''
    receiver.answering = ({ path, headers }) => {
      if (path !== shaky.path) return 500
      refused ||= String(headers['jackfield-delivery'])
      return headers['jackfield-delivery'] === refused ? 500 : 200
    }
    await succeed(api.post(`/webhooks/${failing.id}/test`))
    await succeed(api.post(`/webhooks/${shaky.id}/test`))
    const givenUp = async () => deliveriesOf(shaky.id, '?status=failed')
    const another = async () => succeed(api.post(`/webhooks/${shaky.id}/test`))
    await eventually(
      async () => another().then(givenUp),
      (all) => all.length === 1,
      { everyMs: 500 },
    )
    await settled(failing.id, 'failed')
    const { is_active, disabled_reason } = await statusOf(failing.id)
    expect(is_active).to.equal(false)
    expect(disabled_reason).to.match(/^No delivery has succeeded since /)
    expect(await statusOf(shaky.id)).to.include({ is_active: true, disabled_reason: null })
  })

  it('wait for a webhook that is switched off, until it is on again', async () => {
    const { id, path } = await subscribe(['call.created'])
    await receiver.stop()
    await succeed(api.post(`/webhooks/${id}/test`))
    await eventually(
      async () => (await deliveriesOf(id))[0],
      (delivery) => delivery?.['attempts'] >= 1,
    )
    await succeed(api.patch(`/webhooks/${id}`, { is_active: false }))
    await receiver.start()
    await call()
    await new Promise((done) => setTimeout(done, 2_500))
    expect(receiver.at(path)).to.have.length(0)
    await succeed(api.patch(`/webhooks/${id}`, { is_active: true }))
    expect(await settled(id, 'delivered')).to.include({ event: 'webhook.test' })
    expect(await deliveriesOf(id)).to.have.length(1)
  })

  it('end with their webhook and their workspace', async () => {
    const other = await appliance.workspace()
    const { id } = await succeed(other.api.post('/webhooks', { url: receiver.url('/other'), events: ['*'] }))
    receiver.answering = () => 500
    await succeed(other.api.post(`/webhooks/${id}/test`))
    await received('/other', 1)
    await succeed(appliance.operator.delete(`/workspaces/${other.id}`))
    const count = receiver.at('/other').length
    await new Promise((done) => setTimeout(done, 2_500))
    expect(receiver.at('/other').length).to.be.at.most(count + 1)
  })
})
