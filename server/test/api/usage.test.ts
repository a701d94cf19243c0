import { expect } from 'chai'
import type { Appliance, TestWorkspace } from '../support/appliance.js'
import { query } from './database.js'
import { fieldsOf, startUnlimited, succeed } from './fixtures.js'

describe('usage', () => {
  let appliance: Appliance
  let workspace: TestWorkspace
  before(async () => {
    appliance = await startUnlimited()
    workspace = await appliance.workspace()
    const other = await appliance.workspace()
    await addCall(workspace, '2026-01-31 23:59:59.999', 'outbound', 60, 0.01)
    await addCall(workspace, '2026-02-01 00:00:00.000', 'outbound', 61, 0.02)
    await addCall(workspace, '2026-02-01 12:00:00.000', 'outbound', 0, 0)
    await addCall(workspace, '2026-02-01 13:00:00.000', 'inbound', 5, 0.1)
    await addCall(workspace, '2026-02-28 23:59:59.999', 'inbound', 7, 0.2)
    await addCall(workspace, '2026-03-01 00:00:00.000', 'inbound', 9, 0.000001)
    await addCall(other, '2026-02-02 00:00:00.000', 'inbound', 1000, 1)
  })
  after(async () => appliance?.stop())

  const noMessages = { messages: 0, segments: 0, message_cost: 0 }
  const noCalls = { calls: 0, seconds: 0, cost: 0 }

  const ask = async (parameters: string) => workspace.api.get(`/usage?${parameters}`)

  let made = 0
  async function addCall(
    { id }: TestWorkspace,
    at: string,
    direction: string,
    seconds: number,
    cost: number,
  ): Promise<void> {
    made += 1
    await query(
      appliance,
      `INSERT INTO calls (id, workspace_id, direction, status, from_number, from_name, to_number, to_name,
        max_duration, script, live, created_at, duration, cost)
       VALUES (?, ?, ?, 'completed', '', '', '', '', 1, '[]', NULL, ?, ?, ?)`,
      [`call_usage${made}`, id, direction, at, seconds, cost],
    )
  }

  async function addMessage(
    { id: workspace_id }: TestWorkspace,
    created_at: string,
    direction: string,
    segments: number,
    cost: number | null,
  ): Promise<void> {
    made += 1
    const row = {
      ...{ id: `msg_usage${made}`, workspace_id, conversation_id: 'conv_1', phone_number_id: 'pn_1' },
      ...{
        system_number: '12025550199',
        client_number: '12025550142',
        direction,
        status: 'sent',
        position: made,
      },
      ...{
        sender_type: 'system',
        body: '',
        encoding: 'gsm7',
        segments,
        cost,
        created_at,
        updated_at: created_at,
      },
    }
    const names = Object.keys(row)
    await query(
      appliance,
      `INSERT INTO messages (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
      Object.values(row),
    )
  }

  it('is told by day and direction', async () => {
    expect(await succeed(ask('from=2026-02-01&to=2026-02-28'))).to.deep.equal({
      from: '2026-02-01',
      to: '2026-02-28',
      group_by: 'day',
      data: [
        { period: '2026-02-01', direction: 'inbound', calls: 1, seconds: 5, cost: 0.1, ...noMessages },
        { period: '2026-02-01', direction: 'outbound', calls: 2, seconds: 61, cost: 0.02, ...noMessages },
        { period: '2026-02-28', direction: 'inbound', calls: 1, seconds: 7, cost: 0.2, ...noMessages },
      ],
      total: { calls: 4, seconds: 73, cost: 0.32, ...noMessages },
    })
    const day = await succeed(ask('from=2026-01-31&to=2026-01-31'))
    expect(day.total).to.deep.equal({ calls: 1, seconds: 60, cost: 0.01, ...noMessages })
  })

  it('is told by month', async () => {
    const { data, total } = await succeed(ask('from=2026-01-01&to=2026-12-31&group_by=month'))
    expect(data).to.deep.equal([
      { period: '2026-01', direction: 'outbound', calls: 1, seconds: 60, cost: 0.01, ...noMessages },
      { period: '2026-02', direction: 'inbound', calls: 2, seconds: 12, cost: 0.3, ...noMessages },
      { period: '2026-02', direction: 'outbound', calls: 2, seconds: 61, cost: 0.02, ...noMessages },
      { period: '2026-03', direction: 'inbound', calls: 1, seconds: 9, cost: 0.000001, ...noMessages },
    ])
    expect(total).to.deep.equal({ calls: 6, seconds: 142, cost: 0.330001, ...noMessages })
  })

  it('holds messages, and those days that have nothing else', async () => {
    const sender = await appliance.workspace()
    await addCall(sender, '2026-02-01 12:00:00.000', 'outbound', 61, 0.02)
    await addMessage(sender, '2026-02-01 12:00:00.000', 'outbound', 3, 0.03)
    await addMessage(sender, '2026-02-01 23:59:59.999', 'outbound', 2, null)
    await addMessage(sender, '2026-02-02 00:00:00.000', 'inbound', 1, null)
    const told = await succeed(sender.api.get('/usage?from=2026-02-01&to=2026-02-28'))
    const called = { calls: 1, seconds: 61, cost: 0.02 }
    expect(told.data).to.deep.equal([
      {
        ...{ period: '2026-02-01', direction: 'outbound', ...called },
        ...{ messages: 2, segments: 5, message_cost: 0.03 },
      },
      {
        ...{ period: '2026-02-02', direction: 'inbound', ...noCalls },
        ...{ messages: 1, segments: 1, message_cost: 0 },
      },
    ])
    expect(told.total).to.deep.equal({ ...called, messages: 3, segments: 6, message_cost: 0.03 })
  })

  it('is that of the last 30 days unless asked otherwise', async () => {
    const { from, to, data } = await succeed(ask(''))
    expect(to).to.be.oneOf([dayBefore(0), dayBefore(1)])
    expect((Date.parse(to) - Date.parse(from)) / 86_400_000).to.equal(29)
    expect(data).to.deep.equal([])
    expect(await succeed(ask('to=2026-03-01'))).to.deep.include({ from: '2026-01-31', to: '2026-03-01' })
  })

  it('is that of 366 days at most', async () => {
    expect((await ask('from=2026-01-01&to=2027-01-01')).status).to.equal(200)
    expect(fieldsOf(await ask('from=2026-01-01&to=2027-01-02'))).to.deep.equal(['to'])
    expect(fieldsOf(await ask('from=2026-02-02&to=2026-02-01'))).to.deep.equal(['to'])
    expect((await ask('from=2099-12-31&to=2099-12-31')).status).to.equal(200)
    for (const bad of [
      '2026-02-29',
      '1999-12-31',
      '2100-01-01',
      '2026-1-1',
      'today',
      '2026-02-01T00:00:00Z',
      '',
    ]) {
      expect(fieldsOf(await ask(`from=${bad}`)), bad).to.deep.equal(['from'])
    }
  })
})

function dayBefore(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
}
