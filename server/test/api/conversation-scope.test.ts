/** Which agents see which conversations: by every way that there is to see one. */
import { expect } from 'chai'
import type { Appliance, TestWorkspace } from '../support/appliance.js'
import { EventReader } from '../support/event-reader.js'
import { newClient, startConversation } from './conversation-fixtures.js'
import {
  type Person,
  clientToken,
  newAdmin,
  newPerson,
  newTeam,
  startUnlimited,
  succeed,
} from './fixtures.js'
import { type TextingNumber, newTextingNumber } from './message-fixtures.js'

describe('conversations are seen', function () {
  this.timeout(120_000)
  let appliance: Appliance
  let workspace: TestWorkspace
  let people: Record<'ann' | 'ben' | 'leader' | 'supervisor' | 'admin', Person>
  let teams: Record<'red' | 'blue', string>
  const numbers = new Map<string, TextingNumber>()
  /** By what is said of each: its number, and whom it is assigned to. */
  const conversations = new Map<string, string>()

  const api = (name: keyof typeof people) => people[name].api
  const url = (name: string, more = '') => `/call-center/conversations/${conversations.get(name)}${more}`
  const number = (name: string) => numbers.get(name)!.number

  before(async () => {
    appliance = await startUnlimited()
    workspace = await appliance.workspace()
    teams = { red: await newTeam(workspace.api), blue: await newTeam(workspace.api) }
    const elsewhere = await newTeam(workspace.api)
    people = {
      ann: await newPerson(workspace),
      ben: await newPerson(workspace),
      leader: await newPerson(workspace, 'leader'),
      supervisor: await newPerson(workspace, 'supervisor'),
      admin: await newAdmin(workspace),
    }
    const { ann, ben, supervisor } = people
    for (const [team, { id }] of [
      [teams.red, ann],
      [teams.blue, ben],
      [elsewhere, supervisor],
    ] as const) {
      await succeed(workspace.api.put(`/teams/${team}/agents/${id}`))
    }
    const shared = { red: [teams.red], blue: [teams.blue], both: [teams.red, teams.blue], open: [], gone: [] }
    for (const [name, shared_teams_id] of Object.entries(shared)) {
      const made = await newTextingNumber(appliance, workspace)
      await succeed(workspace.api.patch(`/phone-numbers/${made.id}`, { shared_teams_id }))
      numbers.set(name, made)
    }
    await begin('red')
    await begin('blue')
    await begin('both')
    await begin('open')
    await begin('gone')
    await begin('red, of Ben', { assigned_agent_id: ben.id })
    await begin('blue, of Ann', { assigned_agent_id: ann.id })
    await begin('red, of the blue team', { assigned_team_id: teams.blue })
    await begin('blue, of the red team', { assigned_team_id: teams.red })
    await begin('gone, of Ann', { assigned_agent_id: ann.id })
    await begin('red, of the supervisor', { assigned_agent_id: supervisor.id })
    await succeed(workspace.api.delete(`/phone-numbers/${numbers.get('gone')!.id}`))
  })
  after(async () => appliance?.stop())

  /** @param name its number, and what the assignment comes to */
  async function begin(name: string, assignment: object = {}): Promise<void> {
    const { conversation } = await startConversation(people.supervisor, number(name.split(',')[0]!))
    conversations.set(name, conversation.id)
    await succeed(api('supervisor').patch(url(name), { assigned_agent_id: null, ...assignment }))
  }

  const seen = {
    ann: [
      ...['red', 'both', 'open', 'red, of Ben', 'blue, of Ann', 'red, of the blue team'],
      ...['blue, of the red team', 'gone, of Ann', 'red, of the supervisor'],
    ],
    ben: [
      ...['blue', 'both', 'open', 'red, of Ben', 'blue, of Ann', 'red, of the blue team'],
      'blue, of the red team',
    ],
  }
  const seenBy = (name: keyof typeof people): string[] =>
    name === 'ann' || name === 'ben' ? seen[name] : [...conversations.keys()]
  const everyone = ['ann', 'ben', 'leader', 'supervisor', 'admin'] as const

  for (const name of everyone) {
    it(`by ${name} in lists`, async () => {
      const list = await succeed(api(name).get('/call-center/conversations?limit=100'))
      const names = [...conversations.keys()].filter((one) =>
        list.data.some(({ id }: { id: string }) => id === conversations.get(one)),
      )
      expect(names).to.have.members(seenBy(name))
      expect(list.meta.total).to.equal(names.length)
    })

    it(`by ${name} one by one, and nothing is done to others`, async () => {
      for (const one of conversations.keys()) {
        const may = seenBy(name).includes(one)
        const ways = {
          get: await api(name).get(url(one)),
          messages: await api(name).get(url(one, '/messages')),
          notes: await api(name).get(url(one, '/notes')),
          note: await api(name).post(url(one, '/notes'), { body: 'Seen' }),
          read: await api(name).patch(url(one, '/read')),
          patch: await api(name).patch(url(one), { status: 'open' }),
        }
        for (const [way, { status }] of Object.entries(ways)) {
          const expected = may ? (way === 'note' ? 201 : 200) : 404
          expect(status, `${one}: ${way}`).to.equal(expected)
        }
        if (may) continue
        expect((await api(name).post(url(one, '/messages'), { body: 'Hello' })).status, one).to.equal(404)
      }
    })
  }

  it('on streams, by those alone', async () => {
    const readers = new Map<string, EventReader>()
    for (const name of everyone) readers.set(name, await EventReader.open(api(name)))
    const client = await EventReader.open(
      workspace.api.with({ authorization: `Bearer ${clientToken(workspace)}` }),
    )
    try {
      const order = [...[...conversations.keys()].filter((one) => one !== 'open'), 'open']
      for (const one of order) await succeed(api('supervisor').patch(url(one), { status: 'closed' }))
      for (const [name, reader] of readers) {
        // What is told to everybody last comes last.
        await reader.next(
          'conversation.updated',
          ({ conversation }) => conversation.id === conversations.get('open'),
        )
        const told = reader.events.filter(({ event }) => event === 'conversation.updated')
        const names = order.filter((one) =>
          told.some(({ data }) => data.conversation.id === conversations.get(one)),
        )
        expect(names, name).to.have.members(seenBy(name as keyof typeof people))
        expect(told.length, name).to.equal(names.length)
        expect(told[0]?.data).to.deep.include({ changed: ['status'] })
        expect(told[0]?.data.conversation).to.include({ status: 'closed', unread_count: 0 })
      }
      expect(client.names).to.deep.equal([])
    } finally {
      for (const reader of [...readers.values(), client]) reader.close()
    }
  })

  it('no more, on streams too, once the team is left', async () => {
    const reader = await EventReader.open(api('ann'))
    try {
      const { ann } = people
      await succeed(workspace.api.delete(`/teams/${teams.red}/agents/${ann.id}`))
      expect((await api('ann').get(url('red'))).status).to.equal(404)
      for (const one of ['red', 'open']) await succeed(api('supervisor').patch(url(one), { status: 'open' }))
      await reader.next('conversation.updated')
      expect(reader.events.filter(({ event }) => event === 'conversation.updated')).to.have.length(1)
      await succeed(workspace.api.put(`/teams/${teams.red}/agents/${ann.id}`))
      await succeed(api('ann').get(url('red')))
    } finally {
      reader.close()
    }
  })

  it('by who comes back to a stream that was cut', async () => {
    const cut = await EventReader.open(api('ann'))
    const { id } = await cut.next('stream.opened')
    cut.close()
    for (const one of ['blue', 'red']) await succeed(api('supervisor').patch(url(one), { status: 'closed' }))
    const reader = await EventReader.open(api('ann'), { lastEventId: id ?? '' })
    try {
      await reader.next('conversation.updated')
      const told = reader.events.filter(({ event }) => event === 'conversation.updated')
      expect(told.map(({ data }) => data.conversation.id)).to.deep.equal([conversations.get('red')])
    } finally {
      reader.close()
    }
  })

  it('when they begin: members write from numbers that are shared with them or with all', async () => {
    const start = async (name: keyof typeof people, from: string) =>
      (
        await api(name).post('/call-center/conversations', {
          ...{ from, client_number: newClient(), body: 'Hello' },
        })
      ).status
    for (const [from, status] of [
      ['red', 201],
      ['both', 201],
      ['open', 201],
      ['blue', 403],
      ['gone', 400],
    ] as const) {
      expect(await start('ann', number(from)), from).to.equal(status)
    }
    for (const name of ['leader', 'supervisor'] as const) {
      for (const from of ['red', 'blue', 'both', 'open']) {
        expect(await start(name, number(from)), `${name} from ${from}`).to.equal(201)
      }
    }
    const foreign = await newTextingNumber(appliance, await appliance.workspace())
    expect(await start('ann', foreign.number)).to.equal(400)
  })

  it('by whom they are assigned to, who may reply from a number that is not theirs', async () => {
    expect((await api('ann').post(url('blue, of Ann', '/messages'), { body: 'Hello' })).status).to.equal(201)
    await succeed(api('ann').patch(url('blue, of Ann'), { assigned_agent_id: people.ben.id }))
    expect((await api('ann').get(url('blue, of Ann'))).status).to.equal(404)
    await succeed(api('supervisor').patch(url('blue, of Ann'), { assigned_agent_id: people.ann.id }))
  })

  it('by leaders and supervisors alone, once the number is deleted', async () => {
    expect((await api('ben').get(url('gone'))).status).to.equal(404)
    await succeed(api('leader').get(url('gone')))
    const reply = await api('leader').post(url('gone', '/messages'), { body: 'Hello' })
    expect(reply.status).to.equal(400)
    expect(reply.body.errors[0].field).to.equal('from')
  })
})
