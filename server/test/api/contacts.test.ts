import { expect } from 'chai'
import type { Appliance, TestWorkspace } from '../support/appliance.js'
import { multipart } from '../support/audio-files.js'
import { contact, fieldsOf, newContact, startUnlimited, succeed } from './fixtures.js'
import { query } from './database.js'

describe('contacts', () => {
  let appliance: Appliance
  let workspace: TestWorkspace
  let api: TestWorkspace['api']
  let otherPort: number
  before(async () => {
    appliance = await startUnlimited({ JACKFIELD_LIMITS_CONTACTS: '40' })
    otherPort = await appliance.startAnotherServer()
  })
  beforeEach(async () => {
    workspace = await appliance.workspace()
    api = workspace.api
  })
  after(async () => appliance?.stop())

  const create = async (changes: object) => api.post('/contacts', { ...contact, ...changes })
  const namesOf = async (listQuery: string): Promise<string[]> =>
    (await succeed(api.get(`/contacts?${listQuery}`))).data.map(({ name }: { name: string }) => name)

  it('have everything that was sent, and empty values for what was not', async () => {
    const { id: address_book_id } = await succeed(api.post('/address-books', { title: 'Customers' }))
    const all = {
      name: 'Zoë Ångström',
      numbers: ['+12025550100', '+442079460123'],
      email: 'zoe@example.com',
      notes: 'Likes\ntrains 🚂',
      custom_fields: { 'Customer no.': '42', größe: 'XL' },
      address_book_id,
    }
    const made = await succeed(create(all))
    expect(made).to.deep.include({ ...all, workspace_id: workspace.id })
    expect(made.id).to.match(/^con_/)
    expect(await succeed(api.get(`/contacts/${made.id}`))).to.deep.equal(made)
    const bare = await succeed(api.post('/contacts', { name: 'B', numbers: ['+12025550101'] }))
    expect(bare).to.deep.include({ email: null, notes: null, custom_fields: {}, address_book_id: null })
  })

  it('have numbers of one form, however they are written', async () => {
    const written = ['12025550100', '+1 (202) 555-0101', '+1.202.555.0102', '+44 20 7946 0123']
    const { numbers } = await succeed(create({ numbers: written }))
    expect(numbers).to.deep.equal(['+12025550100', '+12025550101', '+12025550102', '+442079460123'])
  })

  it('name every number that will not do', async () => {
    const bad = ['+12025550100', '2025550', '+1', '+999123456789', 'office', '+1 202 555 0100 ext 5', '']
    expect(fieldsOf(await create({ numbers: bad }))).to.include.members([
      'numbers.2',
      'numbers.4',
      'numbers.5',
      'numbers.6',
    ])
    const possible = await create({ numbers: ['+12025550100', '+999123456789', '+12', '+120255501001234'] })
    expect(fieldsOf(possible)).to.include('numbers.2')
    const repeated = await create({ numbers: ['+12025550100', '+12025550101', '1 202 555 0100'] })
    expect(fieldsOf(repeated)).to.deep.equal(['numbers.2'])
    expect(repeated.body.message).to.equal('numbers.2 is the same number as numbers.0')
  })

  it('hold to their bounds', async () => {
    const numbers = (count: number) => Array.from({ length: count }, (_, i) => `+1202555${1000 + i}`)
    const fields = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`field${i}`, 'x'.repeat(500)]))
    const longMail = `${'x'.repeat(64)}@${'y'.repeat(60)}.${'y'.repeat(60)}.${'y'.repeat(60)}.com`
    for (const good of [
      { numbers: numbers(10) },
      { name: 'é'.repeat(100), email: longMail, numbers: numbers(10) },
      { notes: '漢'.repeat(2000) },
      { custom_fields: fields(50) },
      { custom_fields: { [`f${'x'.repeat(63)}`]: '' } },
    ]) {
      const made = await create(good)
      expect(made.status, JSON.stringify(made.body)).to.equal(201)
      expect(made.body).to.deep.include(good)
    }
    for (const [bad, field] of [
      [{ numbers: numbers(11) }, 'numbers'],
      [{ numbers: [] }, 'numbers'],
      [{ name: 'é'.repeat(101) }, 'name'],
      [{ name: '' }, 'name'],
      [{ name: 'a\u0000b' }, 'name'],
      [{ notes: 'x'.repeat(2001) }, 'notes'],
      [{ email: 'nobody' }, 'email'],
      [{ email: `${'x'.repeat(250)}@example.com` }, 'email'],
      [{ custom_fields: fields(51) }, 'custom_fields'],
      [{ custom_fields: { [`f${'x'.repeat(64)}`]: '' } }, `custom_fields.f${'x'.repeat(64)}`],
      [{ custom_fields: { a: 'x'.repeat(501) } }, 'custom_fields.a'],
      [{ custom_fields: { a: 1 } }, 'custom_fields.a'],
      [{ custom_fields: { a: {} } }, 'custom_fields.a'],
      [{ custom_fields: { '1a': '' } }, 'custom_fields.1a'],
      [{ custom_fields: [] }, 'custom_fields'],
      [{ address_book_id: 'ab_unknown' }, 'address_book_id'],
    ] as const) {
      expect(fieldsOf(await create(bad)), JSON.stringify(bad).slice(0, 60)).to.deep.equal([field])
    }
    const polluted = '{"name":"x","numbers":["+12025550100"],"custom_fields":{"__proto__":"x"}}'
    const answer = await api.request('POST', '/contacts', {
      raw: { type: 'application/json', content: polluted },
    })
    expect(answer.status).to.equal(400)
  })

  it('change only in what is sent', async () => {
    const made = await succeed(create({ email: 'a@example.com', custom_fields: { a: '1', b: '2' } }))
    const path = `/contacts/${made.id}`
    const changed = await succeed(api.patch(path, { custom_fields: { b: '3' }, email: null }))
    expect(changed).to.deep.equal({
      ...made,
      custom_fields: { b: '3' },
      email: null,
      updated_at: changed.updated_at,
    })
    expect(await succeed(api.get(path))).to.deep.equal(changed)
    expect(fieldsOf(await api.patch(path, { numbers: ['+12'] }))).to.deep.equal(['numbers.0'])
  })

  it('are found by each of their numbers, and by new ones when these change', async () => {
    const { id } = await succeed(create({ name: 'Two', numbers: ['+12025550110', '+12025550111'] }))
    await create({ name: 'Other', numbers: ['+12025550111'] })
    const by = async (number: string) => (await namesOf(`number=${encodeURIComponent(number)}`)).sort()
    expect(await by('+12025550110')).to.deep.equal(['Two'])
    expect(await by('+1 (202) 555-0111')).to.deep.equal(['Other', 'Two'])
    expect(await by('12025550199')).to.deep.equal([])
    await succeed(api.patch(`/contacts/${id}`, { numbers: ['+12025550199'] }))
    expect(await by('12025550110')).to.deep.equal([])
    expect(await by('12025550199')).to.deep.equal(['Two'])
    expect(fieldsOf(await api.get('/contacts?number=5555555'))).to.deep.equal(['number'])
    await succeed(api.delete(`/contacts/${id}`))
    expect(await by('12025550199')).to.deep.equal([])
    expect((await api.get(`/contacts/${id}`)).status).to.equal(404)
    expect(await query(appliance, 'SELECT * FROM contact_numbers WHERE contact_id = ?', [id])).to.have.length(
      0,
    )
  })

  it('are found with and without accents, in whatever form these are written', async () => {
    const forms = ['NFC', 'NFD'] as const
    for (const form of forms) {
      const name = 'Élise Ångström'.normalize(form)
      const {
        id,
        name: kept,
        notes,
      } = await succeed(
        api.post('/contacts', { name, notes: 'é'.normalize(form), numbers: ['+12025550142'] }),
      )
      expect([kept, notes]).to.deep.equal(['Élise Ångström', 'é'])
      for (const text of ['élise', 'ÉLISE', 'elise', 'angstrom', 'e Å'])
        for (const searched of forms) {
          const query = encodeURIComponent(text.normalize(searched))
          const { data } = await succeed(api.get(`/contacts?search=${query}`))
          expect(
            data.map((one: { id: string }) => one.id),
            `${text} ${form} ${searched}`,
          ).to.deep.equal([id])
        }
      const longest = await succeed(api.patch(`/contacts/${id}`, { name: '\u0958'.repeat(100) }))
      expect(longest.name).to.equal('\u0958'.repeat(100))
      const renamed = await succeed(api.patch(`/contacts/${id}`, { name: 'Zoë'.normalize(form) }))
      expect(renamed.name).to.equal('Zoë')
      await succeed(api.delete(`/contacts/${id}`))
    }
  })

  it('are searched by name, e-mail and number, sorted and filtered', async () => {
    const { id: book } = await succeed(api.post('/address-books', { title: 'Customers' }))
    await create({ name: 'José Álvarez', numbers: ['+12025550121'], email: null, address_book_id: book })
    await create({ name: 'anna 100%', numbers: ['+12025550122'], email: 'a_b@example.com' })
    await create({
      name: 'Peter',
      numbers: ['+12025550123'],
      email: 'peter@jackfield.example',
      address_book_id: book,
    })
    expect(await namesOf('sort_field=name&sort_order=asc')).to.deep.equal([
      'anna 100%',
      'José Álvarez',
      'Peter',
    ])
    expect(await namesOf('')).to.deep.equal(['Peter', 'anna 100%', 'José Álvarez'])
    expect(await namesOf('search=JOSE')).to.deep.equal(['José Álvarez'])
    expect(await namesOf('search=jackfield')).to.deep.equal(['Peter'])
    expect(await namesOf(`search=${encodeURIComponent('(202) 555-0122')}`)).to.deep.equal(['anna 100%'])
    expect(await namesOf(`search=${encodeURIComponent('+1202')}&sort_order=asc`)).to.have.length(3)
    expect(await namesOf('search=%25')).to.deep.equal(['anna 100%'])
    expect(await namesOf('search=_')).to.deep.equal(['anna 100%'])
    expect(await namesOf(`address_book_id=${book}&sort_field=name&sort_order=asc`)).to.deep.equal([
      'José Álvarez',
      'Peter',
    ])
    expect(await namesOf(`address_book_id=${book}&search=pet`)).to.deep.equal(['Peter'])
    expect(await namesOf(`address_book_id=${book}&number=12025550122`)).to.deep.equal([])
    const second = await succeed(api.get('/contacts?limit=2&page=2&sort_field=name&sort_order=asc'))
    expect(second.meta).to.deep.equal({ total: 3, page: 2, limit: 2, total_pages: 2 })
    expect(second.data[0].name).to.equal('Peter')
  })

  it('are never those of another workspace', async () => {
    const foreign = await appliance.workspace()
    const { id: theirBook } = await succeed(foreign.api.post('/address-books', { title: 'Theirs' }))
    await newContact(foreign.api)
    expect(fieldsOf(await create({ address_book_id: theirBook }))).to.deep.equal(['address_book_id'])
    expect(await namesOf(`number=${encodeURIComponent(contact.numbers[0]!)}`)).to.deep.equal([])
    expect(await namesOf(`address_book_id=${theirBook}`)).to.deep.equal([])
  })

  it('end at the limit of the workspace, also when two servers are asked at once', async () => {
    const both = [api, api.with({ port: otherPort })]
    const answers = await Promise.all(
      Array.from({ length: 45 }, async (_, i) => both[i % 2]!.post('/contacts', contact)),
    )
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 201)).to.have.length(40)
    expect(statuses.filter((status) => status === 403)).to.have.length(5)
    expect((await succeed(api.get('/contacts'))).meta.total).to.equal(40)
    const refused = await create({})
    expect(refused.body.message).to.equal('The workspace holds 40 contacts already')
  })

  it('have room again for each that is deleted, by the API or by hand, and none for those that came by hand', async () => {
    const held = async () =>
      (
        (await query(appliance, 'SELECT held FROM row_counts WHERE workspace_id = ? AND name = ?', [
          ...[workspace.id, 'contacts'],
        ])) as { held: number }[]
      )[0]?.held
    const ids: string[] = []
    for (let i = 0; i < 40; i++) ids.push((await succeed(create({}))).id as string)
    expect((await create({})).status).to.equal(403)
    await succeed(api.delete(`/contacts/${ids[0]}`))
    expect(await held()).to.equal(39)
    expect((await api.delete(`/contacts/${ids[0]}`)).status).to.equal(404)
    expect(await held()).to.equal(39)
    await succeed(create({}))
    expect((await create({})).status).to.equal(403)
    expect(await held()).to.equal(40)
    await query(appliance, 'DELETE FROM contacts WHERE id IN (?)', [ids.slice(1, 11)])
    await succeed(create({}))
    expect(await held()).to.equal(31)
    await query(
      appliance,
      `INSERT INTO contacts (id, workspace_id, name, numbers, custom_fields, created_at, updated_at)
       SELECT CONCAT(id, 'x'), workspace_id, name, numbers, custom_fields, created_at, updated_at FROM contacts
       WHERE workspace_id = ? LIMIT 9`,
      [workspace.id],
    )
    await query(appliance, 'UPDATE row_counts SET counted_at = counted_at - INTERVAL 25 HOUR')
    expect((await create({})).status).to.equal(403)
  })

  it('go with their workspace', async () => {
    const { id: address_book_id } = await succeed(api.post('/address-books', { title: 'Customers' }))
    await succeed(create({ address_book_id }))
    await succeed(appliance.operator.delete(`/workspaces/${workspace.id}`))
    for (const table of ['contacts', 'contact_numbers', 'address_books', 'row_counts']) {
      const rows = await query(appliance, `SELECT * FROM ${table} WHERE workspace_id = ?`, [workspace.id])
      expect(rows, table).to.have.length(0)
    }
  })

  it('are imported from CSV files, again without a change, and exported as they were', async () => {
    const { id: book } = await succeed(api.post('/address-books', { title: 'Customers' }))
    const importing = async (text: string, listQuery = '', at = '/contacts/import') =>
      api.request('POST', `${at}?${listQuery}`, {
        raw: multipart({}, { name: 'rows.csv', content: Buffer.from(text), type: 'text/csv' }),
      })
    const text =
      'name;numbers;email;address book\nZoë;+12025550100;z@example.com;customers\n"=Bob";+442079460123;;\n'
    expect(await succeed(importing(text, 'dry_run=true'))).to.include({ created: 2, is_dry_run: true })
    expect(await namesOf('')).to.deep.equal([])
    expect(await succeed(importing(text))).to.include({ created: 2, updated: 0, skipped: 0, failed: 0 })
    expect(await succeed(importing(text))).to.include({ created: 0, skipped: 2 })
    const changed = 'name,numbers\nZoe B.,+1 202 555 0100\n'
    expect(await succeed(importing(changed, 'existing=update'))).to.include({ updated: 1 })
    const exported = await api.get(`/contacts/export.csv?address_book_id=${book}`)
    expect(exported.headers['content-type']).to.match(/^text\/csv/)
    expect(String(exported.body)).to.equal(
      `name,numbers,email,notes,custom_fields,address_book_id\r\nZoe B.,+12025550100,z@example.com,,,${book as string}\r\n`,
    )
    const whole = String((await api.get('/contacts/export.csv')).body)
    expect(whole).to.include("'=Bob,+442079460123")
    expect(await succeed(importing(whole))).to.include({ created: 0, skipped: 2 })

    expect(await namesOf('address_book_id=none')).to.deep.equal(['=Bob'])

    const faulty = await importing(`${changed}Ann,none\nBen,+12025550177\n`)
    expect(faulty.status).to.equal(400)
    expect(faulty.body.errors[0].field).to.equal('file.3.numbers.0')
    expect(await namesOf('search=Ben'), 'nothing of a refused file').to.deep.equal([])

    // What only the database finds undoes what was written before it.
    const agents = 'username,password,display_name,email\n'
    const same = `${agents}anna,battery staple,Anna,a@example.com\nbert,battery staple,Bert,a@example.com\n`
    const taken = await importing(same, '', '/agents/import')
    expect([taken.status, taken.body.errors[0].field]).to.deep.equal([400, 'file.3'])
    const agentCount = async () => (await succeed(api.get('/agents'))).meta.total as number
    expect(await agentCount()).to.equal(0)
    expect(await succeed(importing(same, 'faulty=skip', '/agents/import'))).to.include({
      ...{ created: 1, failed: 1 },
    })
    expect(await agentCount()).to.equal(1)
    // A password is never exported: an agent who exists keeps it, and a new one needs it.
    const people = String((await api.get('/agents/export.csv')).body)
    expect(await succeed(importing(people, 'existing=update', '/agents/import'))).to.include({
      ...{ created: 0, updated: 1 },
    })
    const unknown = await importing(people.replaceAll('anna', 'carl'), '', '/agents/import')
    expect(fieldsOf(unknown)).to.deep.equal(['file.2.password'])
    const extensions = 'extension,title,destination,agent\n201,Anna,agent,anna\n202,Bert,agent,bert\n'
    expect(await succeed(importing(extensions, 'faulty=skip', '/extensions/import'))).to.include({
      ...{ created: 1, failed: 1 },
    })
    const made = await succeed(api.get('/extensions'))
    expect(made.data[0].agent.username).to.equal('anna')
  })
})
