/** Links at which agents set their passwords, and the operator's entries into workspaces. */
import { expect } from 'chai'
import type { ApiClient } from '../support/api-client.js'
import type { Appliance, TestWorkspace } from '../support/appliance.js'
import { query } from './database.js'
import { agentInput, fieldsOf, newAgent, startUnlimited, succeed } from './fixtures.js'

const tokenOf = (link: unknown) => String(link).split('#')[1] ?? ''
const device_id = 'browser'

describe('the first run', function () {
  this.timeout(60_000)
  let appliance: Appliance
  let workspace: TestWorkspace
  let visitor: ApiClient
  before(async () => {
    appliance = await startUnlimited()
    workspace = await appliance.workspace()
    visitor = workspace.api.with({ authorization: undefined })
  })
  after(async () => appliance?.stop())

  const accept = async (token: string, new_password = 'battery staple') =>
    visitor.post('/auth/accept-invitation', { token, new_password, device_id })
  const administrators = () => `/workspaces/${workspace.id}/administrators`
  const actionsOf = async (client: ApiClient, path: string) =>
    ((await succeed(client.get(path))).data as { action: string }[]).map(({ action }) => action)

  it('make an administrator, who sets a password once and is signed in', async () => {
    const { operator } = appliance
    const made = await succeed(operator.post(administrators(), { username: 'amara', display_name: 'Amara' }))
    expect(made).to.include({ username: 'amara', sent_to: null })
    expect(made.link).to.match(new RegExp(`^https?://${workspace.id}\\.[^/]+/welcome#`))
    const token = tokenOf(made.link)
    const rows = await query(appliance, 'SELECT * FROM agent_invitations')
    expect(JSON.stringify(rows), 'the token at rest').not.to.include(token.split('.')[2])
    const listed = await succeed(operator.get(administrators()))
    expect(listed.data[0]).to.include({ username: 'amara', invited_until: made.expires_at })
    const shown = await succeed(visitor.post('/auth/check-invitation', { token }))
    expect(shown).to.include({ username: 'amara', display_name: 'Amara' })

    const { tokens } = await succeed(accept(token))
    const amara = workspace.api.with({ authorization: `Bearer ${tokens.access_token}` })
    expect((await succeed(amara.get('/profile'))).id).to.equal(workspace.id)
    expect(fieldsOf(await accept(token)), 'a second use').to.deep.equal(['token'])
    expect((await succeed(operator.get(administrators()))).data[0].invited_until).to.equal(null)
    expect(await actionsOf(operator, '/operator/audit-log?limit=5')).to.include('agent.invite')
    expect(await actionsOf(amara, '/audit-log?limit=20')).to.include('agent.invite')
  })

  it('refuse links that were replaced, revoked, are over, or of another workspace', async () => {
    const { operator } = appliance
    const { link: first } = await succeed(operator.post(administrators(), { username: 'bela' }))
    const { link: next, agent_id } = await succeed(operator.post(administrators(), { username: 'bela' }))
    expect(fieldsOf(await accept(tokenOf(first))), 'replaced').to.deep.equal(['token'])
    const other = (await appliance.workspace()).api.with({ authorization: undefined })
    const stolen = { token: tokenOf(next), new_password: 'battery staple', device_id }
    expect(fieldsOf(await other.post('/auth/accept-invitation', stolen))).to.deep.equal(['token'])
    await query(appliance, 'UPDATE agent_invitations SET expires_at = ? WHERE agent_id = ?', [
      new Date(0),
      agent_id,
    ])
    expect(fieldsOf(await accept(tokenOf(next))), 'over').to.deep.equal(['token'])
    const { link: last } = await succeed(operator.post(administrators(), { username: 'bela' }))
    await succeed(operator.delete(`${administrators()}/${agent_id}/invitation`))
    expect(fieldsOf(await accept(tokenOf(last))), 'revoked').to.deep.equal(['token'])
    const agent = await newAgent(workspace.api)
    const { link } = await succeed(workspace.api.post(`/agents/${agent}/invitation`))
    await succeed(workspace.api.patch(`/agents/${agent}`, { is_active: false }))
    expect(fieldsOf(await accept(tokenOf(link))), 'inactive').to.deep.equal(['token'])
    expect((await workspace.api.post(`/agents/${agent}/invitation`)).status).to.equal(409)
  })

  it('let one of two uses at once through', async () => {
    const agent = await newAgent(workspace.api)
    const token = tokenOf((await succeed(workspace.api.post(`/agents/${agent}/invitation`))).link)
    const answers = await Promise.all([accept(token, 'battery one'), accept(token, 'battery two')])
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 400])
  })

  it('make no administrator of an agent who is none', async () => {
    const input = agentInput()
    await succeed(workspace.api.post('/agents', input))
    const { username } = input
    expect((await appliance.operator.post(administrators(), { username })).status).to.equal(409)
  })

  it('let the operator enter a workspace for a time, and leave it', async () => {
    const { operator } = appliance
    const entries = `/workspaces/${workspace.id}/entries`
    const enter = async (link: unknown) => visitor.post('/auth/enter', { token: tokenOf(link) })
    const { link } = await succeed(operator.post(entries))
    const { token, expires_at } = await succeed(enter(link))
    expect(expires_at - Date.now()).to.be.within(3_500_000, 3_600_000)
    expect(fieldsOf(await enter(link)), 'a second use').to.deep.equal(['token'])
    const inside = workspace.api.with({ authorization: `Operator ${token}` })
    expect((await succeed(inside.get('/profile'))).role).to.equal('owner')
    expect(await actionsOf(inside, '/audit-log?limit=5')).to.include('workspace.enter')
    expect(await actionsOf(operator, '/operator/audit-log?limit=5')).to.include('workspace.enter')
    expect((await operator.with({ authorization: `Operator ${token}` }).get('/workspaces')).status).to.equal(
      401,
    )
    const elsewhere = (await appliance.workspace()).api.with({ authorization: `Operator ${token}` })
    expect((await elsewhere.get('/profile')).status, 'another workspace').to.equal(401)
    await succeed(visitor.post('/auth/leave', { token }))
    expect((await inside.get('/profile')).status, 'after leaving').to.equal(401)

    const again = await succeed(enter((await succeed(operator.post(entries))).link))
    const second = workspace.api.with({ authorization: `Operator ${again.token}` })
    await succeed(second.get('/profile'))
    expect(await succeed(operator.delete(entries))).to.deep.equal({ ended: 1 })
    expect((await second.get('/profile')).status, 'revoked').to.equal(401)
    await succeed(operator.patch(`/workspaces/${workspace.id}`, { is_suspended: true }))
    expect((await operator.post(entries)).status, 'suspended').to.equal(409)
    await succeed(operator.patch(`/workspaces/${workspace.id}`, { is_suspended: false }))
  })
})
