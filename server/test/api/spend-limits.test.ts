/** What a workspace may spend in an hour and a day, and who is told. */
import { expect } from 'chai'
import { eventually } from '../support/api-client.js'
import type { Appliance, TestWorkspace } from '../support/appliance.js'
import { SmtpReceiver } from '../support/smtp-receiver.js'
import { WebhookReceiver } from '../support/webhook-receiver.js'
import { query } from './database.js'
import { newActiveNumber, startUnlimited, succeed } from './fixtures.js'
import { newTextingNumber } from './message-fixtures.js'

describe('limits of spending', function () {
  this.timeout(60_000)
  const hook = new WebhookReceiver()
  let mail: SmtpReceiver
  let appliance: Appliance
  let workspace: TestWorkspace

  before(async () => {
    await hook.start()
    mail = await SmtpReceiver.start({})
    appliance = await startUnlimited({
      JACKFIELD_HTTP_CLIENT_ALLOWED_NETWORKS: '127.0.0.1/32',
      JACKFIELD_MAIL_HOST: '127.0.0.1',
      JACKFIELD_MAIL_PORT: String(mail.port),
      JACKFIELD_MAIL_SECURITY: 'none',
      JACKFIELD_MAIL_FROM: 'jackfield@example.com',
      JACKFIELD_MAIL_ALERTS_TO: 'noc@example.com',
    })
  })
  beforeEach(async () => {
    workspace = await appliance.workspace()
    await succeed(workspace.api.post('/webhooks', { url: hook.url(), events: ['alert.raised'] }))
  })
  after(async () => {
    await appliance?.stop()
    await mail?.stop()
    await hook?.stop()
  })

  const allow = async (limits: object) =>
    succeed(appliance.operator.patch(`/workspaces/${workspace.id}`, limits))
  const call = async (number = '+12025550102') => workspace.api.post('/calls/make', { to: { number } })
  const told = async (kind: string) =>
    eventually(
      async () =>
        hook.received.find(({ body }) => body.workspace_id === workspace.id && body.data.kind === kind),
      Boolean,
      { withinMs: 20_000, what: `the alert ${kind}` },
    )
  const kinds = async () => {
    const { data } = await succeed(appliance.operator.get(`/operator/alerts?search=${workspace.id}`))
    return (data as { kind: string }[]).map(({ kind }) => kind)
  }

  it('refuse texts and calls when all is spent, and tell of four fifths and of all, once', async () => {
    const { number: from, id } = await newTextingNumber(appliance, workspace)
    await succeed(
      appliance.operator.patch(`/workspaces/${workspace.id}/phone-numbers/${id}`, { fee_per_segment: 0.1 }),
    )
    await allow({ max_spend_per_day: 1 })
    const text = async () => workspace.api.post('/messages/send', { from, to: '+12025550111', body: 'x' })
    for (let sent = 0; sent < 8; sent++) expect((await text()).status).to.equal(201)
    await told('spend_per_day_80')
    const racing = await Promise.all(Array.from({ length: 10 }, text))
    expect(racing.filter(({ status }) => status === 201)).to.have.length(2)
    await told('spend_per_day_100')
    for (const refused of [await text(), await call()]) {
      expect(refused.status).to.equal(403)
      expect(refused.body.message).to.equal('The workspace has reached its limit max_spend_per_day of 1 USD')
    }
    expect(await kinds()).to.have.members(['spend_per_day_80', 'spend_per_day_100'])
    const raised = (await told('spend_per_day_100'))!
    expect(raised.body.data.details).to.deep.equal({ spent: 1, max: 1 })
    const { data: listed } = await succeed(workspace.api.get('/alerts?kind=spend_per_day_100'))
    expect(listed[0].details).to.deep.equal({ spent: 1, max: 1 })
    const shown = await succeed(appliance.operator.get(`/workspaces/${workspace.id}`))
    expect(shown).to.include({ max_spend_per_day: 1, spent_this_hour: 1, spent_today: 1 })
    expect((await succeed(workspace.api.get('/profile'))).spending).to.deep.equal({
      ...{ hour: { max: null, spent: 1 }, day: { max: 1, spent: 1 } },
    })
    const mails = async () => mail.mails.filter(({ content }) => content.includes(workspace.id))
    await eventually(mails, ({ length }) => length === 2, { withinMs: 20_000, what: 'both mails' })
    expect((await mails())[0]).to.deep.include({ to: ['noc@example.com'] })

    await query(
      appliance,
      'UPDATE credit_balances SET day_began = day_began - INTERVAL 1 DAY WHERE workspace_id = ?',
      [workspace.id],
    )
    const next = await succeed(appliance.operator.get(`/workspaces/${workspace.id}`))
    expect(next, 'of this day nothing is spent').to.include({ spent_today: 0 })
    expect((await text()).status, 'the next day').to.equal(201)
    await allow({ max_spend_per_day: null, max_spend_per_hour: 0.05 })
    expect((await text()).body.message).to.match(/max_spend_per_hour/)
  })

  it('count what live calls hold, however new ones race', async () => {
    const { id } = await newActiveNumber(appliance, workspace)
    await succeed(
      appliance.operator.patch(`/workspaces/${workspace.id}/phone-numbers/${id}`, { fee_per_mins_call: 1 }),
    )
    await allow({ max_spend_per_hour: 2.5 })
    const asked = await Promise.all(Array.from({ length: 12 }, async () => call()))
    // The third begins while less than the limit is held.
    const made = asked.filter(({ status }) => status === 201)
    expect(made).to.have.length(3)
    const { held } = await succeed(workspace.api.get('/credit'))
    expect(held).to.equal(3)
    for (const { body } of made) await succeed(workspace.api.post(`/calls/${body.data.call_id}/hangup`))
    await eventually(
      async () => call(),
      ({ status }) => status === 201,
      { what: 'room for a call' },
    )
  })

  it('tell of calls that are refused unusually often', async () => {
    await newActiveNumber(appliance, workspace)
    await allow({ allowed_countries: ['DE'] })
    for (let made = 0; made < 19; made++) expect((await call()).status).to.equal(403)
    expect(await kinds()).to.deep.equal([])
    await call()
    await told('calls_refused_country')
    await call()
    expect(await kinds()).to.deep.equal(['calls_refused_country'])
  })
})
