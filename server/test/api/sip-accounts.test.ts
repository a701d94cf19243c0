import { createHash } from 'node:crypto'
import { expect } from 'chai'
import { eventually } from '../support/api-client.js'
import type { Appliance, TestWorkspace } from '../support/appliance.js'
import { multipart } from '../support/audio-files.js'
import { query, tablesHolding } from './database.js'
import { EdgeRpc } from './edge-rpc.js'
import { fieldsOf, newName, newNumber, sipAccountInput, startUnlimited, succeed } from './fixtures.js'

const sipDomain = 'sip.example.org'

describe('SIP accounts', function () {
  this.timeout(60_000)
  let edge: EdgeRpc
  let appliance: Appliance
  let workspace: TestWorkspace
  let api: TestWorkspace['api']

  before(async () => {
    edge = await EdgeRpc.start()
    appliance = await startUnlimited({
      ...edge.settings,
      JACKFIELD_EDGE_SIP_DOMAIN: sipDomain,
      JACKFIELD_LIMITS_SIP_ACCOUNTS: '12',
    })
  })
  beforeEach(async () => {
    edge.manner = 'answers'
    edge.removed.length = 0
    workspace = await appliance.workspace({ credit: 0 })
    api = workspace.api
  })
  after(async () => {
    await appliance?.stop()
    await edge?.stop()
  })

  const create = async (changes: object = {}) =>
    api.post('/sip-accounts', { ...sipAccountInput(), ...changes })
  const numberOf = async (client = api) =>
    succeed(client.get(`/phone-numbers/${await newNumber(client)}`)) as Promise<{
      id: string
      number: string
    }>
  const jobs = async () => query(appliance, "SELECT * FROM outbox WHERE kind = 'edge.forget'")

  it('register at the domain of their workspace', async () => {
    const username = newName()
    const answer = await create({ title: 'Reception', username })
    expect(answer.status).to.equal(201)
    const { id, created_at, updated_at, ...rest } = answer.body
    expect(rest).to.deep.equal({
      ...{ title: 'Reception', username, workspace_id: workspace.id },
      ...{ domain: `${workspace.id}.${sipDomain}`, outbound_caller_id: null },
      max_concurrent_calls: null,
    })
    expect(id).to.match(/^si_[0-9a-z]{26}$/)
    expect(created_at).to.match(/Z$/).and.to.equal(updated_at)
    expect(await succeed(api.get(`/sip-accounts/${id}`))).to.deep.equal(answer.body)
  })

  it('are kept with the hashes of their password, and never with it', async () => {
    const password = 'pässword: of {a} phone'
    const { id, username, domain } = await succeed(create({ password }))
    const md5 = (value: string) => createHash('md5').update(value).digest('hex')
    const sha256 = (value: string) => createHash('sha256').update(value).digest('hex')
    const [row] = await query(appliance, 'SELECT * FROM sip_accounts WHERE id = ?', [id])
    const plain = `${username}:${domain}:${password}`
    const withDomain = `${username}@${domain}:${domain}:${password}`
    expect(row).to.include({
      ...{ ha1: md5(plain), ha1b: md5(withDomain) },
      ...{ ha1_sha256: sha256(plain), ha1b_sha256: sha256(withDomain) },
    })
    await succeed(api.patch(`/sip-accounts/${id}`, { password: `${password}, changed` }))
    const [changed] = await query(appliance, 'SELECT * FROM sip_accounts WHERE id = ?', [id])
    expect(changed.ha1).to.equal(md5(`${plain}, changed`))
    expect(await tablesHolding(appliance, password)).to.deep.equal([])
    const log = await query(appliance, 'SELECT * FROM audit_log WHERE target_id = ? ORDER BY id', [id])
    expect(log.map(({ action }) => action)).to.deep.equal(['sip_account.create', 'sip_account.update'])
    for (const hash of [row.ha1, changed.ha1, changed.ha1_sha256]) {
      expect(JSON.stringify(log)).not.to.include(hash)
      expect(JSON.stringify(await api.get('/sip-accounts'))).not.to.include(hash)
    }
  })

  it('hold each field to its limits', async () => {
    for (const title of ['x', 'é'.repeat(36)]) expect((await create({ title })).status).to.equal(201)
    for (const username of ['abc', '0'.repeat(3), 'z'.repeat(30)]) {
      expect((await create({ username })).status, username).to.equal(201)
    }
    for (const password of ['x'.repeat(6), 'é'.repeat(50)]) {
      expect((await create({ password })).status, password).to.equal(201)
    }
    const wrong: [string, unknown[]][] = [
      ['title', ['', 'x'.repeat(37), 'a\nb', 5, null]],
      ['username', ['ab', 'x'.repeat(31), 'Anna', 'an na', 'anna.b', 'änna', 'anna\n', '', 5, null]],
      ['password', ['x'.repeat(5), 'x'.repeat(51), 'a\tbcdef', 123456, null]],
      ['outbound_caller_id', ['x', '+', '12025550999', '+1 202', '\u0663\u0664\u0665', 12025550999]],
      ['domain', ['example.org']],
    ]
    for (const [field, values] of wrong) {
      for (const value of values) {
        expect(fieldsOf(await create({ [field]: value })), `${field}: ${String(value)}`).to.deep.equal([
          field,
        ])
      }
    }
    expect(fieldsOf(await api.post('/sip-accounts', {}))).to.have.members(['title', 'username', 'password'])
  })

  it('call out with a number of the workspace, or with none', async () => {
    const { number } = await numberOf()
    for (const outbound_caller_id of [number, `+${number}`]) {
      expect((await create({ outbound_caller_id })).body.outbound_caller_id).to.equal(number)
    }
    for (const outbound_caller_id of [null, '', undefined]) {
      expect((await create({ outbound_caller_id })).body.outbound_caller_id).to.equal(null)
    }
    const { api: foreign } = await appliance.workspace({ credit: 0 })
    const elsewhere = await numberOf(foreign)
    expect(fieldsOf(await create({ outbound_caller_id: elsewhere.number }))).to.deep.equal([
      'outbound_caller_id',
    ])
    const { id } = await succeed(create({ outbound_caller_id: number }))
    const path = `/sip-accounts/${id}`
    expect(fieldsOf(await api.patch(path, { outbound_caller_id: elsewhere.number }))).to.deep.equal([
      'outbound_caller_id',
    ])
    expect((await succeed(api.patch(path, { title: 'Same' }))).outbound_caller_id).to.equal(number)
    for (const nothing of [null, '']) {
      await succeed(api.patch(path, { outbound_caller_id: `+${number}` }))
      expect((await succeed(api.get(path))).outbound_caller_id).to.equal(number)
      expect((await succeed(api.patch(path, { outbound_caller_id: nothing }))).outbound_caller_id).to.equal(
        null,
      )
    }
  })

  it('have no caller id when their number is deleted', async () => {
    const { id, number } = await numberOf()
    const account = await succeed(create({ title: 'Front desk', outbound_caller_id: number }))
    expect((await succeed(api.delete(`/phone-numbers/${id}`))).number).to.equal(number)
    expect((await succeed(api.get(`/sip-accounts/${account.id}`))).outbound_caller_id).to.equal(null)
  })

  it('change only in what is sent, and never in their username', async () => {
    const made = await succeed(create())
    const path = `/sip-accounts/${made.id}`
    const changed = await succeed(api.patch(path, { title: 'Other' }))
    expect(changed).to.deep.equal({ ...made, title: 'Other', updated_at: changed.updated_at })
    expect(await succeed(api.get(path))).to.deep.equal(changed)
    for (const field of ['username', 'domain', 'workspace_id', 'id', 'created_at']) {
      expect(fieldsOf(await api.patch(path, { [field]: made[field] })), field).to.deep.equal([field])
    }
    for (const [field, value] of Object.entries({ title: '', password: 'short', outbound_caller_id: 'x' })) {
      expect(fieldsOf(await api.patch(path, { [field]: value }))).to.deep.equal([field])
    }
    expect((await api.patch('/sip-accounts/si_unknown', { title: 'x' })).status).to.equal(404)
  })

  it('are unique by username in a workspace and free in another', async () => {
    const { username } = await succeed(create())
    const refused = await create({ username })
    expect(refused.status).to.equal(409)
    expect(refused.body.message).to.include(username)
    const { api: other } = await appliance.workspace({ credit: 0 })
    await succeed(other.post('/sip-accounts', { ...sipAccountInput(), username }))
  })

  it('are no more than the operator allows', async () => {
    const made = await Promise.all(Array.from({ length: 15 }, async () => create()))
    const counts = [201, 403].map((status) => made.filter((answer) => answer.status === status).length)
    expect(counts).to.deep.equal([12, 3])
    const { data } = await succeed(api.get('/sip-accounts'))
    await succeed(api.delete(`/sip-accounts/${data[0].id}`))
    expect((await create()).status).to.equal(201)
    expect((await create()).body.message).to.include('12 SIP accounts')
  })

  it('are listed in pages, sorted and searched', async () => {
    const names = ['Delta', 'alpha', 'Charlie', 'bravo', 'echo'].map((title) => [title, newName()] as const)
    for (const [title, username] of names) await succeed(create({ title, username }))
    const list = async (parameters: string) => succeed(api.get(`/sip-accounts?${parameters}`))
    const titles = async (parameters: string) =>
      (await list(parameters)).data.map(({ title }: { title: string }) => title)
    expect(await titles('')).to.deep.equal(['echo', 'bravo', 'Charlie', 'alpha', 'Delta'])
    expect(await titles('sort_field=title&sort_order=asc')).to.deep.equal([
      ...['alpha', 'bravo', 'Charlie', 'Delta', 'echo'],
    ])
    expect((await list('limit=2&page=3')).meta).to.deep.equal({ total: 5, page: 3, limit: 2, total_pages: 3 })
    expect((await list('')).meta.limit).to.equal(10)
    expect(await titles('search=LPH')).to.deep.equal(['alpha'])
    expect(await titles(`search=${names[2]![1].toUpperCase()}`)).to.deep.equal(['Charlie'])
    expect(await titles('search=%25')).to.deep.equal([])
    expect(fieldsOf(await api.get('/sip-accounts?sort_field=username'))).to.deep.equal(['sort_field'])
  })

  it('are filtered by their caller id, exported without passwords, and imported', async () => {
    const { number } = await numberOf()
    await succeed(create({ title: 'Desk', username: 'desk', outbound_caller_id: number }))
    await succeed(create({ title: 'Door', username: 'door', max_concurrent_calls: 2 }))
    const titles = async (parameters: string) =>
      (await succeed(api.get(`/sip-accounts?${parameters}`))).data.map(
        ({ title }: { title: string }) => title,
      )
    expect(await titles(`outbound_caller_id=${number}`)).to.deep.equal(['Desk'])
    expect(await titles('outbound_caller_id=none')).to.deep.equal(['Door'])
    const exported = async (query = '') => String((await api.get(`/sip-accounts/export.csv?${query}`)).body)
    const heading = 'username,title,outbound_caller_id,max_concurrent_calls\r\n'
    expect(await exported('outbound_caller_id=none')).to.equal(`${heading}door,Door,,2\r\n`)
    const whole = await exported()
    expect(whole).to.equal(`${heading}desk,Desk,+${number},\r\ndoor,Door,,2\r\n`)

    const importing = async (text: string) => {
      const raw = multipart({}, { name: 'rows.csv', content: Buffer.from(text), type: 'text/csv' })
      return api.request('POST', '/sip-accounts/import?existing=update', { raw })
    }
    const changed = whole.replace(',2\r', ',3\r')
    expect(await succeed(importing(changed))).to.include({ created: 0, updated: 2, failed: 0 })
    expect(await exported()).to.equal(changed)
    const fresh = await importing(`${whole}hall,Hall,,\r\n`)
    expect(fieldsOf(fresh)).to.deep.equal(['file.4.password'])
    const bad = await importing(
      'username,title,max_concurrent_calls,outbound_caller_id\ndoor,Door,two,\ndesk,Desk,,+15\n',
    )
    expect(fieldsOf(bad)).to.deep.equal(['file.2.max_concurrent_calls', 'file.3.outbound_caller_id'])
    expect(await succeed(importing('user;password;title\nhall;battery staple;Hall\n'))).to.include({
      ...{ created: 1, failed: 0 },
    })
  })

  describe('take their phones off the registrar', () => {
    let account: { id: string; username: string; domain: string; title: string }
    let address: string
    beforeEach(async () => {
      account = await succeed(create({ password: 'password one' }))
      address = `${account.username}@${account.domain}`
    })
    const path = () => `/sip-accounts/${account.id}`

    it('when they are deleted, before the answer', async () => {
      expect(await succeed(api.delete(path()))).to.deep.equal(account)
      expect(edge.removed).to.deep.equal([address])
      expect(await jobs()).to.deep.equal([])
      expect((await api.get(path())).status).to.equal(404)
      expect((await api.delete(path())).status).to.equal(404)
    })

    it('when their password changes, and with nothing else', async () => {
      await succeed(api.patch(path(), { title: 'Other', outbound_caller_id: '', password: 'password one' }))
      expect(edge.removed).to.deep.equal([])
      await succeed(api.patch(path(), { password: 'password two' }))
      expect(edge.removed).to.deep.equal([address])
      expect(await jobs()).to.deep.equal([])
    })

    it('when their workspace is deleted', async () => {
      await succeed(appliance.operator.delete(`/workspaces/${workspace.id}`))
      await eventually(
        async () => edge.removed,
        (removed) => removed.includes(address),
        { withinMs: 5_000 },
      )
    })

    it('later, when the edge is not to be had', async () => {
      edge.manner = 'refuses'
      await succeed(api.delete(path()))
      expect(edge.removed).to.deep.equal([])
      edge.manner = 'answers'
      await eventually(
        async () => edge.removed,
        (removed) => removed.includes(address),
        { withinMs: 5_000 },
      )
      await eventually(jobs, (left) => left.length === 0)
    })

    it('also when the server is killed meanwhile', async () => {
      edge.manner = 'is silent'
      const before = edge.asked
      const answer = api.delete(path()).catch(() => 'cut')
      await eventually(
        async () => edge.asked,
        (asked) => asked > before,
      )
      await appliance.killServer()
      expect(await answer).to.equal('cut')
      edge.manner = 'answers'
      await appliance.startServer()
      expect((await api.get(path())).status).to.equal(404)
      await eventually(
        async () => edge.removed,
        (removed) => removed.includes(address),
        { withinMs: 10_000 },
      )
    })
  })

  it('are raced for between two servers', async () => {
    const port = await appliance.startAnotherServer()
    const both = [api, api.with({ port })]
    const input = sipAccountInput()
    const race = async (send: (client: typeof api) => Promise<{ status: number }>) =>
      (await Promise.all(Array.from({ length: 10 }, async (_, index) => send(both[index % 2]!))))
        .map(({ status }) => status)
        .sort()
    const once = [201, ...Array<number>(9).fill(409)]
    expect(await race(async (client) => client.post('/sip-accounts', input))).to.deep.equal(once)
    for (let count = 1; count < 9; count++) await succeed(create())
    const full = [...Array<number>(3).fill(201), ...Array<number>(7).fill(403)]
    expect(await race(async (client) => client.post('/sip-accounts', sipAccountInput()))).to.deep.equal(full)
    expect((await succeed(api.get('/sip-accounts'))).meta.total).to.equal(12)
  })
})
