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
  after(async () => appliance.stop())

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
