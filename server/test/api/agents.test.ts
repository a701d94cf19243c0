/** Agents: each field and its bounds. Lists of them are agent-lists.test.ts. */
import { verify } from '@node-rs/argon2'
import { expect } from 'chai'
import type { Appliance, TestWorkspace } from '../support/appliance.js'
import { query, tablesHolding } from './database.js'
import { agentInput, fieldsOf, newAgent, newName, startUnlimited, succeed } from './fixtures.js'

describe('agents', function () {
  this.timeout(30_000)
  let appliance: Appliance
  let workspace: TestWorkspace
  let api: TestWorkspace['api']
  before(async () => {
    appliance = await startUnlimited()
    workspace = await appliance.workspace()
    api = workspace.api
  })
  after(async () => appliance?.stop())

  const create = async (changes: object = {}) => api.post('/agents', { ...agentInput(), ...changes })

  it('have all fields of the contract, and no password', async () => {
    const input = { ...agentInput(), email: 'Jane.Doe@Example.com', avatar: 'https://example.com/jane.png' }
    const made = await create({ ...input, country_code: 'DE', is_active: false, role: 'leader' })
    expect(made.status).to.equal(201)
    const { id, created_at, updated_at, ...rest } = made.body
    expect(id).to.match(/^ag_[0-9a-z]{26}$/)
    expect(updated_at).to.equal(created_at)
    expect(rest).to.deep.equal({
      workspace_id: workspace.id,
      username: input.username,
      domain: `agents--${workspace.id}.sip.localhost`,
      display_name: input.display_name,
      email: 'Jane.Doe@Example.com',
      avatar: 'https://example.com/jane.png',
      role: 'leader',
      is_admin: false,
      state: 'offline',
      is_ringing: false,
      is_active: false,
      voicemail_by_email: false,
      country_code: 'DE',
    })
    expect(await succeed(api.get(`/agents/${id}`))).to.deep.equal(made.body)
  })

  it('have defaults: the country of the workspace, active, member, no e-mail and no picture', async () => {
    expect((await create()).body).to.include({
      ...{ country_code: 'US', is_active: true, role: 'member', is_admin: false, email: null, avatar: null },
    })
    expect((await create({ email: null, avatar: null })).body).to.include({ email: null, avatar: null })
    const missing = await api.post('/agents', {})
    expect(fieldsOf(missing)).to.have.members(['username', 'password', 'display_name'])
    expect(missing.body.message).to.equal(missing.body.errors[0].messages[0])
  })

  describe('when they are added', () => {
    it('have usernames of 3 to 30 lowercase letters and digits that begin with a letter', async () => {
      for (const username of ['abc', 'a1b', `a${'0'.repeat(29)}`]) {
        expect((await create({ username })).status, username).to.equal(201)
      }
      const wrong = [
        'ab',
        `a${'0'.repeat(30)}`,
        '1abc',
        'Abc',
        'a-b',
        'a b c',
        'a.bc',
        'äbc',
        'abc\n',
        '',
        'a@b',
      ]
      for (const username of wrong) {
        const answer = await create({ username })
        expect(fieldsOf(answer), username).to.deep.equal(['username'])
        expect(answer.body.message, username).to.deep.equal(answer.body.errors[0].messages)
        expect(answer.body.message, username).to.be.an('array').that.is.not.empty
      }
    })

    it('are told everything in an array when the username is among what is wrong', async () => {
      const { body } = await create({ username: 'A', password: 'short' })
      expect(body.message).to.deep.equal([
        'username must NOT have fewer than 3 characters',
        'username must be lowercase letters and digits, beginning with a letter',
        'password must NOT have fewer than 6 characters',
      ])
      expect(body).to.include({ statusCode: 400, error: 'Bad Request' })
      expect((await create({ password: 'short' })).body.message).to.equal(
        'password must NOT have fewer than 6 characters',
      )
    })

    it('have display names of 3 to 50 letters of any script, spaces and hyphens', async () => {
      const right = ['Ann', 'x'.repeat(50), 'Jean-Luc Ångström', 'Ελένη Σ', '李小龙', 'नमस्ते देव', 'محمد علي']
      for (const display_name of right) {
        expect((await create({ display_name })).body.display_name, display_name).to.equal(display_name)
      }
      const wrong = [
        'An',
        'x'.repeat(51),
        'Ann3',
        "O'Neil",
        'Ann_B',
        'Ann.',
        'Ann\tB',
        'Ann 😀',
        '   ',
        '---',
        '',
      ]
      for (const display_name of wrong) {
        expect(fieldsOf(await create({ display_name })), display_name).to.deep.equal(['display_name'])
      }
    })

    it('have passwords of 6 to 50 characters', async () => {
      for (const password of ['x'.repeat(6), 'x'.repeat(50), '😀'.repeat(50), "' OR 1=1 --"]) {
        expect((await create({ password })).status, password).to.equal(201)
      }
      for (const password of ['x'.repeat(5), 'x'.repeat(51), '', 123456, null]) {
        expect(fieldsOf(await create({ password })), String(password)).to.deep.equal(['password'])
      }
    })
  })

  describe('when they are changed', () => {
    let path: string
    before(async () => {
      path = `/agents/${await newAgent(api)}`
    })

    it('may have hyphens in their usernames', async () => {
      for (const username of ['a-b', '1ab', '-ab', 'a'.repeat(30)]) {
        expect((await succeed(api.patch(path, { username }))).username).to.equal(username)
      }
      for (const username of ['ab', 'a'.repeat(31), 'Abc', 'a_b', 'a b']) {
        const answer = await api.patch(path, { username })
        expect(fieldsOf(answer), username).to.deep.equal(['username'])
        expect(answer.body.message).to.be.a('string')
      }
      expect((await succeed(api.patch(path, { username: null }))).username).to.equal('a'.repeat(30))
    })

    it('have display names of 1 to 35 letters, spaces and hyphens', async () => {
      for (const display_name of ['X', 'é'.repeat(35), 'A B-C']) {
        expect((await succeed(api.patch(path, { display_name }))).display_name).to.equal(display_name)
      }
      for (const display_name of ['', 'x'.repeat(36), 'A1', ' ']) {
        expect(fieldsOf(await api.patch(path, { display_name }))).to.deep.equal(['display_name'])
      }
      expect((await succeed(api.patch(path, { display_name: null }))).display_name).to.equal('A B-C')
    })

    it('change only in what is sent', async () => {
      const before = await succeed(api.get(path))
      for (const change of [
        { email: 'new@example.com' },
        { avatar: 'http://example.com/a.gif' },
        { is_active: false },
        { country_code: 'FR' },
        { role: 'supervisor' },
        { email: null },
        { avatar: null },
      ]) {
        const was = await succeed(api.get(path))
        const changed = await succeed(api.patch(path, change))
        expect(changed).to.deep.equal({ ...was, ...change, updated_at: changed.updated_at })
        expect(await succeed(api.get(path))).to.deep.equal(changed)
      }
      expect(Date.parse((await succeed(api.patch(path, {}))).updated_at)).to.be.at.least(
        Date.parse(before.updated_at),
      )
      for (const field of [
        'id',
        'workspace_id',
        'password',
        'state',
        'domain',
        'created_at',
        'password_hash',
      ]) {
        expect(fieldsOf(await api.patch(path, { [field]: 'x' })), field).to.deep.equal([field])
      }
    })

    it('are unknown with 400, as the contract has it, and elsewhere with 404', async () => {
      const { api: foreign } = await appliance.workspace()
      for (const id of ['ag_01jzzzzzzzzzzzzzzzzzzzzzzz', await newAgent(foreign)]) {
        const changed = await api.patch(`/agents/${id}`, { display_name: 'Mine' })
        expect([changed.status, changed.body.message]).to.deep.equal([400, 'Agent not found'])
        const shown = await api.get(`/agents/${id}`)
        expect([shown.status, shown.body.message]).to.deep.equal([404, 'Agent not found'])
        expect((await api.patch(`/agents/${id}/password`, { password: 'secret' })).status).to.equal(404)
        expect((await api.get(`/agents/${id}/teams`)).status).to.equal(404)
        expect((await api.delete(`/agents/${id}`)).status).to.equal(404)
      }
    })
  })

  it('have addresses that are some, roles, states and countries that there are', async () => {
    const path = `/agents/${await newAgent(api)}`
    const wrong = {
      email: ['x', '@', 'a@b@c', 'a b@example.com', `${'x'.repeat(250)}@example.com`, '', 1],
      avatar: [
        'x',
        '/a.png',
        'javascript:alert(1)',
        'data:image/png;base64,AAAA',
        'ftp://a/b',
        'https://',
        '',
      ],
      country_code: ['us', 'USA', 'XX', ''],
      role: ['agent', 'owner', ''],
      is_admin: ['true', 1],
      is_active: ['true', 1],
    }
    for (const [field, values] of Object.entries(wrong)) {
      for (const value of values) {
        const hint = `${field}: ${value}`
        expect(fieldsOf(await create({ [field]: value })), hint).to.deep.equal([field])
        expect(fieldsOf(await api.patch(path, { [field]: value })), hint).to.deep.equal([field])
      }
    }
    const unset = { country_code: null, role: null, is_admin: null, is_active: null }
    const preset = { country_code: 'US', role: 'member', is_admin: false, is_active: true }
    expect(await succeed(create(unset))).to.include(preset)
    expect(await succeed(api.patch(path, unset))).to.include(preset)
    const long = `https://example.com/${'x'.repeat(2028)}`
    expect(long).to.have.length(2048)
    expect((await succeed(api.patch(path, { avatar: long }))).avatar).to.equal(long)
    expect(fieldsOf(await api.patch(path, { avatar: `${long}x` }))).to.deep.equal(['avatar'])
  })

  it('have usernames and e-mails of their own in a workspace, whatever the case of the e-mail', async () => {
    const username = newName()
    const first = await succeed(create({ username, email: 'one@example.com' }))
    const other = await newAgent(api)
    const sameName = await create({ username })
    expect(sameName.status).to.equal(409)
    expect(sameName.body.message).to.include(`username ${username}`)
    const sameMail = await create({ email: 'ONE@Example.com' })
    expect(sameMail.status).to.equal(409)
    expect(sameMail.body.message).to.include('e-mail ONE@Example.com')
    expect((await api.patch(`/agents/${other}`, { username })).status).to.equal(409)
    expect((await api.patch(`/agents/${other}`, { email: 'One@example.COM' })).status).to.equal(409)
    // Its own are no conflict, and another workspace's are none either.
    expect(
      (await api.patch(`/agents/${first.id}`, { username, email: 'ONE@example.com' })).body.email,
    ).to.equal('ONE@example.com')
    const { api: foreign } = await appliance.workspace()
    await succeed(foreign.post('/agents', { ...agentInput(), username, email: 'one@example.com' }))
    // What is deleted is free again.
    await succeed(api.delete(`/agents/${first.id}`))
    await succeed(create({ username, email: 'one@example.com' }))
  })

  it('are deleted once', async () => {
    const made = await succeed(create())
    expect(await succeed(api.delete(`/agents/${made.id}`))).to.deep.equal(made)
    expect((await api.delete(`/agents/${made.id}`)).status).to.equal(404)
    expect((await api.get(`/agents/${made.id}`)).status).to.equal(404)
  })

  it('have passwords that are kept as argon2id hashes, and nowhere told', async () => {
    const passwords = ['Tr0ub4dor&3-first', 'Tr0ub4dor&3-second']
    const { id } = await succeed(create({ password: passwords[0] }))
    const hashOf = async () =>
      (await query(appliance, 'SELECT password_hash AS hash FROM agents WHERE id = ?', [id]))[0]
        .hash as string
    const first = await hashOf()
    expect(first).to.match(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(await verify(first, passwords[0]!)).to.equal(true)
    const changed = await api.patch(`/agents/${id}/password`, { password: passwords[1] })
    expect(changed.status).to.equal(200)
    expect(changed.body).to.have.property('id', id)
    expect(changed.body).not.to.have.any.keys('password', 'password_hash')
    const second = await hashOf()
    expect(await verify(second, passwords[1]!)).to.equal(true)
    expect(await verify(second, passwords[0]!)).to.equal(false)
    for (const password of ['x'.repeat(5), 'x'.repeat(51), null, undefined]) {
      expect(fieldsOf(await api.patch(`/agents/${id}/password`, { password }))).to.deep.equal(['password'])
    }
    expect(await hashOf()).to.equal(second)
    const named = { new_password: passwords[1] }
    expect((await api.patch(`/agents/${id}/password`, named)).status, 'by its other name').to.equal(200)
    const twice = { ...named, password: passwords[1] }
    expect(fieldsOf(await api.patch(`/agents/${id}/password`, twice))).to.deep.equal(['new_password'])
    const refused = await api.patch(`/agents/${id}/password`, { password: { plain: passwords[1] } })
    expect(JSON.stringify(refused.body)).not.to.include(passwords[1])
    for (const secret of passwords) {
      expect(await tablesHolding(appliance, secret)).to.deep.equal([])
      expect(appliance.log).not.to.include(secret)
    }
  })

  it('are told of in the audit log, without their secrets', async () => {
    const { id } = await succeed(create({ display_name: 'Audited' }))
    await succeed(api.patch(`/agents/${id}`, { role: 'leader' }))
    await succeed(api.patch(`/agents/${id}/password`, { password: 'another secret' }))
    await succeed(api.delete(`/agents/${id}`))
    const entries = await query(
      appliance,
      'SELECT action, actor_id, changes FROM audit_log WHERE target_id = ? ORDER BY id',
      [id],
    )
    expect(entries.map(({ action }) => action)).to.deep.equal([
      ...['agent.create', 'agent.update', 'agent.update', 'agent.delete'],
    ])
    expect(entries.every(({ actor_id }) => actor_id === workspace.sid)).to.equal(true)
    const changes = entries.map((entry) =>
      typeof entry.changes === 'string' ? JSON.parse(entry.changes) : entry.changes,
    )
    expect(changes[1]).to.deep.equal({ role: { from: 'member', to: 'leader' } })
    const hidden = { from: '(hidden)', to: '(hidden)' }
    expect(changes[2]).to.deep.equal({ password: hidden, softphone_password: hidden })
    expect(JSON.stringify(changes)).not.to.include('argon2')
  })
})
