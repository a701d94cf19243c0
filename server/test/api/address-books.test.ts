import { expect } from 'chai'
import type { Appliance, TestWorkspace } from '../support/appliance.js'
import { query } from './database.js'
import { contact, fieldsOf, newAddressBook, newTeam, startUnlimited, succeed } from './fixtures.js'

describe('address books', () => {
  let appliance: Appliance
  let workspace: TestWorkspace
  let api: TestWorkspace['api']
  let otherPort: number
  before(async () => {
    appliance = await startUnlimited({ JACKFIELD_LIMITS_ADDRESS_BOOKS: '5' })
    otherPort = await appliance.startAnotherServer()
  })
  beforeEach(async () => {
    workspace = await appliance.workspace()
    api = workspace.api
  })
  after(async () => appliance?.stop())

  const create = async (changes: object) => api.post('/address-books', { title: 'Customers', ...changes })

  it('are shared with teams, in the order in which they were given', async () => {
    const teams = [await newTeam(api), await newTeam(api), await newTeam(api)].reverse()
    const made = await succeed(create({ shared_teams_id: teams }))
    expect(made).to.deep.include({ title: 'Customers', shared_teams_id: teams, contact_count: 0 })
    expect(made.id).to.match(/^ab_/)
    const path = `/address-books/${made.id}`
    expect(await succeed(api.get(path))).to.deep.equal(made)
    const fewer = await succeed(api.patch(path, { shared_teams_id: [teams[1]] }))
    expect(fewer).to.deep.equal({ ...made, shared_teams_id: [teams[1]], updated_at: fewer.updated_at })
    expect((await succeed(api.patch(path, { title: 'Others' }))).shared_teams_id).to.deep.equal([teams[1]])
    expect((await succeed(api.patch(path, { shared_teams_id: [] }))).shared_teams_id).to.deep.equal([])
    expect((await succeed(create({}))).shared_teams_id).to.deep.equal([])
  })

  it('are shared with teams of their workspace only, each once, and 100 of them', async () => {
    const foreign = await appliance.workspace()
    const [own, theirs] = [await newTeam(api), await newTeam(foreign.api)]
    const answer = await create({ shared_teams_id: [own, theirs, 'te_none'] })
    expect(fieldsOf(answer)).to.deep.equal(['shared_teams_id.1', 'shared_teams_id.2'])
    expect(fieldsOf(await create({ shared_teams_id: [own, own] }))).to.deep.equal(['shared_teams_id'])
    const { id } = await succeed(create({}))
    const changed = await api.patch(`/address-books/${id}`, { shared_teams_id: [theirs] })
    expect(fieldsOf(changed)).to.deep.equal(['shared_teams_id.0'])
    const many = Array.from({ length: 101 }, (_, index) => `te_${index}`)
    expect(fieldsOf(await create({ shared_teams_id: many }))).to.deep.equal(['shared_teams_id'])
    expect(fieldsOf(await create({ shared_teams_id: many.slice(1) }))).to.have.length(100)
  })

  it('hold their teams in place', async () => {
    const team = await newTeam(api)
    const { id } = await succeed(create({ title: 'Sales', shared_teams_id: [team] }))
    const refused = await api.delete(`/teams/${team}`)
    expect(refused.status).to.equal(409)
    expect(refused.body.message).to.include('the address book Sales')
    await succeed(api.patch(`/address-books/${id}`, { shared_teams_id: [] }))
    await succeed(api.delete(`/teams/${team}`))
  })

  it('never share with a team that is deleted at the same moment', async () => {
    const { id } = await succeed(create({}))
    for (let round = 0; round < 8; round++) {
      const team = await newTeam(api)
      const [shared, deleted] = await Promise.all([
        api.patch(`/address-books/${id}`, { shared_teams_id: [team] }),
        api.with({ port: otherPort }).delete(`/teams/${team}`),
      ])
      expect([shared.status, deleted.status]).to.be.deep.oneOf([
        [200, 409],
        [400, 200],
      ])
      await succeed(api.patch(`/address-books/${id}`, { shared_teams_id: [] }))
    }
  })

  it('count their contacts, and are deleted only without', async () => {
    const [id, other] = [await newAddressBook(api), await newAddressBook(api)]
    const ids = []
    for (let count = 0; count < 3; count++) {
      ids.push((await succeed(api.post('/contacts', { ...contact, address_book_id: id }))).id)
    }
    const { data } = await succeed(api.get('/address-books?sort_order=asc'))
    expect(
      data.map((book: { id: string; contact_count: number }) => [book.id, book.contact_count]),
    ).to.deep.equal([
      [id, 3],
      [other, 0],
    ])
    const refused = await api.delete(`/address-books/${id}`)
    expect(refused.status).to.equal(409)
    expect(refused.body.message).to.equal('The address book Customers is used by 3 contacts')
    await succeed(api.patch(`/contacts/${ids[0]}`, { address_book_id: other }))
    await succeed(api.patch(`/contacts/${ids[1]}`, { address_book_id: null }))
    await succeed(api.delete(`/contacts/${ids[2]}`))
    expect((await succeed(api.delete(`/address-books/${id}`))).id).to.equal(id)
    expect((await api.get(`/address-books/${id}`)).status).to.equal(404)
    expect((await api.delete(`/address-books/${other}`)).body.message).to.include('1 contact')
  })

  it('never lose a contact that is put in while they are deleted', async () => {
    for (let round = 0; round < 8; round++) {
      const address_book_id = await newAddressBook(api)
      const [made, deleted] = await Promise.all([
        api.post('/contacts', { ...contact, address_book_id }),
        api.with({ port: otherPort }).delete(`/address-books/${address_book_id}`),
      ])
      expect([made.status, deleted.status]).to.be.deep.oneOf([
        [201, 409],
        [400, 200],
      ])
      if (made.status !== 201) continue
      await succeed(api.delete(`/contacts/${made.body.id}`))
      await succeed(api.delete(`/address-books/${address_book_id}`))
    }
  })

  it('have titles of 1 to 36 characters, are sorted and searched', async () => {
    for (const title of ['', 'x'.repeat(37), 'a\nb']) {
      expect(fieldsOf(await create({ title }))).to.deep.equal(['title'])
    }
    for (const title of ['é'.repeat(36), 'beta', 'Alpha', '100%']) await succeed(create({ title }))
    const titles = async (list: string): Promise<string[]> =>
      (await succeed(api.get(`/address-books?${list}`))).data.map(({ title }: { title: string }) => title)
    expect(await titles('sort_field=title&sort_order=asc&limit=3')).to.deep.equal(['100%', 'Alpha', 'beta'])
    expect(await titles('search=ALPH')).to.deep.equal(['Alpha'])
    expect(await titles('search=%25')).to.deep.equal(['100%'])
  })

  it('end at the limit of the workspace, also when two servers are asked at once', async () => {
    const both = [api, api.with({ port: otherPort })]
    const answers = await Promise.all(
      Array.from({ length: 8 }, async (_, i) => both[i % 2]!.post('/address-books', { title: 'Mine' })),
    )
    expect(answers.filter(({ status }) => status === 201)).to.have.length(5)
    expect(answers.filter(({ status }) => status === 403)).to.have.length(3)
  })

  it('are told of in the audit log with their teams, and go with their workspace', async () => {
    const team = await newTeam(api)
    const { id } = await succeed(create({ shared_teams_id: [team] }))
    const [entry] = await query(appliance, 'SELECT action, changes FROM audit_log WHERE target_id = ?', [id])
    expect(entry.action).to.equal('address_book.create')
    expect(JSON.stringify(entry.changes)).to.include(team)
    await succeed(appliance.operator.delete(`/workspaces/${workspace.id}`))
    expect(
      await query(appliance, 'SELECT * FROM address_book_teams WHERE team_id = ?', [team]),
    ).to.have.length(0)
  })
})
