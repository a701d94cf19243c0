/** Agents who are admins: what they may do, who makes them, and who may touch their accounts. */
import { expect } from 'chai'
import type { ApiClient } from '../support/api-client.js'
import type { Appliance, TestWorkspace } from '../support/appliance.js'
import { multipart } from '../support/audio-files.js'
import { png } from '../support/pictures.js'
import {
  agentInput,
  fieldsOf,
  keyWith,
  newAdmin,
  newName,
  newPerson,
  startUnlimited,
  succeed,
} from './fixtures.js'
import { client, newTextingNumber } from './message-fixtures.js'

describe('agents who are admins', function () {
  this.timeout(30_000)
  let appliance: Appliance
  let workspace: TestWorkspace
  let editor: ApiClient
  before(async () => {
    appliance = await startUnlimited()
    workspace = await appliance.workspace()
    editor = await keyWith(workspace, { scope: 'full', role: 'editor' })
  })
  after(async () => appliance?.stop())

  it('manage the workspace with their access tokens, also what only owners manage', async () => {
    const { api, id } = await newAdmin(workspace)
    expect(await succeed(api.get('/me'))).to.include({ id, is_admin: true, role: 'member' })
    const made = await succeed(api.post('/agents', agentInput()))
    expect(await succeed(workspace.api.get(`/agents/${made.id}`))).to.deep.equal(made)
    const { api_key } = await succeed(api.post('/api-keys', { scope: 'full', role: 'owner' }))
    await succeed(workspace.api.with({ authorization: `ApiKey ${api_key}` }).get('/agents'))
    await succeed(api.get('/profile'))
  })

  it('are named in the audit log for what they do', async () => {
    const { api, id } = await newAdmin(workspace)
    const made = await succeed(api.post('/teams', { name: `Team ${newName()}` }))
    const { data } = await succeed(workspace.api.get(`/audit-log?target_id=${made.id}`))
    expect(data.map(({ action, actor }: Record<string, unknown>) => ({ action, actor }))).to.deep.equal([
      { action: 'team.create', actor: { kind: 'agent', id, name: 'Jane Doe' } },
    ])
  })

  it('are admins of their own workspace only, and do nothing of the operator’s', async () => {
    const { api } = await newAdmin(workspace)
    const other = await appliance.workspace()
    expect((await api.with({ host: `${other.id}.localhost` }).get('/agents')).status).to.equal(401)
    expect((await api.with({ host: 'admin.localhost' }).get('/workspaces')).status).to.equal(401)
  })

  it('are so until it is taken from them, or they are made inactive', async () => {
    for (const change of [{ is_admin: false }, { is_active: false }]) {
      const { api, id } = await newAdmin(workspace)
      await succeed(api.get('/agents'))
      await succeed(workspace.api.patch(`/agents/${id}`, change))
      expect((await api.get('/agents')).status, JSON.stringify(change)).to.equal(401)
    }
    const { api, id } = await newPerson(workspace)
    expect((await api.get('/agents')).status).to.equal(401)
    await succeed(workspace.api.patch(`/agents/${id}`, { is_admin: true }))
    await succeed(api.get('/agents'))
  })

  it('are not made by agents of themselves', async () => {
    const { api } = await newPerson(workspace)
    await api.patch('/me', { display_name: 'Jane', is_admin: true })
    expect(await succeed(api.get('/me'))).to.include({ is_admin: false })
  })

  it('are made by owners, other admins and the operator, and by no lesser key', async () => {
    const { api: admin } = await newAdmin(workspace)
    const operator = workspace.api.with({ authorization: appliance.operator.authorization })
    for (const api of [workspace.api, admin, operator]) {
      expect(await succeed(api.post('/agents', { ...agentInput(), is_admin: true }))).to.include({
        is_admin: true,
      })
    }
    expect((await editor.post('/agents', { ...agentInput(), is_admin: true })).status).to.equal(403)
    const { id } = await succeed(editor.post('/agents', { ...agentInput(), is_admin: false }))
    expect((await editor.patch(`/agents/${id}`, { is_admin: true })).status).to.equal(403)
    expect(await succeed(editor.patch(`/agents/${id}`, { is_admin: false }))).to.include({ is_admin: false })
    expect(fieldsOf(await workspace.api.patch(`/agents/${id}`, { is_admin: 'yes' }))).to.deep.equal([
      'is_admin',
    ])
  })

  it('have accounts that no lesser key touches', async () => {
    const person = await newAdmin(workspace)
    const path = `/agents/${person.id}`
    const before = await succeed(editor.get(path))
    const refused = [
      await editor.patch(path, { email: 'mallory@example.com' }),
      await editor.patch(path, { is_admin: false }),
      await editor.patch(path, {}),
      await editor.patch(`${path}/password`, { password: 'taken over' }),
      await editor.request('PATCH', `${path}/avatar`, {
        raw: multipart({}, { name: 'me.png', content: png, type: 'image/png' }),
      }),
      await editor.delete(path),
    ]
    expect(refused.map(({ status }) => status)).to.deep.equal([403, 403, 403, 403, 403, 403])
    expect(await succeed(editor.get(path))).to.deep.equal(before)
    await succeed(person.api.get('/agents'))

    await succeed(person.api.patch('/me', { display_name: 'Their own' }))
    const { api: other } = await newAdmin(workspace)
    await succeed(other.patch(`${path}/password`, { password: 'battery staple' }))
    await succeed(other.delete(path))
  })

  it('are found in lists', async () => {
    const { id } = await newAdmin(workspace)
    const { data } = await succeed(workspace.api.get('/agents?is_admin=true&limit=100'))
    expect(data.map((agent: { id: string }) => agent.id)).to.include(id)
    expect(data.every((agent: { is_admin: boolean }) => agent.is_admin)).to.equal(true)
  })

  it('write from all numbers and assign all conversations, as leaders do', async () => {
    const from = await newTextingNumber(appliance, workspace)
    const team = await succeed(workspace.api.post('/teams', { name: `Team ${newName()}` }))
    await succeed(workspace.api.patch(`/phone-numbers/${from.id}`, { shared_teams_id: [team.id] }))
    const { api: member, id: memberId } = await newPerson(workspace)
    const { api: admin } = await newAdmin(workspace)
    const opening = { from: from.number, client_number: client, body: 'Hello' }
    expect((await member.post('/call-center/conversations', opening)).status).to.equal(403)
    const { conversation } = await succeed(admin.post('/call-center/conversations', opening))
    const path = `/call-center/conversations/${conversation.id}`
    await succeed(admin.patch(path, { assigned_agent_id: null }))
    await succeed(admin.patch(path, { assigned_agent_id: memberId }))
    await succeed(member.get(path))
  })
})
