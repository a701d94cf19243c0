/** What agents do with their own account. */
import { expect } from 'chai'
import type { Appliance, TestWorkspace } from '../support/appliance.js'
import { multipart } from '../support/audio-files.js'
import { png } from '../support/pictures.js'
import { type Person, fieldsOf, newPerson, newTeam, startUnlimited, succeed } from './fixtures.js'

describe('an agent', () => {
  let appliance: Appliance
  let workspace: TestWorkspace
  let jane: Person
  before(async () => {
    appliance = await startUnlimited()
    workspace = await appliance.workspace()
    jane = await newPerson(workspace)
  })
  after(async () => appliance?.stop())

  const logIn = async ({ username, device_id }: Person, password: string, device = device_id) =>
    workspace.api
      .with({ authorization: undefined })
      .post('/auth/login', { username, password, device_id: device })

  it('sees who they are, as the workspace sees them', async () => {
    const { workspace_title, has_mail, ...own } = await succeed(jane.api.get('/me'))
    expect(workspace_title).to.equal(`Workspace ${workspace.id}`)
    expect(has_mail, 'with a mail server').to.equal(true)
    expect(own).to.deep.equal(await succeed(workspace.api.get(`/agents/${jane.id}`)))
    expect(own).to.include({ id: jane.id, username: jane.username, state: 'offline', role: 'member' })
  })

  it('changes name, e-mail and country, and nothing that the workspace decides', async () => {
    const email = `${jane.username}@example.com`
    const changes = { display_name: 'Jane Roe', email, country_code: 'DE' }
    const current_password = jane.password
    expect(await succeed(jane.api.patch('/me', { ...changes, current_password }))).to.include(changes)
    const decided = {
      role: 'supervisor',
      is_active: false,
      username: 'other',
      avatar: 'https://example.com/x',
    }
    for (const [field, value] of Object.entries(decided)) {
      expect(fieldsOf(await jane.api.patch('/me', { [field]: value })), field).to.deep.equal([field])
    }
    expect(await succeed(jane.api.get('/me'))).to.include({ ...changes, role: 'member', avatar: null })
    const other = await newPerson(workspace)
    const taken = { email: email.toUpperCase(), current_password: other.password }
    expect((await other.api.patch('/me', taken)).status).to.equal(409)
  })

  it('changes their e-mail knowing their password, and not by a stolen session alone', async () => {
    const ann = await newPerson(workspace)
    const email = 'attacker@evil.example'
    for (const current_password of [undefined, 'not it at all', '']) {
      const answer = await ann.api.patch('/me', { email, current_password })
      expect(fieldsOf(answer), String(current_password)).to.deep.equal(['current_password'])
    }
    expect((await succeed(ann.api.get('/me'))).email).to.equal(null)
    const own = 'ann@example.com'
    await succeed(ann.api.patch('/me', { email: own, current_password: ann.password }))
    // What changes nothing needs no password, and taking the address away does.
    await succeed(ann.api.patch('/me', { email: own, display_name: 'Ann' }))
    expect(fieldsOf(await ann.api.patch('/me', { email: null }))).to.deep.equal(['current_password'])
    await succeed(ann.api.patch('/me', { email: null, current_password: ann.password }))
  })

  it('is held off after 20 wrong passwords, as at log-in', async () => {
    const ann = await newPerson(workspace)
    for (let guess = 0; guess < 20; guess++)
      await ann.api.patch('/me', { email: 'x@example.com', current_password: `guess ${guess}` })
    const right = { email: 'x@example.com', current_password: ann.password }
    expect((await ann.api.patch('/me', right)).status).to.equal(429)
  })

  it('is not changed around the password by an admin’s own session', async () => {
    const admin = await newPerson(workspace)
    await succeed(workspace.api.patch(`/agents/${admin.id}`, { is_admin: true }))
    const own = `/agents/${admin.id}`
    expect((await admin.api.patch(own, { email: 'x@evil.example' })).status).to.equal(403)
    expect((await admin.api.patch(`${own}/password`, { password: 'owned-12' })).status).to.equal(403)
    await succeed(admin.api.patch(own, { display_name: 'Boss' }))
  })

  it('is told of in the audit log by their id', async () => {
    await succeed(jane.api.patch('/me', { display_name: 'Jane Poe' }))
    const { data } = await succeed(workspace.api.get('/audit-log?limit=1'))
    expect(data[0]).to.deep.include({
      action: 'agent.update',
      actor: { kind: 'agent', id: jane.id, name: 'Jane Poe' },
    })
  })

  it('has a picture, and then none', async () => {
    const raw = multipart({}, { name: 'me.png', content: png, type: 'image/png' })
    const { avatar } = await succeed(jane.api.request('PATCH', '/me/avatar', { raw }))
    expect(avatar).to.match(/\/avatars\/[0-9a-f]{32}\.png$/)
    expect((await succeed(jane.api.delete('/me/avatar'))).avatar).to.equal(null)
    expect((await jane.api.patch('/me/avatar', {})).status).to.equal(400)
  })

  it('changes their password knowing it, which logs out their other devices alone', async () => {
    const ben = await newPerson(workspace)
    const elsewhere = (await succeed(logIn(ben, ben.password, 'another'))).tokens.access_token as string
    const other = ben.api.with({ authorization: `Bearer ${elsewhere}` })
    await succeed(other.get('/me'))

    const wrong = { current_password: 'not it at all', new_password: 'battery staple' }
    expect(fieldsOf(await ben.api.patch('/me/password', wrong))).to.deep.equal(['current_password'])
    await succeed(other.get('/me'))

    const right = { current_password: ben.password, new_password: 'battery staple' }
    await succeed(ben.api.patch('/me/password', right))
    expect((await logIn(ben, ben.password)).status).to.equal(401)
    expect((await other.get('/me')).status).to.equal(401)
    await succeed(ben.api.get('/me'))
    await succeed(logIn(ben, 'battery staple'))
  })

  it('lists the teams that they are in, and no others', async () => {
    const [own, other] = [await newTeam(workspace.api), await newTeam(workspace.api)]
    await succeed(workspace.api.put(`/teams/${own}/agents/${jane.id}`))
    const { data, meta } = await succeed(jane.api.get('/me/teams'))
    expect(meta.total).to.equal(1)
    expect(data[0]).to.include({ id: own, workspace_id: workspace.id, agent_count: 1 })
    expect(data[0]).to.have.property('title').that.is.a('string')
    const all = await succeed(jane.api.get('/call-center/teams'))
    expect(all.data.map(({ id }: { id: string }) => id)).to.include.members([own, other])
  })

  it('chooses to take no calls, and to take them again', async () => {
    const busy = await succeed(jane.api.put('/me/state', { state: 'busy' }))
    // Nothing reaches her: she is offline, whatever she chose.
    expect(busy).to.include({ state: 'offline', chosen_state: 'busy', chosen_by: jane.id, call_id: null })
    expect(Date.parse(busy.chosen_at as string)).to.be.closeTo(Date.now(), 60_000)
    expect(await succeed(jane.api.get('/me/state'))).to.deep.equal(busy)
    await appliance.killServer()
    await appliance.startServer()
    expect(await succeed(jane.api.get('/me/state'))).to.deep.equal(busy)
    const lunch = await succeed(jane.api.put('/me/state', { state: 'busy', reason: 'lunch' }))
    expect(lunch).to.include({ chosen_state: 'busy', reason: 'lunch' })
    const siesta = { state: 'busy', reason: 'Siesta' }
    expect(fieldsOf(await jane.api.put('/me/state', siesta))).to.deep.equal(['reason'])
    await succeed(workspace.api.patch('/profile', { away_reasons: ['Siesta'] }))
    expect(await succeed(jane.api.get('/me/away-reasons'))).to.deep.equal({ away_reasons: ['Siesta'] })
    expect((await succeed(jane.api.put('/me/state', siesta))).reason).to.equal('Siesta')
    const contrary = { state: 'available', reason: 'Siesta' }
    expect(fieldsOf(await jane.api.put('/me/state', contrary))).to.deep.equal(['reason'])
    await succeed(workspace.api.patch('/profile', { away_reasons: null }))
    const free = await succeed(jane.api.put('/me/state', { state: 'available' }))
    expect(free).to.include({ state: 'offline', chosen_state: 'available', chosen_by: null, chosen_at: null })
    expect(fieldsOf(await jane.api.put('/me/state', { state: 'incall' }))).to.deep.equal(['state'])
  })
})
