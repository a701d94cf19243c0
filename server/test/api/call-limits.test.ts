/** What the operator allows a workspace's calls: how many at once and in a second, and where to. */
import { expect } from 'chai'
import { type ApiClient, eventually } from '../support/api-client.js'
import type { Appliance, TestWorkspace } from '../support/appliance.js'
import { fieldsOf, newActiveNumber, newSipAccount, startUnlimited, succeed } from './fixtures.js'

/** A line of the sandbox that rings for ever. */
const ringing = { to: { number: '+12025550102' } }

describe('limits of calls', () => {
  let appliance: Appliance
  let workspace: TestWorkspace
  let api: ApiClient
  before(async () => {
    appliance = await startUnlimited({ JACKFIELD_CALLS_MAX_CONCURRENT: '7' })
  })
  beforeEach(async () => {
    workspace = await appliance.workspace()
    api = workspace.api
    await newActiveNumber(appliance, workspace)
  })
  after(async () => appliance?.stop())

  const allow = async (limits: object) =>
    succeed(appliance.operator.patch(`/workspaces/${workspace.id}`, limits))
  const make = async (call: object = ringing) => api.post('/calls/make', call)
  const made = async () => (await succeed(make())).data.call_id as string
  const profile = async () => succeed(api.get('/profile'))

  it('are the operator’s settings until the operator sets others, and are shown to both', async () => {
    const before = await profile()
    expect(before.limits.concurrent_calls).to.deep.equal({ max: 7, used: 0 })
    expect(before.calls).to.deep.equal({
      ...{ max_per_second: 10_000, max_concurrent_per_account: 10, allowed_countries: null },
      ...{ recording: true, internal_recording: true, allow_premium_rate: false },
    })
    const limits = {
      ...{ max_concurrent_calls: 3, max_calls_per_second: 5, allowed_countries: ['US', 'DE'] },
      ...{ call_recording: false, call_internal_recording: false },
    }
    expect(await allow(limits)).to.deep.include(limits)
    expect((await appliance.operator.get(`/workspaces/${workspace.id}`)).body).to.deep.include(limits)
    const after = await profile()
    expect(after.limits.concurrent_calls).to.deep.equal({ max: 3, used: 0 })
    expect(after.calls).to.deep.equal({
      ...{ max_per_second: 5, max_concurrent_per_account: 10, allowed_countries: ['US', 'DE'] },
      ...{ recording: false, internal_recording: false, allow_premium_rate: false },
    })
    await allow({ max_concurrent_calls: null, max_calls_per_second: null, allowed_countries: null })
    expect((await profile()).limits.concurrent_calls.max).to.equal(7)
    const log = await succeed(appliance.operator.get('/operator/audit-log?limit=1'))
    expect(log.data[0].action).to.equal('workspace.update')
    expect(log.data[0].changes.max_concurrent_calls).to.deep.equal({ from: 3, to: null })
  })

  it('are set by the operator alone, and only to what can be', async () => {
    const own = await api.patch('/profile', { max_concurrent_calls: 1_000 })
    expect(fieldsOf(own)).to.deep.equal(['max_concurrent_calls'])
    const wrong = await appliance.operator.patch(`/workspaces/${workspace.id}`, {
      ...{ max_concurrent_calls: -1, max_calls_per_second: 0, allowed_countries: ['US', 'us'] },
      ...{ call_recording: 'yes' },
    })
    expect(fieldsOf(wrong)).to.have.members([
      ...['max_concurrent_calls', 'max_calls_per_second', 'allowed_countries.1', 'call_recording'],
    ])
    const unknown = await appliance.operator.patch(`/workspaces/${workspace.id}`, {
      allowed_countries: ['US', 'ZZ'],
    })
    expect(fieldsOf(unknown)).to.deep.equal(['allowed_countries.1'])
  })

  it('answer 403 to one call too many at once, and count calls off when they end', async () => {
    await allow({ max_concurrent_calls: 2 })
    const [first] = [await made(), await made()]
    const refused = await make()
    expect(refused.status).to.equal(403)
    expect(refused.body.message).to.equal('The workspace has as many calls at once as it may')
    await succeed(api.post(`/calls/${first}/hangup`))
    await eventually(make, ({ status }) => status === 201, { what: 'a place for one more call' })
    expect((await make()).status).to.equal(403)
    expect((await profile()).limits.concurrent_calls).to.deep.equal({ max: 2, used: 2 })
    expect((await succeed(api.get('/calls'))).meta.total, 'refused calls are no calls').to.equal(3)
    await allow({ max_concurrent_calls: 0 })
    expect((await make()).status, 'none at all').to.equal(403)
  })

  it('hold between two servers that race, and through the death of one', async () => {
    await allow({ max_concurrent_calls: 5 })
    const other = api.with({ port: await appliance.startAnotherServer() })
    const racers = Array.from({ length: 24 }, async (_, index) =>
      (index % 2 ? other : api).post('/calls/make', ringing),
    )
    const statuses = (await Promise.all(racers)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 201)).to.have.length(5)
    expect(statuses.filter((status) => status === 403)).to.have.length(19)
    await appliance.killServer()
    await appliance.startServer()
    expect((await make()).status, 'what lives is counted still').to.equal(403)
    const { data } = await succeed(api.get('/calls'))
    const ids = (data as { call_id: string }[]).map(({ call_id }) => call_id)
    for (const id of ids) await api.post(`/calls/${id}/hangup`)
    await eventually(profile, ({ limits }) => limits.concurrent_calls.used === 0, { what: 'no live call' })
    const again = await Promise.all(Array.from({ length: 12 }, async () => make()))
    expect(
      again.filter(({ status }) => status === 201),
      'each end counted once',
    ).to.have.length(5)
  })

  it('answer 429 to too many calls in a second', async () => {
    await allow({ max_calls_per_second: 1 })
    const answers = await Promise.all(Array.from({ length: 6 }, async () => make()))
    expect(answers.map(({ status }) => status)).to.include(201)
    const refused = answers.find(({ status }) => status !== 201)!
    expect(refused.status).to.equal(429)
    expect(refused.body).to.include({ message: 'Too many calls: try again in 1 s', retryAfter: 1 })
    expect(refused.headers['retry-after']).to.equal('1')
    await eventually(make, ({ status }) => status === 201, { what: 'another second' })
  })

  it('answer 403 to countries that may not be called', async () => {
    await allow({ allowed_countries: ['US'] })
    await made()
    for (const [number, country] of Object.entries({
      '+442071838750': 'GB',
      '+18765550100': 'JM',
      '+14165550100': 'CA',
      '+77172000000': 'KZ',
      '+88216123456789': 'this number',
    })) {
      const refused = await make({ to: { number } })
      expect(refused.status, number).to.equal(403)
      expect(refused.body.message).to.equal(`The workspace may not call ${country}`)
    }
    const phone = {
      to: { number: (await succeed(api.get(`/sip-accounts/${await newSipAccount(api)}`))).username },
    }
    await succeed(make(phone))
    await allow({ allowed_countries: [] })
    expect((await make()).status, 'none at all').to.equal(403)
    await succeed(make(phone))
  })

  it('hold for whom a script connects with', async () => {
    await allow({ allowed_countries: ['US'] })
    const reached = async (phone_number: string) => {
      const actions = [{ action: 'to_operator', params: { phone_number } }]
      const { data } = await succeed(make({ to: { number: '+12025550100' }, actions }))
      const call = await eventually(
        async () => succeed(api.get(`/calls/${data.call_id}`)),
        ({ ended_at }) => ended_at !== null,
        { what: 'end of the call', withinMs: 20_000 },
      )
      expect(call.status).to.equal('completed')
      return call.legs.length > 1
    }
    // This line of the sandbox hangs up by itself.
    expect(await reached('+12025550106')).to.equal(true)
    expect(await reached('+442071838750')).to.equal(false)
    expect(await reached('sip:+12025550106@8.8.8.8')).to.equal(true)
    for (const user of ['+442071838750', '00442071838750', '011442071838750']) {
      expect(await reached(`sip:${user}@8.8.8.8`), user).to.equal(false)
    }
  })
})
