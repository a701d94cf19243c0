/** Alerts of calls that look like toll fraud, and alerts that a fault must not lose. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { eventually } from '../support/api-client.js'
import { Appliance, type TestWorkspace } from '../support/appliance.js'
import { query } from './database.js'
import { newActiveNumber, succeed } from './fixtures.js'

const hourMs = 3_600_000
/** The tests take less, and not even a slow machine so long. */
const neededMs = 180_000

interface Told {
  kind: string
  country_code: string | null
  message: string
  details: object
}

describe('alerts of toll fraud', function () {
  this.timeout(300_000)
  let appliance: Appliance
  let workspace: TestWorkspace

  // What is counted by the hour must not fall into two.
  before(async () => {
    const left = hourMs - (Date.now() % hourMs)
    if (left < neededMs) await sleep(left)
  })
  before(async () => {
    appliance = await Appliance.start({
      switch: 'sandbox',
      settings: {
        ...{ JACKFIELD_ALERTS_BURST_CALLS: '2', JACKFIELD_ALERTS_BURST_TIMES: '2' },
        ...{ JACKFIELD_ALERTS_SHORT_CALLS: '5', JACKFIELD_ALERTS_SHORT_SECONDS: '60' },
        ...{ JACKFIELD_ALERTS_REFUSED_CALLS: '2', JACKFIELD_RATE_LIMITS_DEFAULT: '10000' },
      },
    })
  })
  after(async () => appliance?.stop())
  beforeEach(async () => {
    workspace = await appliance.workspace()
    await newActiveNumber(appliance, workspace)
  })

  const call = async (number: string) => workspace.api.post('/calls/make', { to: { number } })
  const alerts = async () => (await succeed(workspace.api.get('/alerts'))).data as Told[]
  const told = async (kind: string, count = 1) =>
    eventually(
      async () => (await alerts()).filter((alert) => alert.kind === kind),
      ({ length }) => length >= count,
      { withinMs: 30_000, what: `the alert ${kind}` },
    )
  const country = async (code: string) => {
    const [row] = (await query(
      appliance,
      'SELECT hour_calls, usual_calls FROM called_countries WHERE workspace_id = ? AND country_code = ?',
      [workspace.id, code],
    )) as { hour_calls: number; usual_calls: string }[]
    return row && { ...row, usual_calls: Number(row.usual_calls) }
  }
  const counted = async (code: string, calls: number) =>
    eventually(
      async () => country(code),
      (row) => row?.hour_calls === calls,
      { withinMs: 30_000, what: `${calls} calls to ${code}` },
    )

  it('tell of the first call to a country, but not of the own, and of far more calls than usual', async () => {
    expect((await call('+12025550102')).status).to.equal(201)
    for (let made = 0; made < 2; made++) expect((await call('+442079460102')).status).to.equal(201)
    await counted('US', 1)
    await counted('GB', 2)
    const [first] = await told('calls_new_country')
    expect(first).to.include({ country_code: 'GB', message: 'The first call to United Kingdom (GB)' })
    expect((await alerts()).map(({ kind }) => kind)).to.deep.equal(['calls_new_country'])
    await call('+442079460102')
    const [burst] = await told('calls_burst')
    expect(burst).to.include({ country_code: 'GB' })
    expect(burst?.message).to.equal('3 calls to United Kingdom (GB) within an hour, where 0 were usual')
    expect(burst?.details).to.deep.equal({ calls: 3, usual: 0 })

    // In the next hour as many are usual as were no burst: of 2, 4 are none, and 5 are one.
    await query(
      appliance,
      'UPDATE called_countries SET hour_began = hour_began - INTERVAL 1 HOUR WHERE workspace_id = ?',
      [workspace.id],
    )
    await query(appliance, "DELETE FROM alerts WHERE kind = 'calls_burst'", [])
    await call('+442079460102')
    await counted('GB', 1)
    expect((await country('GB'))?.usual_calls).to.equal(2)
    const { data } = await succeed(appliance.operator.get(`/operator/alerts?workspace_id=${workspace.id}`))
    expect((data as Told[]).map(({ kind }) => kind)).to.deep.equal(['calls_new_country'])
  })

  it('take half of what is usual for forgotten in a week, however few calls that are', async () => {
    await call('+442079460102')
    await counted('GB', 1)
    await query(appliance, 'UPDATE called_countries SET usual_calls = 4 WHERE workspace_id = ?', [
      workspace.id,
    ])
    // A call every six hours of a day.
    const later = `UPDATE called_countries SET hour_calls = 0, hour_began = hour_began - INTERVAL 6 HOUR
      WHERE workspace_id = ?`
    for (let hour = 0; hour < 24; hour += 6) {
      await query(appliance, later, [workspace.id])
      await call('+442079460102')
      await counted('GB', 1)
    }
    expect((await country('GB'))?.usual_calls).to.be.closeTo(4 * 0.5 ** (24 / 168), 0.001)
  })

  it('count a number of a call once, however many addresses are tried, and look at numbers of no country', async () => {
    const [gateway] = (await succeed(workspace.api.get('/sip-trunks/gateways'))).data as { id: string }[]
    const outbound_uris = [1, 2].map((priority) => ({
      ...{ uri: `${priority}.refusing.sandbox`, port: 5060, protocol: 'udp', priority },
    }))
    await succeed(workspace.api.patch(`/sip-trunks/gateways/${gateway?.id}`, { outbound_uris }))
    const { data } = await succeed(call('+442079460102'))
    await eventually(
      async () => (await succeed(workspace.api.get(`/calls/${data.call_id}`))).legs as unknown[],
      ({ length }) => length === 2,
      { withinMs: 30_000, what: 'a second address that is tried' },
    )
    expect((await call('+881612345678')).status).to.equal(201)
    await counted('ZZ', 1) // after all that were before
    expect((await country('GB'))?.hour_calls).to.equal(1)
    const first = await told('calls_new_country', 2)
    expect(first.find(({ country_code }) => country_code === 'ZZ')?.message).to.equal(
      'The first call to numbers of no country (ZZ)',
    )
  })

  it('count a number again that a call dials again', async () => {
    const busy = { action: 'to_operator', params: { phone_number: '+12025550101' } }
    const body = { to: { number: '+12025550100' }, actions: Array(4).fill(busy) }
    expect((await workspace.api.post('/calls/make', body)).status).to.equal(201)
    await counted('US', 5)
    const [burst] = await told('calls_burst')
    expect(burst).to.include({ country_code: 'US' })
  })

  it('tell of many short calls', async () => {
    for (let made = 0; made < 5; made++) expect((await call('+442079460102')).status).to.equal(201)
    const [short] = await told('calls_short')
    expect(short?.details).to.deep.equal({ calls: 5, seconds: 60 })
    expect(short?.message).to.match(/^5 calls within an hour ended 60 seconds after their answer/)
  })

  it('wait for a database that does not take them', async () => {
    await succeed(appliance.operator.patch(`/workspaces/${workspace.id}`, { allowed_countries: ['DE'] }))
    await query(appliance, 'RENAME TABLE alerts TO alerts_away', [])
    try {
      for (let made = 0; made < 2; made++) expect((await call('+12025550102')).status).to.equal(403)
    } finally {
      await query(appliance, 'RENAME TABLE alerts_away TO alerts', [])
    }
    await told('calls_refused_country')
  })
})
