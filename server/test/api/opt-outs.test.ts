import { expect } from 'chai'
import type { Appliance, TestWorkspace } from '../support/appliance.js'
import { query } from './database.js'
import { fieldsOf, newNumber, startUnlimited, succeed } from './fixtures.js'

describe('opt-outs', () => {
  let appliance: Appliance
  let workspace: TestWorkspace
  let api: TestWorkspace['api']
  let phone_number_id: string
  before(async () => {
    appliance = await startUnlimited()
  })
  beforeEach(async () => {
    workspace = await appliance.workspace()
    api = workspace.api
    phone_number_id = await newNumber(api)
  })
  after(async () => appliance?.stop())

  const add = async (client_number: string, number = phone_number_id) =>
    api.post('/opt-outs', { phone_number_id: number, client_number })
  const clients = async (query = '') =>
    (await succeed(api.get(`/opt-outs?sort_order=asc${query}`))).data.map(
      ({ client_number }: { client_number: string }) => client_number,
    )

  it('are added once, however the number is written, and listed with the number that they are for', async () => {
    const { number } = await succeed(api.get(`/phone-numbers/${phone_number_id}`))
    const made = await succeed(add('+1 (202) 555-0177'))
    expect(made).to.deep.include({
      ...{ workspace_id: workspace.id, phone_number_id },
      ...{ system_number: `+${number}`, client_number: '+12025550177' },
    })
    const raced = await Promise.all(Array.from({ length: 8 }, async () => succeed(add('12025550177'))))
    for (const again of raced) expect(again).to.deep.equal(made)
    expect((await succeed(api.get('/opt-outs'))).data).to.deep.equal([made])
    expect((await succeed(api.get('/audit-log?action=opt_out.create'))).data).to.have.length(1)
  })

  it('are found by the number, and by digits of the client', async () => {
    const other = await newNumber(api)
    await succeed(add('+12025550177'))
    await succeed(add('+442079460123'))
    await succeed(add('+12025550178', other))
    expect(await clients()).to.deep.equal(['+12025550177', '+442079460123', '+12025550178'])
    expect(await clients(`&phone_number_id=${other}`)).to.deep.equal(['+12025550178'])
    expect(await clients('&phone_number_id=pn_none')).to.deep.equal([])
    expect(await clients('&search=%2B1%20202')).to.deep.equal(['+12025550177', '+12025550178'])
    expect(await clients('&search=zo%C3%AB%25')).to.deep.equal([])
    expect(await clients('&limit=1&page=2')).to.deep.equal(['+442079460123'])
    const [, second] = (await succeed(api.get('/opt-outs?sort_order=asc'))).data as { created_at: string }[]
    const moment = encodeURIComponent(second!.created_at)
    expect(await clients(`&from=${moment}`))
      .to.include('+12025550178')
      .and.not.include('+12025550177')
    expect(await clients(`&to_date=${moment}`))
      .to.include('+442079460123')
      .and.not.include('+12025550178')
    expect(await clients(`&from=${moment}&to_date=2020-01-01T00:00:00Z`)).to.deep.equal([])
    expect(fieldsOf(await api.get('/opt-outs?from=yesterday'))).to.deep.equal(['from'])
  })

  it('are taken back', async () => {
    const made = await succeed(add('+12025550177'))
    const path = `/opt-outs/${phone_number_id}`
    expect(await succeed(api.delete(`${path}/%2B12025550177`))).to.deep.equal(made)
    expect((await api.delete(`${path}/+12025550177`)).status).to.equal(404)
    expect((await api.delete(`/opt-outs/pn_none/+12025550177`)).status).to.equal(404)
    expect(await clients()).to.deep.equal([])
    const told = (await succeed(api.get('/audit-log?limit=2'))).data.map(
      ({ action }: { action: string }) => action,
    )
    expect(told).to.deep.equal(['opt_out.delete', 'opt_out.create'])
  })

  it('name what will not do', async () => {
    expect(fieldsOf(await add('5555555'))).to.deep.equal(['client_number'])
    expect(fieldsOf(await add('AMAZON'))).to.deep.equal(['client_number'])
    const elsewhere = await appliance.workspace()
    expect(fieldsOf(await add('+12025550177', await newNumber(elsewhere.api)))).to.deep.equal([
      'phone_number_id',
    ])
  })

  it('have own words and answers, of which each has one meaning', async () => {
    const before = await succeed(api.get('/message-settings'))
    expect(before).to.deep.include({ stop_words: [], help_reply: null })
    const changes = { stop_words: ['no more', 'нет!'], help_reply: 'Ask at {{number}}' }
    const after = await succeed(api.patch('/message-settings', changes))
    expect(after).to.deep.equal({ ...before, ...changes })
    expect(await succeed(api.get('/message-settings'))).to.deep.equal(after)
    const [entry] = (await succeed(api.get('/audit-log?action=workspace.update&limit=1'))).data
    const { title } = await succeed(appliance.operator.get(`/workspaces/${workspace.id}`))
    expect(entry.target).to.deep.equal({ type: 'workspace', id: workspace.id, name: title })
    const wrong = await api.patch('/message-settings', { stop_words: ['…'], start_words: ['No-more'] })
    expect(fieldsOf(wrong)).to.deep.equal(['stop_words.0'])
    const twice = await api.patch('/message-settings', { start_words: ['ok', 'No-more'] })
    expect(fieldsOf(twice)).to.deep.equal(['start_words.1'])
    const long = await api.patch('/message-settings', { stop_words: Array(51).fill('x') })
    expect(fieldsOf(long)).to.deep.equal(['stop_words'])
  })

  it('stand beside how texts are written', async () => {
    const answer = await succeed(api.patch('/message-settings', { replace_look_alikes: true }))
    expect(answer).to.include({ replace_look_alikes: true })
  })

  it('are a file, of thousands as well', async () => {
    // Many of one moment: a batch ends in the midst of it.
    await query(
      appliance,
      `INSERT INTO opt_outs (phone_number_id, client_number, workspace_id, created_at)
       SELECT ?, CONCAT('1202555', LPAD(seq, 4, '0')), ?, '2026-03-01' + INTERVAL FLOOR(seq / 700) DAY FROM seq_1_to_2500`,
      [phone_number_id, workspace.id],
    )
    const { body } = await api.get('/opt-outs/export.csv')
    const [, ...lines] = String(body).trimEnd().split('\r\n')
    const numbers = lines.map((line) => /\+1202555(\d{4})/.exec(line)?.[1])
    expect(numbers).to.deep.equal(
      Array.from({ length: 2_500 }, (_, index) => String(index + 1).padStart(4, '0')),
    )
  })

  it('go with their number', async () => {
    await succeed(add('+12025550177'))
    await succeed(api.delete(`/phone-numbers/${phone_number_id}`))
    expect(await clients()).to.deep.equal([])
  })
})
