/** What agents who listen are told of the texts of their conversations, through the whole server and an SMSC. */
import { expect } from 'chai'
import { type Person, clientToken, newPerson, newTeam, succeed } from '../api/fixtures.js'
import { EventReader, type ReadEvent } from '../support/event-reader.js'
import { Smsc } from '../support/smsc.js'
import { TextBench } from '../support/text-bench.js'

const base = '/call-center/conversations'
const client = '13035550123'

describe('conversations with clients', function () {
  this.timeout(120_000)
  let bench: TextBench
  let smsc: Smsc
  let ann: Person
  let ben: Person
  let supervisor: Person
  const readers: Record<string, EventReader> = {}

  before(async () => {
    bench = await TextBench.start()
    smsc = await Smsc.start({ receipts: [{ after_ms: 50 }] })
    await bench.up(await bench.carrier(smsc.port))
    const { workspace } = bench
    ann = await newPerson(workspace)
    ben = await newPerson(workspace)
    supervisor = await newPerson(workspace, 'supervisor')
    const [own, other] = [await newTeam(workspace.api), await newTeam(workspace.api)]
    await succeed(workspace.api.put(`/teams/${own}/agents/${ann.id}`))
    await succeed(workspace.api.put(`/teams/${other}/agents/${ben.id}`))
    await succeed(workspace.api.patch(`/phone-numbers/${bench.numberId}`, { shared_teams_id: [own] }))
    const stranger = await newPerson(await bench.appliance.workspace(), 'supervisor')
    for (const [name, api] of Object.entries({
      ...{ ann: ann.api, ben: ben.api, supervisor: supervisor.api, stranger: stranger.api },
      client: workspace.api.with({ authorization: `Bearer ${clientToken(workspace)}` }),
    })) {
      readers[name] = await EventReader.open(api)
    }
  })
  after(async () => {
    for (const reader of Object.values(readers)) reader?.close()
    await bench?.stop()
    await smsc?.stop()
  })

  const receive = async (text: string) => {
    const ref = await smsc.deliver({ from: client, to: bench.number, text })
    expect((await smsc.answerTo(ref, 60_000)).status).to.equal(0)
  }
  /** What both who may see the conversation are told, and nobody else. */
  const told = async (event: string, body: string): Promise<ReadEvent> => {
    const [one, other] = [
      await readers['ann']!.next(event, (data) => data.body === body),
      await readers['supervisor']!.next(event, (data) => data.body === body),
    ]
    expect(other.data).to.deep.equal(one.data)
    expect(other.id).to.equal(one.id)
    for (const name of ['ben', 'stranger', 'client']) {
      expect(
        readers[name]!.names.filter((other) => !other.startsWith('workspace.')),
        name,
      ).to.deep.equal([])
    }
    return one
  }
  const only = async () => {
    const { data, meta } = await succeed(ann.api.get(base))
    expect(meta.total).to.equal(1)
    return data[0]
  }

  it('begin with a text that comes in, which is unread', async () => {
    await succeed(bench.workspace.api.post('/contacts', { name: 'Zoe', numbers: [`+${client}`] }))
    await receive('Are you open today?')
    const { data } = await told('message.received', 'Are you open today?')
    const conversation = await only()
    expect(conversation).to.deep.include({
      ...{ client_number: `+${client}`, client_name: 'Zoe', status: 'open', unread_count: 1 },
      ...{ assigned_agent_id: null, assigned_team_id: null, last_message_at: data.created_at },
    })
    expect(data.conversation).to.deep.equal(conversation)
    expect(data).to.include({
      ...{ direction: 'inbound', status: 'received', from: `+${client}`, sender_type: 'client' },
      conversation_id: conversation.id,
    })
    expect((await succeed(ben.api.get(base))).meta.total).to.equal(0)
  })

  it('go on with an answer, of which all is told until it is delivered', async () => {
    const { id } = await only()
    await succeed(ann.api.patch(`${base}/${id}/read`))
    const sent = await succeed(ann.api.post(`${base}/${id}/messages`, { body: 'Until six' }))
    expect((await told('message.sent', 'Until six')).data).to.include({
      id: sent.id,
      status: 'sent',
      cost: 0.01,
    })
    const { data } = await told('message.delivered', 'Until six')
    expect(data).to.include({ id: sent.id, status: 'delivered', sender_id: ann.id })
    expect(data.conversation).to.include({ unread_count: 0, assigned_agent_id: ann.id })
    const { data: messages } = await succeed(ann.api.get(`${base}/${id}/messages`))
    expect(messages.map(({ body, status }: any) => `${body} ${status}`)).to.deep.equal([
      'Are you open today? received',
      'Until six delivered',
    ])
  })

  it('are opened again by the client, and come to the top of the inbox', async () => {
    const { id } = await only()
    await succeed(ann.api.patch(`${base}/${id}`, { status: 'closed' }))
    const input = { from: `+${bench.number}`, client_number: '+13035550199', body: 'Hello' }
    await succeed(supervisor.api.post(base, input))
    await receive('Thank you')
    const { data } = await told('message.received', 'Thank you')
    expect(data.conversation).to.include({ id, status: 'open', unread_count: 1, assigned_agent_id: ann.id })
    const list = await succeed(ann.api.get(base))
    expect(list.data[0].id).to.equal(id)
    expect(list.meta.total).to.equal(2)
  })

  it('are told of in the order of what happens, however much it is', async () => {
    const texts = Array.from({ length: 60 }, (_, index) => `Text ${index}`)
    for (const text of texts) await smsc.deliver({ from: client, to: bench.number, text })
    const { data } = await readers['ann']!.next(
      'message.received',
      ({ conversation }) => conversation.unread_count >= 61,
    )
    await eventuallyTold(texts.length + 2)
    const heard = readers['ann']!.events.filter(({ event }) => event === 'message.received')
    const times = heard.map((one) => one.data.created_at as string)
    expect(times).to.deep.equal(times.toSorted())
    expect(new Set(heard.map((one) => one.data.body as string)).size).to.equal(texts.length + 2)
    const { meta } = await succeed(ann.api.get(`${base}/${data.conversation.id}/messages`))
    expect(meta.total).to.equal(texts.length + 3)
  })

  const eventuallyTold = async (count: number) =>
    bench.eventually(
      async () => readers['ann']!.events.filter(({ event }) => event === 'message.received'),
      (events) => events.length >= count,
      'texts told',
    )

  it('are answered from the short code that the client wrote to', async () => {
    const { operator } = bench.appliance
    const path = `/workspaces/${bench.workspace.id}/phone-numbers/${bench.numberId}/originators`
    await succeed(operator.put(path, { originators: ['72345'] }))
    const [{ id: carrier }] = await bench.query('SELECT id FROM carriers')
    await succeed(operator.patch(`/carriers/${carrier}`, { settings: { takes_originators: true } }))
    await bench.up(carrier)
    const ref = await smsc.deliver({ from: '13035550188', to: '72345', text: 'To the short code' })
    expect((await smsc.answerTo(ref, 60_000)).status).to.equal(0)
    const { data } = await succeed(ann.api.get(`${base}?search=13035550188`))
    const answer = async () => succeed(ann.api.post(`${base}/${data[0].id}/messages`, { body: 'From there' }))
    expect(await answer()).to.include({ from: '72345', to: '+13035550188' })
    await smsc.until('answer', () =>
      smsc.taken.some(({ to, from }) => to === '13035550188' && from === '72345'),
    )
    await succeed(operator.put(path, { originators: [] }))
    expect(await answer()).to.include({ from: `+${bench.number}` })
  })
})
