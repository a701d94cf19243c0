import { expect } from 'chai'
import { query } from './database.js'
import type { Appliance, TestWorkspace } from '../support/appliance.js'
import { multipart } from '../support/audio-files.js'
import {
  fieldsOf,
  newAcl,
  newCallFlow,
  newGateway,
  newNationalNumber,
  newTeam,
  numberInput,
  startUnlimited,
  succeed,
} from './fixtures.js'

describe('phone numbers', function () {
  this.timeout(60_000)
  let appliance: Appliance
  let workspace: TestWorkspace
  let api: TestWorkspace['api']
  let input: Awaited<ReturnType<typeof numberInput>>
  before(async () => {
    appliance = await startUnlimited({ JACKFIELD_CALLS_DEFAULT_FEE_PER_MINUTE: '0.03' })
    workspace = await appliance.workspace()
    api = workspace.api
    input = await numberInput(api)
  })
  after(async () => appliance?.stop())

  const connect = async (changes: object = {}) =>
    api.post('/phone-numbers/connect', { ...input, number: newNationalNumber(), ...changes })

  it('are connected as pending, with their dial code before them', async () => {
    const number = newNationalNumber()
    const answer = await connect({ number, title: 'Main line' })
    expect(answer.status).to.equal(201)
    expect(answer.body).to.deep.include({
      ...{ title: 'Main line', number: `1${number}`, country_code: 'US', dial_code: '1', status: 'pending' },
      ...{ provider: 'sip_trunk', enable_outbound: true, record_outbound: false, call_flow_id: null },
      ...{ capabilities: ['voice'], shared_teams_id: [], fee_per_month: 0, fee_per_mins_call: 0.03 },
      ...{ inbound_acl_id: input.inbound_acl_id, outbound_gateway_id: input.outbound_gateway_id },
      workspace_id: workspace.id,
    })
    expect(answer.body.id).to.match(/^pn_[0-9a-z]{26}$/)
    expect(answer.body.created_at).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  })

  it('tell their trunks in detail', async () => {
    const { body } = await connect()
    const detail = await succeed(api.get(`/phone-numbers/${body.id}`))
    const workspace_id = workspace.id
    expect(detail.acl).to.deep.equal({ id: input.inbound_acl_id, name: 'Office', workspace_id })
    expect(detail.gateway).to.deep.equal({ id: input.outbound_gateway_id, name: 'Carrier', workspace_id })
    const { acl: _, gateway: __, ...rest } = detail
    expect(rest).to.deep.equal(body)
  })

  it('have titles of 1 to 36 characters and 6 to 14 digits', async () => {
    expect((await connect({ title: 'x' })).status).to.equal(201)
    expect((await connect({ title: 'é'.repeat(36) })).status).to.equal(201)
    for (const title of ['', 'x'.repeat(37)])
      expect(fieldsOf(await connect({ title }))).to.deep.equal(['title'])
    // Iceland has numbers of seven digits and Belize, of the shortest, of seven; Andorra of six.
    expect((await connect({ country_code: 'AD', number: '712345' })).body.number).to.equal('376712345')
    expect((await connect({ country_code: 'DE', number: '15123456789' })).body.type).to.equal('mobile')
    for (const number of ['12345', '1'.repeat(15), '+2025550100', '202 555 0100', '202555010a', '']) {
      expect(fieldsOf(await connect({ number })), number).to.deep.equal(['number'])
    }
    // As long as numbers may be, but of no country's length.
    expect(fieldsOf(await connect({ number: '1'.repeat(14) }))).to.deep.equal(['number'])
    expect(fieldsOf(await connect({ number: '123456' }))).to.deep.equal(['number'])
    expect(fieldsOf(await connect({ country_code: 'XX' }))).to.deep.equal(['number'])
  })

  it('know a number that is free of charge', async () => {
    expect((await connect({ number: '8005550100' })).body.type).to.equal('tollfree')
  })

  it('need an ACL of the workspace, and a gateway to call out', async () => {
    const { api: foreign } = await appliance.workspace()
    for (const inbound_acl_id of ['acl_unknown', await newAcl(foreign), '', 'é']) {
      expect(fieldsOf(await connect({ inbound_acl_id }))).to.deep.equal(['inbound_acl_id'])
    }
    for (const outbound_gateway_id of ['gw_unknown', await newGateway(foreign), undefined]) {
      expect(fieldsOf(await connect({ outbound_gateway_id }))).to.deep.equal(['outbound_gateway_id'])
    }
    const silent = await connect({ outbound_gateway_id: undefined, enable_outbound: false })
    expect(silent.body).to.include({ outbound_gateway_id: null, enable_outbound: false })
    expect(await succeed(api.get(`/phone-numbers/${silent.body.id}`))).not.to.have.property('gateway')
    expect(
      fieldsOf(await api.patch(`/phone-numbers/${silent.body.id}`, { enable_outbound: true })),
    ).to.deep.equal(['outbound_gateway_id'])
    const missing = await api.post('/phone-numbers/connect', {})
    expect(fieldsOf(missing)).to.have.members([
      ...['title', 'number', 'country_code', 'inbound_acl_id', 'enable_outbound'],
    ])
  })

  it('are unique in a workspace, also when requests race, and free in another', async () => {
    const number = newNationalNumber()
    const answers = await Promise.all(Array.from({ length: 6 }, async () => connect({ number })))
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([201, 409, 409, 409, 409, 409])
    expect(answers.find(({ status }) => status === 409)?.body.message).to.include(number)
    const { api: other } = await appliance.workspace()
    await succeed(other.post('/phone-numbers/connect', await numberInput(other, number)))
  })

  it('are at most 100, also when requests race', async () => {
    const { api: fresh } = await appliance.workspace()
    const base = await numberInput(fresh)
    const add = async () => fresh.post('/phone-numbers/connect', { ...base, number: newNationalNumber() })
    for (let count = 0; count < 95; count += 5) await Promise.all(Array.from({ length: 5 }, add))
    const statuses = (await Promise.all(Array.from({ length: 10 }, add))).map(({ status }) => status).sort()
    expect(statuses).to.deep.equal([...Array<number>(5).fill(201), ...Array<number>(5).fill(403)])
    const list = await succeed(fresh.get('/phone-numbers?limit=100'))
    expect(list.meta).to.deep.equal({ total: 100, page: 1, limit: 100, total_pages: 1 })
    await succeed(fresh.delete(`/phone-numbers/${list.data[0].id}`))
    expect((await add()).status).to.equal(201)
    expect((await add()).status).to.equal(403)
  })

  it('change only in what is sent', async () => {
    const made = await succeed(connect())
    const path = `/phone-numbers/${made.id}`
    const changed = await succeed(api.patch(path, { record_outbound: true }))
    expect(changed).to.deep.equal({ ...made, record_outbound: true, updated_at: changed.updated_at })
    expect(Date.parse(changed.updated_at)).to.be.at.least(Date.parse(made.updated_at))
    const { acl: _, gateway: __, ...kept } = await succeed(api.get(path))
    expect(kept).to.deep.equal(changed)
    expect((await succeed(api.patch(path, { call_flow_id: null }))).call_flow_id).to.equal(null)
    expect((await succeed(api.patch(path, { shared_teams_id: [] }))).shared_teams_id).to.deep.equal([])
    expect(fieldsOf(await api.patch(path, { call_flow_id: 'cf_unknown' }))).to.deep.equal(['call_flow_id'])
    expect(fieldsOf(await api.patch(path, { shared_teams_id: ['te_unknown'] }))).to.deep.equal([
      'shared_teams_id.0',
    ])
    const teams = Array.from({ length: 101 }, (_, index) => `te_${index}`)
    expect(fieldsOf(await api.patch(path, { shared_teams_id: teams }))).to.deep.equal(['shared_teams_id'])
    for (const field of ['number', 'status', 'fee_per_mins_call', 'workspace_id', 'id']) {
      expect(fieldsOf(await api.patch(path, { [field]: made[field] })), field).to.deep.equal([field])
    }
  })

  it('are shared with teams of the workspace', async () => {
    const { id } = await succeed(connect())
    const path = `/phone-numbers/${id}`
    const [sales, support, billing] = [await newTeam(api), await newTeam(api), await newTeam(api)]
    for (const shared_teams_id of [[sales], [support, billing, sales], [billing, support], []]) {
      expect((await succeed(api.patch(path, { shared_teams_id }))).shared_teams_id).to.deep.equal(
        shared_teams_id,
      )
      expect((await succeed(api.get(path))).shared_teams_id).to.deep.equal(shared_teams_id)
    }
    await succeed(api.patch(path, { shared_teams_id: [sales, billing] }))
    await succeed(api.patch(path, { title: 'Kept' }))
    const { data } = await succeed(api.get('/phone-numbers?limit=100'))
    const shown = data.find((one: { id: string }) => one.id === id)
    expect(shown).to.deep.include({ title: 'Kept', shared_teams_id: [sales, billing] })
    const { api: foreign } = await appliance.workspace()
    for (const wrong of ['te_unknown', await newTeam(foreign)]) {
      expect(fieldsOf(await api.patch(path, { shared_teams_id: [sales, wrong] }))).to.deep.equal([
        'shared_teams_id.1',
      ])
    }
    expect(fieldsOf(await api.patch(path, { shared_teams_id: [sales, sales] }))).to.deep.equal([
      'shared_teams_id',
    ])
    const log = await query(
      appliance,
      "SELECT * FROM audit_log WHERE target_id = ? AND action LIKE '%update'",
      [id],
    )
    expect(log.at(0).changes).to.deep.equal({ shared_teams_id: { from: [], to: [sales] } })
    const { number } = shown
    const refused = await api.delete(`/teams/${sales}`)
    expect(refused.status).to.equal(409)
    expect(refused.body.message).to.include(`number ${number}`)
    expect((await succeed(api.delete(path))).shared_teams_id).to.deep.equal([sales, billing])
    for (const team of [sales, support, billing]) await succeed(api.delete(`/teams/${team}`))
  })

  it('are shared with 100 teams at most', async () => {
    const { id } = await succeed(connect())
    const teams = await Promise.all(Array.from({ length: 101 }, async () => newTeam(api)))
    const path = `/phone-numbers/${id}`
    const hundred = teams.slice(0, 100)
    expect((await succeed(api.patch(path, { shared_teams_id: hundred }))).shared_teams_id).to.deep.equal(
      hundred,
    )
    expect(fieldsOf(await api.patch(path, { shared_teams_id: teams }))).to.deep.equal(['shared_teams_id'])
    expect((await succeed(api.get(path))).shared_teams_id).to.deep.equal(hundred)
  })

  it('are changed one after the other when requests race', async () => {
    const base = await numberInput(api)
    for (let round = 0; round < 5; round++) {
      const { id } = await succeed(connect({ ...base, enable_outbound: false, number: newNationalNumber() }))
      const path = `/phone-numbers/${id}`
      const teams = [await newTeam(api), await newTeam(api)]
      const answers = await Promise.all([
        api.patch(path, { outbound_gateway_id: null }),
        api.patch(path, { enable_outbound: true }),
        ...teams.map(async (team) => api.patch(path, { shared_teams_id: [team] })),
        api.patch(path, { title: 'Raced' }),
        api.patch(path, { record_outbound: true }),
      ])
      for (const { status, body } of answers) expect(status, JSON.stringify(body)).to.be.oneOf([200, 400])
      const number = await succeed(api.get(path))
      expect(number.enable_outbound && number.outbound_gateway_id === null).to.equal(false)
      expect(number.shared_teams_id).to.have.length(1)
      expect(number).to.include({ title: 'Raced', record_outbound: true })
    }
  })

  it('are raced for between two servers: one of a number, and no more than 100', async () => {
    const { api: first } = await appliance.workspace()
    const both = [first, first.with({ port: await appliance.startAnotherServer() })]
    const base = await numberInput(first)
    const race = async (count: number, input: () => object) => {
      const sent = Array.from({ length: count }, async (_, index) =>
        both[index % 2]!.post('/phone-numbers/connect', { ...base, ...input() }),
      )
      return (await Promise.all(sent)).map(({ status }) => status).sort()
    }
    const number = newNationalNumber()
    expect(await race(8, () => ({ number }))).to.deep.equal([201, ...Array<number>(7).fill(409)])
    const another = () => ({ number: newNationalNumber() })
    for (let count = 1; count < 97; count += 6) expect(await race(6, another)).not.to.include(403)
    expect(await race(8, another)).to.deep.equal([
      ...Array<number>(3).fill(201),
      ...Array<number>(5).fill(403),
    ])
    expect((await succeed(first.get('/phone-numbers'))).meta.total).to.equal(100)
  })

  it('are deleted for good, and given back once more', async () => {
    const made = await succeed(connect())
    expect(await succeed(api.delete(`/phone-numbers/${made.id}`))).to.deep.equal(made)
    expect((await api.get(`/phone-numbers/${made.id}`)).status).to.equal(404)
    expect((await api.delete(`/phone-numbers/${made.id}`)).status).to.equal(404)
    const { number } = made as { number: string }
    expect((await connect({ number: number.slice(1) })).status).to.equal(201)
  })

  it('are activated and priced by the operator alone', async () => {
    const made = await succeed(connect())
    const path = `/workspaces/${workspace.id}/phone-numbers/${made.id}`
    const active = await succeed(appliance.operator.post(`${path}/activate`))
    const verified = { is_verified: true, verified_by: 'operator', verified_at: active.updated_at }
    expect(Date.parse(active.verified_at)).to.be.closeTo(Date.parse(active.updated_at), 1_000)
    expect({ ...active, verified_at: active.updated_at }).to.deep.equal({
      ...{ ...made, ...verified },
      ...{ status: 'active', updated_at: active.updated_at },
    })
    const settings = {
      status: 'inactive',
      capabilities: [],
      fee_per_month: 2.5,
      fee_per_mins_call: 0.1,
      fee_per_segment: 0.02,
      fee_per_mms: 0.05,
    }
    expect(await succeed(appliance.operator.patch(path, settings))).to.deep.include(settings)
    const { acl: _, gateway: __, ...kept } = await succeed(api.get(`/phone-numbers/${made.id}`))
    expect(kept).to.deep.include(settings)
    const wrong = { status: 'x', capabilities: ['fax'], fee_per_month: -1, fee_per_mins_call: 0.0000001 }
    expect(fieldsOf(await appliance.operator.patch(path, wrong))).to.have.members([
      ...['status', 'capabilities.0', 'fee_per_month', 'fee_per_mins_call'],
    ])
    expect((await api.patch(path, settings)).status).to.equal(404)
  })

  it('keep what the operator has set for them when they are given up and connected again', async () => {
    const connectAgain = async ({ id, number }: { id: string; number: string }, from = api) => {
      if (from === api) await succeed(api.delete(`/phone-numbers/${id}`))
      return succeed(
        from.post('/phone-numbers/connect', { ...(await numberInput(from)), number: number.slice(1) }),
      )
    }
    const made = await succeed(connect())
    const { fee_per_month, fee_per_mins_call, fee_per_segment, fee_per_mms } = made
    const usual = { fee_per_month, fee_per_mins_call, fee_per_segment, fee_per_mms }
    const fees = { fee_per_month: 2.5, fee_per_mins_call: 0.123456, fee_per_segment: 0.02, fee_per_mms: 0 }
    const price = async ({ id }: { id: string }, body: object) =>
      succeed(appliance.operator.patch(`/workspaces/${workspace.id}/phone-numbers/${id}`, body))
    await price(made, { ...fees, status: 'active' })
    const again = await connectAgain(made)
    expect(again).to.deep.include({ ...fees, status: 'pending' })
    const third = await connectAgain(again)
    expect(third).to.deep.include(fees)
    await price(third, usual)
    expect(await connectAgain(third), 'as the operator has set them last').to.deep.include(usual)
    const { api: foreign } = await appliance.workspace()
    expect(await connectAgain(made, foreign), 'of another workspace').to.deep.include(usual)
  })

  it('never answer 500 when a trunk goes while a number comes', async () => {
    for (let round = 0; round < 5; round++) {
      const inbound_acl_id = await newAcl(api)
      const answers = await Promise.all([
        ...Array.from({ length: 5 }, async () => connect({ inbound_acl_id })),
        api.delete(`/sip-trunks/acls/${inbound_acl_id}`),
      ])
      for (const { status, body } of answers)
        expect(status, JSON.stringify(body)).to.be.oneOf([200, 201, 400, 409])
    }
  })

  it('are listed in pages, sorted and searched', async () => {
    const { api: fresh } = await appliance.workspace()
    const base = await numberInput(fresh)
    const titles = ['Delta', 'alpha', 'Charlie', 'bravo', 'echo']
    for (const title of titles) {
      await succeed(fresh.post('/phone-numbers/connect', { ...base, title, number: newNationalNumber() }))
    }
    const page = async (query: string) => succeed(fresh.get(`/phone-numbers?${query}`))
    const titlesOf = async (query: string) =>
      (await page(query)).data.map(({ title }: { title: string }) => title)
    expect(await titlesOf('')).to.deep.equal([...titles].reverse())
    expect(await titlesOf('sort_field=title&sort_order=asc')).to.deep.equal([
      ...['alpha', 'bravo', 'Charlie', 'Delta', 'echo'],
    ])
    expect((await page('limit=2&page=3')).meta).to.deep.equal({ total: 5, page: 3, limit: 2, total_pages: 3 })
    expect((await page('')).meta).to.include({ limit: 20, total_pages: 1 })
    const all = [1, 2, 3, 4].map(async (number) => titlesOf(`limit=2&page=${number}&sort_order=asc`))
    expect((await Promise.all(all)).flat()).to.deep.equal(titles)
    expect(await titlesOf('search=LPH')).to.deep.equal(['alpha'])
    const [{ number }] = (await page('search=echo')).data
    expect(await titlesOf(`search=${String(number).slice(3)}`)).to.deep.equal(['echo'])
    expect(await titlesOf('search=%25')).to.deep.equal([])
    expect(await titlesOf('capability=voice&search=echo')).to.deep.equal(['echo'])
    expect(await titlesOf('capability=sms')).to.deep.equal([])
    const numbers = async () => (await page('sort_field=number&sort_order=asc')).data as { number: string }[]
    expect(await numbers()).to.deep.equal((await numbers()).sort((a, b) => (a.number < b.number ? -1 : 1)))
  })

  it('are filtered by state, flow and teams, and imported again from what is exported', async () => {
    const fresh = await appliance.workspace()
    const base = await numberInput(fresh.api)
    const [team, other] = [await newTeam(fresh.api), await newTeam(fresh.api)]
    const flow = await newCallFlow(fresh.api)
    const ids: string[] = []
    for (const title of ['Main', 'Sales', 'Fax']) {
      const input = { ...base, title, number: newNationalNumber() }
      ids.push((await succeed(fresh.api.post('/phone-numbers/connect', input))).id)
    }
    const [main, sales, fax] = ids.map((id) => `/phone-numbers/${id}`) as [string, string, string]
    await succeed(fresh.api.patch(main, { call_flow_id: flow, record_outbound: true }))
    await succeed(fresh.api.patch(sales, { shared_teams_id: [other, team] }))
    await succeed(fresh.api.patch(fax, { enable_outbound: false }))
    await succeed(appliance.operator.post(`/workspaces/${fresh.id}${fax}/activate`))
    const titlesOf = async (query: string) =>
      (await succeed(fresh.api.get(`/phone-numbers?sort_field=title&sort_order=asc&${query}`))).data.map(
        ({ title }: { title: string }) => title,
      )
    expect(await titlesOf('status=active')).to.deep.equal(['Fax'])
    expect(await titlesOf('status=pending')).to.deep.equal(['Main', 'Sales'])
    expect(await titlesOf('enable_outbound=false')).to.deep.equal(['Fax'])
    expect(await titlesOf('type=tollfree')).to.deep.equal([])
    expect(await titlesOf(`call_flow_id=${flow}`)).to.deep.equal(['Main'])
    expect(await titlesOf('call_flow_id=none')).to.deep.equal(['Fax', 'Sales'])
    expect(await titlesOf(`team_id=${team}`)).to.deep.equal(['Sales'])
    expect(await titlesOf('team_id=none&call_flow_id=none')).to.deep.equal(['Fax'])

    const exported = async (query = '') =>
      String((await fresh.api.get(`/phone-numbers/export.csv?${query}`)).body)
    expect((await exported(`team_id=${team}`)).split('\r\n')).to.have.length(3)
    const whole = await exported()
    for (const path of [main, sales, fax]) await succeed(fresh.api.delete(path))
    const raw = multipart({}, { name: 'rows.csv', content: Buffer.from(whole), type: 'text/csv' })
    expect(await succeed(fresh.api.request('POST', '/phone-numbers/import', { raw }))).to.include({
      ...{ created: 3, failed: 0 },
    })
    // The operator's word alone activates a number again.
    expect(await exported()).to.equal(whole.replace(',active,', ',pending,'))
  })
})
