import { expect } from 'chai'
import type { Appliance, TestWorkspace } from '../support/appliance.js'
import { fieldsOf, startUnlimited, succeed } from './fixtures.js'

describe('credit', () => {
  let appliance: Appliance
  let workspace: TestWorkspace
  before(async () => {
    appliance = await startUnlimited()
  })
  beforeEach(async () => {
    workspace = await appliance.workspace({ credit: 0 })
  })
  after(async () => appliance?.stop())

  const add = async (body: object) => appliance.operator.post(`/workspaces/${workspace.id}/credit`, body)
  const balance = async () => (await workspace.api.get('/credit')).body.balance as number

  it('is added by the operator and read by the owner, with a ledger', async () => {
    const added = await add({ amount: 25, note: 'Transfer 17' })
    expect(added.status).to.equal(201)
    expect(added.body).to.deep.include({ workspace_id: workspace.id, balance: 25 })
    await add({ amount: 0.5 })
    expect(await balance()).to.equal(25.5)
    const { data } = (await workspace.api.get('/credit/entries?sort_order=asc')).body
    expect(data).to.have.length(2)
    expect(data[0]).to.include({ amount: 25, balance: 25, reason: 'top_up', note: 'Transfer 17' })
    expect(data[1]).to.include({ amount: 0.5, balance: 25.5 })
    expect((await appliance.operator.get(`/workspaces/${workspace.id}`)).body.credit_balance).to.equal(25.5)
  })

  it('takes every amount down to a millionth of a dollar', async () => {
    const amounts = [0.1, 0.07, 1.1, 1.005, 0.000001, 19.99, 999_999.999999]
    for (const amount of amounts) expect((await add({ amount })).status, String(amount)).to.equal(201)
    expect(await balance()).to.be.closeTo(
      amounts.reduce((sum, amount) => sum + amount, 0),
      1e-6,
    )
    for (const amount of [0, -1, 0.0000001, 1.0000005, 1_000_000.01, '5', null]) {
      expect(fieldsOf(await add({ amount })), String(amount)).to.deep.equal(['amount'])
    }
  })

  it('is added once, however often a request with a key is sent', async () => {
    const path = `/workspaces/${workspace.id}/credit`
    const send = async (amount: number, key: string) =>
      appliance.operator.post(path, { amount }, { 'Idempotency-Key': key })
    const answers = await Promise.all(Array.from({ length: 5 }, async () => send(25, 'transfer-17')))
    answers.push(await send(25, 'transfer-17'))
    expect(new Set(answers.map(({ status }) => status))).to.deep.equal(new Set([201]))
    expect(new Set(answers.map(({ body }) => body.entry.id)).size).to.equal(1)
    expect(await balance()).to.equal(25)
    expect((await send(26, 'transfer-17')).status).to.equal(409)
    expect((await send(25, 'transfer-18')).status).to.equal(201)
    expect(await balance()).to.equal(50)
  })

  it('is corrected by the operator, and adds up', async () => {
    await add({ amount: 25 })
    const wrong = await add({ amount: -25.5, reason: 'correction', note: 'Entered twice' })
    expect(wrong.status, JSON.stringify(wrong.body)).to.equal(201)
    expect(wrong.body.entry).to.include({ amount: -25.5, balance: -0.5, reason: 'correction' })
    expect((await add({ amount: 1, reason: 'correction' })).body.balance).to.equal(0.5)
    for (const body of [
      { amount: 0, reason: 'correction' },
      { amount: -1, reason: 'top_up' },
    ]) {
      expect(fieldsOf(await add(body))).to.deep.equal(['amount'])
    }
    expect(fieldsOf(await add({ amount: 1, reason: 'call' }))).to.deep.equal(['reason'])
    const checked = await succeed(appliance.operator.get(`/workspaces/${workspace.id}/credit/check`))
    expect(checked).to.include({ is_consistent: true, balance: 0.5, entries: 3 })
    const shown = await succeed(appliance.operator.get(`/workspaces/${workspace.id}`))
    expect(shown, 'a correction is no spending').to.include({ spent_this_hour: 0, spent_today: 0 })
  })

  it('loses nothing when additions race', async () => {
    const answers = await Promise.all(Array.from({ length: 30 }, async () => add({ amount: 0.1 })))
    expect(answers.every(({ status }) => status === 201)).to.equal(true)
    expect(await balance()).to.equal(3)
    const entries = await succeed(workspace.api.get('/credit/entries?limit=100'))
    expect(new Set(entries.data.map((entry: { balance: number }) => entry.balance)).size).to.equal(30)
  })

  it('answers 400 when the balance would outgrow what can be kept', async () => {
    const answers = []
    for (let count = 0; count < 101; count++) answers.push(await add({ amount: 1_000_000 }))
    const refused = answers.filter(({ status }) => status !== 201)
    expect(refused.length).to.be.greaterThan(0)
    for (const answer of refused) expect(fieldsOf(answer)).to.deep.equal(['amount'])
  })
})
