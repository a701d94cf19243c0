/** What the operator does while calls go on: more log, and a drain. */
import { expect } from 'chai'
import { type ApiClient, eventually } from '../support/api-client.js'
import { findFreeswitch } from '../support/freeswitch.js'
import { InboundBench } from '../support/inbound-bench.js'
import { query } from '../api/database.js'

const long = { action: 'tts', params: { text: 'One. '.repeat(200) } }

describe('maintenance', function () {
  this.timeout(90_000)
  let bench: InboundBench
  let operator: ApiClient

  before(async function () {
    if (!(await findFreeswitch())) this.skip()
    bench = await InboundBench.start()
    operator = bench.bench.appliance.operator
    await bench.runs([{ id: 'welcome', type: 'tts', params: long.params, next: {} }])
  })
  after(async () => bench?.stop())

  const firstStatus = async () => {
    const dialog = (await bench.caller()).call(bench.number)
    const status = await dialog.answered()
    if (status === 200) await dialog.hangUp()
    return status
  }

  const audit = async () =>
    (await operator.get('/operator/audit-log?limit=5')).body.data as { action: string }[]

  it('refuses new calls and lets live ones go on, until it is over, also over a restart', async () => {
    const { appliance } = bench.bench
    const dialog = await bench.answeredCall(await bench.caller())
    const callId = await bench.lastCallId()
    const begun = await operator.put('/operator/drain')
    expect(begun.body).to.include({ draining: true, live_calls: 1, empty: false })

    const edgeDrains = async () => {
      const entry = await appliance.kamailio!.rpc('htable.get', ['maintenance', 'draining']).catch(() => null)
      return (entry as { item: { value: number } } | null)?.item.value === 1
    }
    expect(await edgeDrains()).to.equal(true)
    const arrivals = async () =>
      String((await operator.get('/metrics')).body).match(/^jackfield_call_arrivals_total.*$/gm)
    const before = await arrivals()
    expect(await firstStatus()).to.equal(503)
    expect(await arrivals(), 'no call that came as far as the switch').to.deep.equal(before)
    const refused = await bench.api.post('/calls/make', { to: { number: '+12025550100' }, actions: [long] })
    expect(refused.status).to.equal(503)
    expect(refused.headers['retry-after']).to.equal('30')
    const health = await operator.get('/health')
    expect(health.body).to.include({ status: 'draining', serves: true })
    expect(health.status).to.equal(200)

    await appliance.stopServer()
    expect(await firstStatus(), 'while there is no server').to.equal(503)
    const tables = (await appliance.kamailio!.rpc('htable.listTables', [])) as {
      name: string
      expire: number
    }[]
    expect(tables.find(({ name }) => name === 'maintenance')).to.include({ expire: 3_600 })
    await appliance.startServer()
    await appliance.kamailio!.restart()
    expect((await operator.get('/operator/drain')).body).to.include({ draining: true, live_calls: 1 })
    await eventually(edgeDrains, Boolean, { withinMs: 15_000, what: 'an edge that drains again' })
    expect(await firstStatus()).to.equal(503)
    expect((await bench.api.get(`/calls/${callId}`)).body.ended_at).to.equal(null)

    await dialog.hangUp()
    await eventually(
      async () => (await operator.get('/operator/drain')).body,
      ({ empty }) => empty === true,
      {
        what: 'nothing that lives',
      },
    )
    expect((await operator.delete('/operator/drain')).body).to.include({ draining: false, since: null })
    expect(await firstStatus()).to.equal(200)
    expect((await operator.get('/health')).body).to.include({ status: 'ok' })
    const actions = (await audit()).map(({ action }) => action)
    expect(actions).to.include.members(['drain.begin', 'drain.end'])
  })

  it('has each part log more for a while', async () => {
    const { appliance } = bench.bench
    const { freeswitch, kamailio } = appliance
    await firstStatus()
    const levels = async () => kamailio!.rpc('cfg.get', ['core', 'debug'])
    const before = await levels()
    expect(freeswitch!.output()).not.to.contain('[DEBUG]')
    for (const part of ['server', 'switch', 'edge']) {
      const set = await operator.put('/operator/log-level', { part, level: 'debug', minutes: 5 })
      expect(set.body).to.include({ part, level: 'debug' })
    }
    await firstStatus()
    await eventually(
      async () => freeswitch!.output(),
      (text) => text.includes('[DEBUG]'),
      { what: 'debug lines of the switch' },
    )
    expect(await levels()).to.equal(3)
    expect(appliance.log).to.contain('"level":30')

    await query(
      appliance,
      "UPDATE platform_states SET until = UTC_TIMESTAMP() - INTERVAL 1 SECOND WHERE name = 'log_level.edge'",
    )
    await eventually(levels, (level) => level === before, { withinMs: 15_000, what: 'the level as before' })
    for (const part of ['server', 'switch']) {
      expect((await operator.put('/operator/log-level', { part, level: 'default' })).body).to.include({
        level: 'default',
        until: null,
      })
    }
    const { data } = (await operator.get('/operator/log-level')).body
    expect(data.map(({ level }: { level: unknown }) => level)).to.deep.equal([
      'default',
      'default',
      'default',
    ])
    await firstStatus()
    const length = freeswitch!.output().length
    await firstStatus()
    expect(freeswitch!.output().slice(length)).not.to.contain('[DEBUG]')
    expect((await operator.put('/operator/log-level', { part: 'edge', level: 'loud' })).status).to.equal(400)
    expect((await audit()).map(({ action }) => action)).to.include('log_level.update')
  })
})
