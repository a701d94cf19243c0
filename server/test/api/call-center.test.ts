/** Teams, numbers, contacts and calls as agents see them, and who may see and do what. */
import { expect } from 'chai'
import type { Appliance, TestWorkspace } from '../support/appliance.js'
import { insertCall } from './call-center-fixtures.js'
import {
  type Person,
  newActiveNumber,
  newAgent,
  newNumber,
  newPerson,
  newTeam,
  startUnlimited,
  succeed,
} from './fixtures.js'
import { insertRecording } from './recording-fixtures.js'

const ids = (list: { data: { id: string }[] }) => list.data.map(({ id }) => id)
const callIds = (list: { data: { call_id: string }[] }) => list.data.map(({ call_id }) => call_id)

describe('the call centre', () => {
  let appliance: Appliance
  let workspace: TestWorkspace
  let member: Person
  let leader: Person
  let supervisor: Person
  let stranger: Person
  let team: string
  let otherTeam: string
  before(async () => {
    appliance = await startUnlimited()
    workspace = await appliance.workspace()
    member = await newPerson(workspace)
    leader = await newPerson(workspace, 'leader')
    supervisor = await newPerson(workspace, 'supervisor')
    stranger = await newPerson(workspace, 'supervisor')
    team = await newTeam(workspace.api)
    otherTeam = await newTeam(workspace.api)
    for (const { id } of [member, leader, supervisor])
      await succeed(workspace.api.put(`/teams/${team}/agents/${id}`))
    await succeed(workspace.api.put(`/teams/${otherTeam}/agents/${stranger.id}`))
  })
  after(async () => appliance?.stop())

  describe('shows a team', () => {
    it('to its members: their teammates without themselves, and without who is inactive', async () => {
      const gone = await newAgent(workspace.api)
      await succeed(workspace.api.put(`/teams/${team}/agents/${gone}`))
      await succeed(workspace.api.patch(`/agents/${gone}`, { is_active: false }))
      const { data, meta } = await succeed(member.api.get(`/call-center/teams/${team}/agents`))
      expect(meta.total).to.equal(2)
      expect(data).to.have.deep.members([
        ...[leader, supervisor].map(({ id, username }, index) => ({
          ...{ id, username, display_name: 'Jane Doe', avatar: null, state: 'offline' },
          is_ringing: false,
          role: ['leader', 'supervisor'][index],
        })),
      ])
      const seen = await succeed(leader.api.get(`/call-center/teams/${team}/agents`))
      expect(seen.data.find(({ id }: { id: string }) => id === member.id)).to.include({ role: 'agent' })
    })

    it('to leaders and supervisors by their role in the workspace, and not to members of other teams', async () => {
      const lead = await newPerson(workspace, 'leader')
      const outsider = await newPerson(workspace)
      const url = `/call-center/teams/${team}`
      for (const path of ['agents/states', 'call-history', 'queue']) {
        await succeed(stranger.api.get(`${url}/${path}`))
        await succeed(lead.api.get(`${url}/${path}`))
        expect((await outsider.api.get(`${url}/${path}`)).status, path).to.equal(403)
      }
      await succeed(lead.api.get(`${url}/contacts`))
      expect((await stranger.api.get(`${url}/contacts`)).status).to.equal(403)
      // Teammates are for members alone.
      for (const { api } of [stranger, lead, outsider])
        expect((await api.get(`${url}/agents`)).status).to.equal(403)
      await succeed(lead.api.put(`${url}/agents/${outsider.id}`))
      await succeed(stranger.api.put(`${url}/agents/${outsider.username}/state`, { state: 'busy' }))
      expect((await succeed(outsider.api.get('/me/state'))).chosen_state).to.equal('busy')
      await succeed(lead.api.delete(`${url}/agents/${outsider.id}`))
      // An empty team gets its first member from a leader.
      const empty = await newTeam(workspace.api)
      await succeed(lead.api.put(`/call-center/teams/${empty}/agents/${lead.id}`))
    })

    it('to nobody else where leaders are to lead their own teams only', async () => {
      await succeed(workspace.api.patch('/profile', { leaders_only_own_teams: true }))
      for (const path of ['agents', 'agents/states', 'call-history']) {
        const url = `/call-center/teams/${team}/${path}`
        expect((await stranger.api.get(url)).status, path).to.equal(403)
      }
      const lead = await newPerson(workspace, 'leader')
      expect((await lead.api.get(`/call-center/teams/${team}/contacts`)).status).to.equal(403)
      const change = `/call-center/teams/${team}/agents/${stranger.id}`
      expect((await lead.api.put(change)).status).to.equal(403)
      expect((await lead.api.delete(change)).status).to.equal(403)
      const forced = `/call-center/teams/${team}/agents/${member.username}/state`
      expect((await stranger.api.put(forced, { state: 'busy' })).status).to.equal(403)
      expect((await succeed(member.api.get('/me/state'))).chosen_state).to.equal('available')
      await succeed(workspace.api.patch('/profile', { leaders_only_own_teams: false }))
    })
  })

  describe('shows agents', () => {
    it('who may work to all agents, by their names, without what they do', async () => {
      const [list, who] = ['/call-center/agents', await newAgent(workspace.api)]
      await succeed(workspace.api.patch(`/agents/${who}`, { display_name: 'Aaron Ägir' }))
      const { data, meta } = await succeed(member.api.get(`${list}?limit=100`))
      expect(meta.total).to.equal(data.length)
      expect(ids({ data })).to.include.members([member.id, stranger.id])
      const { username } = await succeed(workspace.api.get(`/agents/${who}`))
      const shown = { id: who, username, display_name: 'Aaron Ägir', avatar: null, role: 'agent' }
      expect(data[0]).to.deep.equal(shown)
      expect(ids(await succeed(member.api.get(`${list}?search=agir`)))).to.deep.equal([who])
      expect(ids(await succeed(member.api.get(`${list}?search=${stranger.username}`)))).to.deep.equal([
        stranger.id,
      ])
      await succeed(workspace.api.patch(`/agents/${who}`, { is_active: false }))
      expect(ids(await succeed(member.api.get(`${list}?limit=100`)))).not.to.include(who)
      expect(await succeed(member.api.get(`${list}/${who}`))).to.deep.equal(shown)
    })

    it('of no other workspace', async () => {
      const elsewhere = await newAgent((await appliance.workspace()).api)
      expect((await member.api.get(`/call-center/agents/${elsewhere}`)).status).to.equal(404)
    })
  })

  describe('finds somebody to call', () => {
    const find = async (search: string, by = member) => {
      const { data } = await succeed(
        by.api.get(`/call-center/destinations?search=${encodeURIComponent(search)}`),
      )
      return data as Record<string, unknown>[]
    }

    it('by name, extension and number, with exact matches first', async () => {
      const { api } = workspace
      const who = await newAgent(api)
      await succeed(api.patch(`/agents/${who}`, { display_name: 'Zoë Quill' }))
      const desk = { title: 'Quill desk', username: 'quilldesk', password: 'a-long-Secret-9' }
      const account = await succeed(api.post('/sip-accounts', desk))
      const extension = { title: 'Reception', extension_number: '7788', destination: 'agent', agent_id: who }
      await succeed(api.post('/extensions', extension))
      const { id: quills } = await succeed(api.post('/teams', { name: 'Quill' }))
      await succeed(
        api.post('/contacts', { name: 'Quillon Ltd', numbers: ['+442079460123', '+12025550177'] }),
      )
      const found = await find('quill')
      expect(found.map(({ kind, name }) => [kind, name])).to.deep.equal([
        ['team', 'Quill'],
        ['agent', 'Zoë Quill'],
        ['sip_account', 'Quill desk'],
        ['contact', 'Quillon Ltd'],
        ['contact', 'Quillon Ltd'],
      ])
      expect(found[0]).to.include({ id: quills, target: quills, free_agents: 0, waiting_callers: 0 })
      expect(found[1]).to.include({ id: who, extension: '7788', state: 'offline' })
      expect(found[2]).to.include({ target: account.id, is_registered: false })
      expect(found.slice(3).map(({ target }) => target)).to.have.members(['+442079460123', '+12025550177'])
      expect((await find('zoe'))[0]).to.include({ id: who })
      expect((await find('7788'))[0]).to.include({ id: who })
      expect((await find('Reception'))[0]).to.include({ kind: 'extension', target: '7788' })
      expect(await find('442079')).to.have.lengthOf(1)
      expect((await find('')).map(({ kind }) => kind)).to.include.members(['agent', 'team'])
    })

    it('and any number, as the workspace’s country writes it, with whether the agent may call it', async () => {
      const typed = await find('(202) 555-0188')
      expect(typed.at(-1)).to.include({
        ...{ kind: 'outside_number', target: '+12025550188', refusal: 'no_caller_id' },
      })
      expect((await find('12')).filter(({ kind }) => kind === 'outside_number')).to.deep.equal([])
      expect((await find('"\'%_!ünï☎')).length).to.equal(0)
    })

    it('but no contact of a book that is not shared with the agent, and nothing of another workspace', async () => {
      const { api } = workspace
      const book = { title: 'Secret', shared_teams_id: [otherTeam] }
      const { id: address_book_id } = await succeed(api.post('/address-books', book))
      await succeed(
        api.post('/contacts', { name: 'Hidden Person', numbers: ['+12025550166'], address_book_id }),
      )
      expect(await find('Hidden')).to.deep.equal([])
      expect(await find('Hidden', stranger)).to.have.lengthOf(1)
      expect(await find('Quill', await newPerson(await appliance.workspace()))).to.deep.equal([])
    })
  })

  it('has leaders put agents into their teams and take them out, which is told in the audit log', async () => {
    const agent = await newAgent(workspace.api)
    const url = `/call-center/teams/${team}/agents/${agent}`
    const membership = await succeed(leader.api.put(url))
    expect(membership).to.include({ team_id: team, agent_id: agent })
    expect(await succeed(leader.api.put(url))).to.deep.equal(membership)
    const { data } = await succeed(workspace.api.get('/audit-log?limit=1'))
    expect(data[0]).to.deep.include({
      action: 'team_member.create',
      actor: { kind: 'agent', id: leader.id, name: 'Jane Doe' },
    })
    expect(await succeed(leader.api.delete(url))).to.deep.equal(membership)
    expect((await leader.api.delete(url)).status).to.equal(404)
  })

  describe('has leaders and supervisors choose states', () => {
    const states = async () => {
      const { data } = await succeed(supervisor.api.get(`/call-center/teams/${team}/agents/states`))
      return data as { agent_id: string }[]
    }

    it('for the agents of their teams, who may choose otherwise afterwards', async () => {
      const url = `/call-center/teams/${team}/agents/${member.username}/state`
      const forced = await succeed(supervisor.api.put(url, { state: 'busy' }))
      expect(forced).to.include({
        ...{ agent_id: member.id, username: member.username, display_name: 'Jane Doe' },
        ...{ state: 'offline', since: null, call_id: null, chosen_state: 'busy', chosen_by: supervisor.id },
      })
      expect(await states()).to.deep.include(forced)
      expect(await succeed(member.api.get('/me/state'))).to.deep.equal(forced)
      const { data } = await succeed(workspace.api.get('/audit-log?limit=1'))
      expect(data[0]).to.deep.include({
        action: 'agent.state',
        actor: { kind: 'agent', id: supervisor.id, name: 'Jane Doe' },
        changes: { state: { from: 'available', to: 'busy' } },
      })
      const own = await succeed(member.api.put('/me/state', { state: 'offline' }))
      expect(own).to.include({ chosen_state: 'offline', chosen_by: member.id })
      const freed = await succeed(leader.api.put(url, { state: 'available' }))
      expect(freed).to.include({ chosen_state: 'available', chosen_by: null })
    })

    it('and not for agents who are in another team', async () => {
      const url = `/call-center/teams/${team}/agents/${stranger.username}/state`
      expect((await supervisor.api.put(url, { state: 'busy' })).status).to.equal(404)
    })
  })

  describe('shows numbers', () => {
    it('that are active and shared with a team of the agent, or with all', async () => {
      const [open, own, others] = [
        await newActiveNumber(appliance, workspace),
        await newActiveNumber(appliance, workspace),
        await newActiveNumber(appliance, workspace),
      ]
      const pending = await newNumber(workspace.api)
      const share = async (id: string, teams: string[]) =>
        succeed(workspace.api.patch(`/phone-numbers/${id}`, { shared_teams_id: teams }))
      await share(own.id, [otherTeam, team])
      await share(others.id, [otherTeam])
      const list = await succeed(member.api.get('/call-center/phone-numbers'))
      expect(ids(list)).to.deep.equal([own.id, open.id])
      expect(list.meta.total).to.equal(2)
      expect(
        ids(await succeed(member.api.get('/call-center/phone-numbers?sort_order=asc&limit=1'))),
      ).to.deep.equal([open.id])
      expect(ids(await succeed(stranger.api.get('/call-center/phone-numbers')))).to.deep.equal([
        others.id,
        own.id,
        open.id,
      ])
      const shown = await succeed(member.api.get(`/call-center/phone-numbers/${own.id}`))
      expect(shown).to.have.all.keys(
        ...['id', 'number', 'country_code', 'dial_code', 'status', 'capabilities'],
        ...['enable_outbound', 'shared_teams_id', 'created_at'],
      )
      expect(shown.shared_teams_id).to.deep.equal([otherTeam, team])
      for (const id of [others.id, pending]) {
        expect((await member.api.get(`/call-center/phone-numbers/${id}`)).status).to.equal(404)
      }
    })
  })

  it('shows leaders the contacts that their teams read', async () => {
    const book = async (teams: string[]) =>
      (await succeed(workspace.api.post('/address-books', { title: 'Book', shared_teams_id: teams })))
        .id as string
    const contact = async (name: string, address_book_id?: string) =>
      (await succeed(workspace.api.post('/contacts', { name, numbers: ['+12025550142'], address_book_id })))
        .id as string
    const [free, open] = [await contact('Ann'), await contact('Bea', await book([]))]
    const [own, foreign] = [
      await contact('Cleo', await book([team])),
      await contact('Dora', await book([otherTeam])),
    ]
    const url = `/call-center/teams/${team}/contacts?sort_field=name&sort_order=asc`
    const list = await succeed(leader.api.get(url))
    expect(ids(list)).to.deep.equal([free, open, own])
    expect(ids(await succeed(leader.api.get(`${url}&search=cle`)))).to.deep.equal([own])
    expect(ids(await succeed(leader.api.get(`${url}&search=dora`)))).to.deep.equal([])
    expect((await supervisor.api.get(url)).status).to.equal(403)
    expect(foreign).to.be.a('string')
  })

  describe('shows calls', () => {
    let answeredByMember: string
    let missed: string
    let ofStranger: string
    before(async () => {
      answeredByMember = await insertCall(appliance, workspace, [
        { agent_id: null, role: 'caller' },
        { agent_id: leader.id, answered: false },
        { agent_id: member.id },
      ])
      missed = await insertCall(appliance, workspace, [{ agent_id: member.id, answered: false }])
      ofStranger = await insertCall(appliance, workspace, [{ agent_id: stranger.id }])
    })

    it('to whoever made, answered or was rung for them', async () => {
      const list = await succeed(member.api.get('/call-center/calls'))
      expect(callIds(list)).to.deep.equal([missed, answeredByMember])
      expect(list.data[0].agent).to.equal(null)
      expect(list.data[1]).to.deep.include({
        ...{ from: '+12025550142', from_name: 'Zoe', direction: 'inbound', status: 'completed', duration: 3 },
        agent: { id: member.id, username: member.username, display_name: 'Jane Doe' },
      })
      expect(list.data[1]).to.not.have.any.keys('cost', 'sip_account_id')
      expect(callIds(await succeed(leader.api.get('/call-center/calls')))).to.deep.equal([answeredByMember])
      expect(callIds(await succeed(member.api.get('/call-center/calls?limit=1&page=2')))).to.deep.equal([
        answeredByMember,
      ])
    })

    it('of their team to leaders and supervisors, also when its agents have left it', async () => {
      const url = `/call-center/teams/${team}/call-history`
      const all = [missed, answeredByMember]
      for (const { api } of [leader, supervisor]) {
        const list = await succeed(api.get(url))
        expect(callIds(list)).to.deep.equal(all)
        expect(list.meta.total).to.equal(2)
      }
      const ben = await newPerson(workspace)
      await succeed(workspace.api.put(`/teams/${team}/agents/${ben.id}`))
      const his = await insertCall(appliance, workspace, [{ agent_id: ben.id }])
      await succeed(workspace.api.delete(`/teams/${team}/agents/${ben.id}`))
      expect(callIds(await succeed(leader.api.get(url)))).to.deep.equal([his, ...all])
      expect((await succeed(supervisor.api.get(`/call-center/calls/${his}`))).agent.id).to.equal(ben.id)
      await succeed(workspace.api.delete(`/agents/${ben.id}`))
      expect((await succeed(leader.api.get(url))).data[0].agent).to.equal(null)
    })

    it('with legs, timeline and recordings, one by one', async () => {
      const { id } = await insertRecording(appliance, workspace, { call_id: answeredByMember })
      const call = await succeed(member.api.get(`/call-center/calls/${answeredByMember}`))
      expect(call.legs.map(({ agent }: { agent: { id: string } | null }) => agent?.id ?? null)).to.deep.equal(
        [...[null, leader.id, member.id]],
      )
      expect(call.legs[0]).to.not.have.any.keys('uri', 'gateway_id')
      expect(call).to.deep.include({
        ...{ side: 'incoming', is_missed: false, far_party: { number: '+12025550142', name: 'Dora' } },
      })
      expect(await succeed(supervisor.api.get(`/call-center/calls/${answeredByMember}`))).to.include({
        ...{ side: null, is_missed: false, far_party: null },
      })
      expect(call.recordings).to.have.length(1)
      expect(call.recordings[0]).to.include({ id, kind: 'call', status: 'ready' })
      expect(call.events).to.deep.equal([])
      const content = async (one: Person, callId: string) =>
        one.api.get(`/call-center/calls/${callId}/recordings/${id}/content`)
      expect((await content(leader, answeredByMember)).status).to.equal(200)
      expect((await content(stranger, answeredByMember)).status).to.equal(404)
      expect((await content(member, missed)).status, 'by way of another call').to.equal(404)
    })

    it('to nobody else', async () => {
      const may: [Person, string][] = [
        [leader, missed],
        [supervisor, missed],
        [stranger, ofStranger],
      ]
      const mayNot: [Person, string][] = [
        [stranger, missed],
        [member, ofStranger],
        [supervisor, ofStranger],
      ]
      const colleague = await newPerson(workspace)
      await succeed(workspace.api.put(`/teams/${team}/agents/${colleague.id}`))
      mayNot.push([colleague, missed])
      for (const [{ api }, id] of may) await succeed(api.get(`/call-center/calls/${id}`))
      for (const [{ api }, id] of mayNot)
        expect((await api.get(`/call-center/calls/${id}`)).status).to.equal(404)
    })
  })
})
