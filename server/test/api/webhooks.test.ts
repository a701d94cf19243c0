import { expect } from 'chai'
import type { Appliance, TestWorkspace } from '../support/appliance.js'
import { tablesHolding } from './database.js'
import { fieldsOf, startUnlimited, succeed, webhook } from './fixtures.js'

describe('webhooks', () => {
  let appliance: Appliance
  let workspace: TestWorkspace
  let api: TestWorkspace['api']
  before(async () => {
    appliance = await startUnlimited({
      JACKFIELD_LIMITS_WEBHOOKS: '20',
      JACKFIELD_HTTP_CLIENT_ALLOWED_NETWORKS: '10.1.0.0/16',
    })
    workspace = await appliance.workspace()
    api = workspace.api
  })
  after(async () => appliance?.stop())

  const create = async (changes: object = {}) => api.post('/webhooks', { ...webhook, ...changes })
  const made = async (changes: object = {}) => succeed(create(changes))
  afterEach(async () => {
    for (const { id } of (await succeed(api.get('/webhooks?limit=100'))).data)
      await api.delete(`/webhooks/${id}`)
  })

  it('tell their secret when it is made, and never again', async () => {
    const { secret, ...created } = await made()
    expect(secret).to.match(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(created).to.include({
      ...webhook,
      workspace_id: workspace.id,
      is_active: true,
      disabled_reason: null,
      events: created.events,
    })
    const { secret: second, ...rotated } = await succeed(api.post(`/webhooks/${created.id}/rotate-secret`))
    expect(second)
      .to.match(/^whsec_/)
      .and.not.to.equal(secret)
    const { previous_secret_until, updated_at } = rotated
    expect(rotated).to.deep.equal({ ...created, previous_secret_until, updated_at })
    expect(await succeed(api.get(`/webhooks/${created.id}`))).to.deep.equal(rotated)
    expect((await succeed(api.get('/webhooks'))).data).to.deep.equal([rotated])
    for (const one of [secret, second]) expect(await tablesHolding(appliance, one)).to.deep.equal([])
  })

  it('lead to public addresses, or to what the operator allows', async () => {
    for (const url of [
      'https://example.com/x',
      'http://example.com:8080/?a=1',
      'http://10.1.2.3/',
      'http://[2606:4700::1]/',
    ]) {
      expect((await create({ url })).status, url).to.equal(201)
    }
    const refused = {
      'url must lead to a public address': [
        'http://127.0.0.1/',
        'http://[::1]:8080/',
        'http://10.2.0.1/',
        'http://2130706433/',
        'http://169.254.169.254/latest/meta-data/',
        'http://[::ffff:10.2.0.1]/',
      ],
      'url must be an http or https URL': ['example.com', 'ftp://example.com/', 'file:///etc/passwd'],
      'url must name port 80, 443, or one from 1024': ['http://example.com:25/'],
      'url must be a URL of printable ASCII characters': [
        'https://example.com/ x',
        'https://example.com/\n',
        'https://é.example',
        '',
      ],
    }
    for (const [message, urls] of Object.entries(refused)) {
      for (const url of urls) {
        const answer = await create({ url })
        expect(fieldsOf(answer), url).to.deep.equal(['url'])
        expect(answer.body.message, url).to.equal(message)
      }
    }
    expect(fieldsOf(await create({ url: `https://example.com/${'x'.repeat(2_048)}` }))).to.deep.equal(['url'])
  })

  it('name events of a closed list', async () => {
    const lists = [['call.created'], ['call.ringing', 'call.answered', 'message.received'], ['*']]
    for (const events of lists) expect((await made({ events })).events).to.deep.equal(events)
    for (const events of [[], ['call.ended', 'call.ended'], ['*', 'call.ended'], 'call.ended']) {
      expect(fieldsOf(await create({ events })), JSON.stringify(events)).to.deep.equal(['events'])
    }
    for (const event of ['call.exploded', 'webhook.test', '']) {
      expect(fieldsOf(await create({ events: [event] })), event).to.deep.equal(['events.0'])
    }
  })

  it('change only in what is sent', async () => {
    const { secret: _, ...first } = await made()
    const off = await succeed(api.patch(`/webhooks/${first.id}`, { is_active: false }))
    expect(off).to.deep.equal({ ...first, is_active: false, updated_at: off.updated_at })
    const url = 'https://example.com/other'
    const moved = await succeed(api.patch(`/webhooks/${first.id}`, { url, events: ['*'] }))
    expect(moved).to.deep.equal({ ...off, url, events: ['*'], updated_at: moved.updated_at })
    expect(fieldsOf(await api.patch(`/webhooks/${first.id}`, { url: 'http://127.0.0.1/' }))).to.deep.equal([
      'url',
    ])
    expect(fieldsOf(await api.patch(`/webhooks/${first.id}`, { secret: 'mine' }))).to.deep.equal(['secret'])
  })

  it('are looked for by title and URL', async () => {
    await made({ title: 'Billing', url: 'https://example.com/billing' })
    await made({ title: 'CRM', url: 'https://example.com/crm' })
    const found = async (search: string) =>
      (await succeed(api.get(`/webhooks?search=${search}`))).data.map(({ title }: { title: string }) => title)
    expect(await found('bill')).to.deep.equal(['Billing'])
    expect(await found('/crm')).to.deep.equal(['CRM'])
    expect(await found('example')).to.deep.equal(['CRM', 'Billing'])
  })

  it('number twenty at most, also when requests race', async () => {
    const answers = await Promise.all(Array.from({ length: 25 }, async () => create()))
    expect(answers.filter(({ status }) => status === 201)).to.have.length(20)
    expect(answers.filter(({ status }) => status === 403)).to.have.length(5)
    expect((await succeed(api.get('/webhooks'))).meta.total).to.equal(20)
  })

  it('send nothing while they are off', async () => {
    const { id } = await made({ is_active: false })
    const refused = await api.post(`/webhooks/${id}/test`)
    expect(refused.status).to.equal(409)
    expect(refused.body.message).to.include('switched off')
  })
})
