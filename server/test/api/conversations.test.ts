import { expect } from 'chai'
import type { Appliance, TestWorkspace } from '../support/appliance.js'
import { EventReader } from '../support/event-reader.js'
import { insertReceived, newClient, startConversation } from './conversation-fixtures.js'
import { query } from './database.js'
import { type Person, fieldsOf, newPerson, newTeam, startUnlimited, succeed } from './fixtures.js'
import { type TextingNumber, newTextingNumber } from './message-fixtures.js'

const base = '/call-center/conversations'
const ids = (list: { data: { id: string }[] }) => list.data.map(({ id }) => id)

describe('conversations', function () {
  this.timeout(60_000)
  let appliance: Appliance
  let workspace: TestWorkspace
  let ann: Person
  let ben: Person
  let supervisor: Person
  let number: TextingNumber
  before(async () => {
    appliance = await startUnlimited()
    workspace = await appliance.workspace()
    ann = await newPerson(workspace)
    ben = await newPerson(workspace)
    supervisor = await newPerson(workspace, 'supervisor')
    number = await newTextingNumber(appliance, workspace)
  })
  after(async () => appliance?.stop())

  const start = async (person = ann, changes: object = {}) =>
    startConversation(person, number.number, changes)
  const patch = async (id: string, changes: object, { api }: Person = supervisor) =>
    api.patch(`${base}/${id}`, changes)

  describe('begin', () => {
    it('with a message, and belong to who writes it', async () => {
      const client_number = newClient()
      const { conversation, message } = await start(ann, { client_number, body: 'Good morning' })
      expect(message).to.include({
        ...{ conversation_id: conversation.id, from: number.number, to: client_number, body: 'Good morning' },
        ...{ direction: 'outbound', status: 'queued', sender_type: 'agent', sender_id: ann.id, cost: null },
      })
      expect(conversation).to.deep.include({
        ...{ workspace_id: workspace.id, phone_number_id: number.id, system_number: number.number },
        ...{ client_number, client_name: null, contact_id: null },
        ...{ assigned_agent_id: ann.id, assigned_team_id: null, status: 'open', unread_count: 0 },
        ...{ last_message_at: message.created_at, last_read_at: null },
        last_message: {
          ...{ id: message.id, body: 'Good morning', direction: 'outbound', sender_type: 'agent' },
          ...{ sender_id: ann.id, created_at: message.created_at },
        },
      })
      expect(conversation.id).to.match(/^conv_/)
      expect(await succeed(ann.api.get(`${base}/${conversation.id}`))).to.deep.equal(conversation)
    })

    it('once for a client and a number: who writes next writes in the same, and does not get it', async () => {
      const client_number = newClient()
      const { conversation } = await start(ann, { client_number })
      const { conversation: same, message } = await start(ben, { client_number })
      expect(same.id).to.equal(conversation.id)
      expect(same.assigned_agent_id).to.equal(ann.id)
      expect(same.last_message?.id).to.equal(message.id)
    })

    it('once for an Idempotency-Key, which is one agent’s', async () => {
      const input = { from: number.number, client_number: newClient(), body: 'Hello' }
      const send = async ({ api }: Person, body: object = input) =>
        api.post(base, body, { 'idempotency-key': 'once' })
      const first = await send(ann)
      expect(first.status).to.equal(201)
      expect((await send(ann)).body).to.deep.equal(first.body)
      expect((await send(ben)).status).to.equal(409)
      const { meta } = await succeed(ann.api.get(`${base}/${first.body.conversation.id}/messages`))
      expect(meta.total).to.equal(1)
    })

    it('with nothing that will not do', async () => {
      const refused = async (changes: object) =>
        fieldsOf(
          await ann.api.post(base, {
            ...{ from: number.number, client_number: newClient(), body: 'Hello' },
            ...changes,
          }),
        )
      expect(await refused({ from: '+12025559999' })).to.deep.equal(['from'])
      expect(await refused({ client_number: '12025550100' })).to.deep.equal(['client_number'])
      expect(await refused({ body: 'x'.repeat(1_601) })).to.deep.equal(['body'])
      expect(await refused({ body: '' })).to.deep.equal(['body'])
      const optedOut = newClient()
      await query(
        appliance,
        'INSERT INTO opt_outs (phone_number_id, client_number, workspace_id, created_at) VALUES (?, ?, ?, NOW(3))',
        [number.id, optedOut.slice(1), workspace.id],
      )
      expect(await refused({ client_number: optedOut })).to.deep.equal(['client_number'])
    })
  })

  describe('are answered', () => {
    it('by whoever sees them, who gets them when no agent has them', async () => {
      const { conversation } = await start()
      const reply = async ({ api }: Person) =>
        succeed(api.post(`${base}/${conversation.id}/messages`, { body: 'And?' }))
      expect(await reply(ben)).to.include({
        ...{ conversation_id: conversation.id, to: conversation.client_number, sender_id: ben.id },
      })
      const assigned = async () =>
        (await succeed(ann.api.get(`${base}/${conversation.id}`))).assigned_agent_id as string
      expect(await assigned()).to.equal(ann.id)
      await succeed(patch(conversation.id, { assigned_agent_id: null }))
      await reply(ben)
      expect(await assigned()).to.equal(ben.id)
    })

    it('once for an Idempotency-Key', async () => {
      const { conversation } = await start()
      const url = `${base}/${conversation.id}/messages`
      const send = async () => ann.api.post(url, { body: 'Hello' }, { 'idempotency-key': 'reply' })
      const [one, other] = [await send(), await send()]
      expect(one.status).to.equal(201)
      expect(other.body).to.deep.equal(one.body)
    })
  })

  describe('are listed', () => {
    let own: TestWorkspace
    let lead: Person
    let agent: Person
    let team: string
    let lines: [TextingNumber, TextingNumber]
    const made: string[] = []
    before(async () => {
      own = await appliance.workspace()
      lead = await newPerson(own, 'leader')
      agent = await newPerson(own)
      team = await newTeam(own.api)
      lines = [await newTextingNumber(appliance, own), await newTextingNumber(appliance, own)]
      for (const index of [0, 1, 2, 3]) {
        const { conversation } = await startConversation(lead, lines[index % 2]!.number)
        made.push(conversation.id)
      }
      const [first, second, third] = made
      await succeed(lead.api.patch(`${base}/${first}`, { assigned_agent_id: agent.id }))
      await succeed(lead.api.patch(`${base}/${second}`, { assigned_agent_id: null, assigned_team_id: team }))
      await succeed(lead.api.patch(`${base}/${third}`, { status: 'closed' }))
      await insertReceived(appliance, first!, 2)
    })

    const list = async (filter = '', { api }: Person = lead) => succeed(api.get(`${base}?${filter}`))
    const indexes = async (filter: string, person = lead) =>
      ids(await list(filter, person)).map((id) => made.indexOf(id))

    it('by their latest message', async () => {
      const all = await list()
      expect(ids(all).map((id) => made.indexOf(id))).to.deep.equal([0, 3, 2, 1])
      expect(all.meta).to.deep.equal({ total: 4, page: 1, limit: 20, total_pages: 1 })
      expect(all.data[0]).to.include({ unread_count: 2 })
      expect(all.data[0].last_message).to.include({
        ...{ body: 'Text 2', direction: 'inbound', sender_type: 'client', sender_id: null },
      })
      for (const [page, found] of [
        [1, [0, 3]],
        [2, [2, 1]],
        [3, []],
      ] as const) {
        const { data, meta } = await list(`page=${page}&limit=2`)
        expect(ids({ data }).map((id) => made.indexOf(id))).to.deep.equal(found)
        expect(meta).to.include({ total: 4, total_pages: 2 })
      }
    })

    it('by status, number, agent, team, and what is unread', async () => {
      const filters: [string, number[]][] = [
        ['status=open', [0, 3, 1]],
        ['status=closed', [2]],
        [`phone_number_id=${lines[0].id}`, [0, 2]],
        ['assigned_agent_id=me', [3, 2]],
        ['assigned_to=me', [3, 2]],
        [`assigned_agent_id=${agent.id}`, [0]],
        ['assigned_agent_id=unassigned', [1]],
        ['assigned_to=unassigned&status=closed', []],
        [`assigned_team_id=${team}`, [1]],
        ['unread_only=true', [0]],
        ['unread_only=false', [0, 3, 2, 1]],
        [`unread_only=true&status=open&phone_number_id=${lines[0].id}&assigned_agent_id=${agent.id}`, [0]],
        ['assigned_agent_id=ag_unknown', []],
      ]
      for (const [filter, expected] of filters) {
        expect(await indexes(filter), filter).to.deep.equal(expected)
        expect((await list(filter)).meta.total, filter).to.equal(expected.length)
      }
      expect(await indexes('assigned_agent_id=me', agent)).to.deep.equal([0])
    })

    it('by numbers, however they are written, and by the name of the client', async () => {
      const shown = await succeed(lead.api.get(`${base}/${made[3]}`))
      const written = shown.client_number.replace(/^\+1(\d{3})(\d{3})/, '+1 ($1) $2-')
      const found = async (text: string) => indexes(`search=${encodeURIComponent(text)}`)
      expect(await found(written)).to.deep.equal([3])
      expect(await found(lines[1].number.slice(-7))).to.deep.equal([3, 1])
      const contact = async (name: string) =>
        (await succeed(own.api.post('/contacts', { name, numbers: [shown.client_number] }))).id as string
      await contact('Zoe Older')
      const newer = await contact('Yves 50% off')
      expect(await succeed(lead.api.get(`${base}/${made[3]}`))).to.include({
        ...{ client_name: 'Yves 50% off', contact_id: newer },
      })
      expect(await found('yves')).to.deep.equal([3])
      expect(await found('50%')).to.deep.equal([3])
      expect(await found('zoe'), 'a name that is not shown').to.deep.equal([])
      expect(await found('%')).to.deep.equal([3])
      await succeed(own.api.delete(`/contacts/${newer}`))
      expect((await list()).data.find(({ id }: { id: string }) => id === made[3]).client_name).to.equal(
        'Zoe Older',
      )
    })
  })

  describe('have messages', () => {
    let id: string
    let times: string[]
    before(async () => {
      id = (await start()).conversation.id
      await insertReceived(appliance, id, 10)
      const { data } = await succeed(ann.api.get(`${base}/${id}/messages`))
      times = data.map(({ created_at }: { created_at: string }) => created_at)
    })

    it('oldest first, page by page and by cursors', async () => {
      expect(times).to.have.length(11)
      expect(times).to.deep.equal(times.toSorted())
      const soon = '2999-01-01T00:00:00Z'
      const long = '1999-01-01T00:00:00+02:00'
      const pages: [string, number[], number][] = [
        ['limit=3', [0, 1, 2], 11],
        ['limit=3&page=2', [3, 4, 5], 11],
        ['limit=3&page=3', [6, 7, 8], 11],
        ['limit=3&page=4', [9, 10], 11],
        ['limit=3&page=5', [], 11],
        [`limit=3&before=${soon}`, [8, 9, 10], 11],
        [`limit=3&before=${soon}&page=4`, [0, 1], 11],
        [`limit=3&before=${times[8]}`, [5, 6, 7], 8],
        [`limit=3&before=${times[8]}&page=2`, [2, 3, 4], 8],
        [`limit=3&before=${times[2]}`, [0, 1], 2],
        [`before=${times[0]}`, [], 0],
        [`before=${long}`, [], 0],
        [`limit=3&after=${long}`, [0, 1, 2], 11],
        [`limit=3&after=${times[1]}`, [2, 3, 4], 9],
        [`limit=3&after=${times[1]}&page=3`, [8, 9, 10], 9],
        [`limit=3&after=${times[9]}`, [10], 1],
        [`after=${times[10]}`, [], 0],
        [`after=${soon}`, [], 0],
        [`after=${times[1]}&before=${times[5]}&limit=2`, [2, 3], 3],
        [`after=${times[1]}&before=${times[5]}&limit=2&page=2`, [4], 3],
        [`after=${times[5]}&before=${times[1]}`, [], 0],
      ]
      for (const [cursor, expected, total] of pages) {
        const { data, meta } = await succeed(
          ann.api.get(`${base}/${id}/messages?${cursor.replace('+', '%2B')}`),
        )
        const found = data.map(({ created_at }: { created_at: string }) => times.indexOf(created_at))
        expect(found, cursor).to.deep.equal(expected)
        expect(meta.total, cursor).to.equal(total)
      }
      expect(fieldsOf(await ann.api.get(`${base}/${id}/messages?before=yesterday`))).to.deep.equal(['before'])
    })

    it('which are read when an agent says so', async () => {
      expect((await succeed(ann.api.get(`${base}/${id}`))).unread_count).to.equal(10)
      const read = await succeed(ben.api.patch(`${base}/${id}/read`))
      expect(read.unread_count).to.equal(0)
      expect(Date.parse(read.last_read_at)).to.be.closeTo(Date.now(), 60_000)
      expect(await succeed(ann.api.get(`${base}/${id}`))).to.deep.equal(read)
    })
  })

  describe('are closed and assigned', () => {
    it('and are open again with the next message, whoever sends it', async () => {
      const { conversation } = await start()
      const { client_number } = conversation
      const status = async () => (await succeed(ann.api.get(`${base}/${conversation.id}`))).status
      const input = { from: number.number, client_number, body: 'Hello again' }
      const senders = {
        'the agent who replies': async () =>
          ann.api.post(`${base}/${conversation.id}/messages`, { body: 'Hello' }),
        'an agent who starts it': async () => ann.api.post(base, input),
        'the API': async () =>
          workspace.api.post('/messages/send', { from: number.number, to: client_number, body: 'Hi' }),
      }
      for (const [who, send] of Object.entries(senders)) {
        await succeed(patch(conversation.id, { status: 'closed' }))
        expect(await status(), who).to.equal('closed')
        await succeed(send())
        expect(await status(), who).to.equal('open')
      }
    })

    it('which the audit log and the streams tell', async () => {
      const { conversation } = await start()
      const reader = await EventReader.open(ben.api)
      try {
        const team = await newTeam(workspace.api)
        const changes = { status: 'closed', assigned_agent_id: ben.id, assigned_team_id: team }
        expect(await succeed(patch(conversation.id, changes))).to.include(changes)
        expect(await succeed(ann.api.get(`${base}/${conversation.id}`))).to.include(changes)
        const { data } = await reader.next(
          'conversation.updated',
          (told) => told.conversation.id === conversation.id,
        )
        expect(data.conversation).to.include(changes)
        expect(data.changed).to.have.members(['status', 'assigned_agent_id', 'assigned_team_id'])
        const entries = await succeed(workspace.api.get('/audit-log?action=conversation.update&limit=1'))
        expect(entries.data[0]).to.deep.include({
          actor: { kind: 'agent', id: supervisor.id, name: 'Jane Doe' },
          changes: {
            status: { from: 'open', to: 'closed' },
            assigned_agent_id: { from: ann.id, to: ben.id },
            assigned_team_id: { from: null, to: team },
          },
        })
        await succeed(patch(conversation.id, { assigned_team_id: null }))
        await succeed(workspace.api.delete(`/teams/${team}`))
      } finally {
        reader.close()
      }
    })

    it('to agents and teams that there are', async () => {
      const { conversation } = await start()
      const gone = await newPerson(workspace)
      await succeed(workspace.api.patch(`/agents/${gone.id}`, { is_active: false }))
      const foreign = await appliance.workspace()
      const stranger = await newPerson(foreign)
      for (const assigned_agent_id of [gone.id, stranger.id, 'ag_unknown', 'me']) {
        expect(fieldsOf(await patch(conversation.id, { assigned_agent_id }))).to.deep.equal([
          'assigned_agent_id',
        ])
      }
      for (const assigned_team_id of [await newTeam(foreign.api), 'te_unknown']) {
        expect(fieldsOf(await patch(conversation.id, { assigned_team_id }))).to.deep.equal([
          'assigned_team_id',
        ])
      }
      expect(fieldsOf(await patch(conversation.id, { status: 'resolved' }))).to.deep.equal(['status'])
    })

    it('by members when no agent has them, or when they have them themselves', async () => {
      const { conversation } = await start(ann)
      const team = await newTeam(workspace.api)
      const status = async (changes: object, person: Person) =>
        (await patch(conversation.id, changes, person)).status
      expect(await status({ assigned_agent_id: ben.id }, ben), 'of another').to.equal(403)
      expect(await status({ assigned_agent_id: null }, ben), 'of another').to.equal(403)
      expect(await status({ assigned_team_id: team }, ben), 'of another').to.equal(403)
      expect(await status({ status: 'closed', assigned_agent_id: ann.id }, ben), 'no change').to.equal(200)
      expect(await status({ assigned_agent_id: null }, ann), 'let go').to.equal(200)
      expect(await status({ assigned_agent_id: ann.id }, ben), 'nobody’s to another').to.equal(403)
      expect(await status({ assigned_agent_id: ben.id }, ben), 'taken').to.equal(200)
      expect(await status({ assigned_agent_id: ann.id, assigned_team_id: team }, ben), 'handed on').to.equal(
        200,
      )
      expect(await status({ assigned_agent_id: ben.id }, supervisor), 'by a supervisor').to.equal(200)
    })

    it('by one of two members who take them at once', async () => {
      const { conversation } = await start()
      await succeed(patch(conversation.id, { assigned_agent_id: null }))
      const answers = await Promise.all(
        [ann, ben].map(async (one) => patch(conversation.id, { assigned_agent_id: one.id }, one)),
      )
      expect(answers.map(({ status }) => status).toSorted()).to.deep.equal([200, 403])
    })

    it('to nobody, when their agent or team is deleted, whose messages stay theirs', async () => {
      const [leaving, team] = [await newPerson(workspace), await newTeam(workspace.api)]
      const { conversation } = await start(leaving)
      await succeed(patch(conversation.id, { assigned_team_id: team }))
      await succeed(workspace.api.delete(`/agents/${leaving.id}`))
      await succeed(workspace.api.delete(`/teams/${team}`))
      const left = await succeed(ann.api.get(`${base}/${conversation.id}`))
      expect(left).to.include({ assigned_agent_id: null, assigned_team_id: null })
      expect(left.last_message.sender_id).to.equal(leaving.id)
    })
  })

  it('have notes, which their writers delete', async () => {
    const { conversation } = await start()
    const url = `${base}/${conversation.id}/notes`
    const note = await succeed(ben.api.post(url, { body: 'Calls back on Monday' }))
    expect(note).to.include({
      conversation_id: conversation.id,
      agent_id: ben.id,
      body: 'Calls back on Monday',
    })
    expect(note.id).to.match(/^note_/)
    const other = await succeed(ann.api.post(url, { body: 'Thanks' }))
    expect((await succeed(ann.api.get(url))).data).to.deep.equal([note, other])
    expect((await supervisor.api.delete(`${url}/${note.id}`)).status).to.equal(403)
    const elsewhere = (await start()).conversation.id
    expect((await ben.api.delete(`${base}/${elsewhere}/notes/${note.id}`)).status).to.equal(404)
    expect(await succeed(ben.api.delete(`${url}/${note.id}`))).to.deep.equal(note)
    expect((await succeed(ann.api.get(url))).data).to.deep.equal([other])
    expect(fieldsOf(await ann.api.post(url, { body: '' }))).to.deep.equal(['body'])
  })

  it('have canned replies, which leaders and supervisors write', async () => {
    const url = '/call-center/canned-replies'
    const made = await succeed(supervisor.api.post(url, { title: 'Thanks', body: 'Thank you, {name}!' }))
    expect(made).to.include({ title: 'Thanks', body: 'Thank you, {name}!', workspace_id: workspace.id })
    expect(made.id).to.match(/^can_/)
    const bye = await succeed(supervisor.api.post(url, { title: 'Bye', body: 'Good bye' }))
    expect((await succeed(ann.api.get(url))).data).to.deep.equal([bye, made])
    expect(ids(await succeed(ann.api.get(`${url}?search=thank`)))).to.deep.equal([made.id])
    const refused = [
      await ann.api.post(url, { title: 'x', body: 'x' }),
      await ann.api.patch(`${url}/${made.id}`, { title: 'x' }),
      await ann.api.delete(`${url}/${made.id}`),
    ]
    expect(refused.map(({ status }) => status)).to.deep.equal([403, 403, 403])
    const changed = await succeed(supervisor.api.patch(`${url}/${made.id}`, { title: 'A thank-you' }))
    expect(changed).to.include({ title: 'A thank-you', body: made.body })
    expect(await succeed(supervisor.api.delete(`${url}/${made.id}`))).to.deep.equal(changed)
    expect(ids(await succeed(ann.api.get(url)))).to.deep.equal([bye.id])
  })
})
