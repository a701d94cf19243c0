/** Texts that an SMSC hands over, through the whole server. */
import { expect } from 'chai'
import { succeed } from '../api/fixtures.js'
import { Smsc, type SmscMessage } from '../support/smsc.js'
import { TextBench } from '../support/text-bench.js'

/** A text as it stands in the database. */
interface Row {
  client_number: string
  body: string
  segments: number
}

describe('texts of an SMSC', () => {
  let bench: TextBench
  let smsc: Smsc
  let carrier: string
  let clients = 0

  before(async () => {
    bench = await TextBench.start()
    smsc = await Smsc.start()
    carrier = await bench.carrier(smsc.port)
    await bench.up(carrier)
  })
  after(async () => {
    await bench?.stop()
    await smsc?.stop()
  })

  /** A client that no other test has. */
  const newClient = () => `1303555${String((clients += 1)).padStart(4, '0')}`
  const deliver = async (from: string, message: Partial<SmscMessage>) =>
    smsc.deliver({ from, to: bench.number, ...message })
  /** Hands texts over, and waits until each is answered. */
  async function taken(...refs: Promise<number>[]): Promise<void> {
    await answered(await Promise.all(refs))
  }
  async function answered(refs: readonly number[]): Promise<void> {
    for (const ref of refs) {
      expect((await smsc.answerTo(ref, 60_000)).status).to.equal(0)
    }
  }
  const rows = async (client: string): Promise<Row[]> =>
    bench.query(
      `SELECT client_number, body, segments FROM messages WHERE client_number = ? AND direction = 'inbound'
       ORDER BY position`,
      [client],
    )
  const bodies = async (client: string) => (await rows(client)).map(({ body }) => body)

  it('are kept when the SMSC is answered, and shown', async () => {
    const client = newClient()
    await taken(deliver(client, { text: 'Where are you? {€}' }))
    await taken(deliver(`+${client}`, { text: 'Grüße aus Ω 🙂', data_coding: 8 }))
    await taken(deliver('AMAZON', { text: 'Your parcel' }))
    expect(await bodies(client)).to.deep.equal(['Where are you? {€}', 'Grüße aus Ω 🙂'])
    const { data } = await succeed(bench.workspace.api.get('/messages?direction=inbound&limit=3'))
    expect(data.map(({ from, status, body }: any) => [from, status, body])).to.deep.equal([
      ['AMAZON', 'received', 'Your parcel'],
      [`+${client}`, 'received', 'Grüße aus Ω 🙂'],
      [`+${client}`, 'received', 'Where are you? {€}'],
    ])
    expect(data[0]).to.include({ to: `+${bench.number}`, client_number: 'AMAZON', sender_type: 'client' })
  })

  it('that are for nobody are answered, and not kept', async () => {
    const [{ count }] = await bench.query('SELECT COUNT(*) AS count FROM messages')
    await taken(smsc.deliver({ from: newClient(), to: '12025559999', text: 'Anybody?' }))
    expect(await bench.query('SELECT COUNT(*) AS count FROM messages')).to.deep.equal([{ count }])
  })

  it('are one of their parts, in whatever order and way they come', async () => {
    const client = newClient()
    const of = async (
      by: 'udh' | 'udh16' | 'sar',
      reference: number,
      total: number,
      index: number,
      text: string,
    ) => deliver(client, { text, data_coding: 8, part: { by, reference, total, index } })
    await taken(
      of('udh', 17, 3, 3, 'three'),
      of('sar', 17, 2, 2, 'zwei'),
      of('udh', 17, 3, 1, 'one '),
      of('udh16', 40_000, 2, 2, 'deux 🙂'),
      of('udh', 17, 3, 1, 'one '),
    )
    expect(await bodies(client)).to.deep.equal([])
    await taken(of('udh16', 40_000, 2, 1, 'un '), of('sar', 17, 2, 1, 'eins '), of('udh', 17, 3, 2, 'two '))
    const found = await rows(client)
    expect(found.map(({ body, segments }) => `${segments} ${body}`)).to.have.members([
      '3 one two three',
      '2 eins zwei',
      '2 un deux 🙂',
    ])
  })

  it('are neither lost nor doubled when the server is killed, and again', async () => {
    const client = newClient()
    const sent = Array.from({ length: 300 }, (_, index) => `Text ${index}`)
    const refs = await Promise.all(sent.map(async (text) => deliver(client, { text })))
    for (const least of [40, 120]) {
      await bench.eventually(
        async () => bodies(client),
        (kept) => kept.length >= least,
        'texts kept',
      )
      await bench.appliance.killServer()
      await bench.appliance.startServer()
    }
    await answered(refs)
    const kept = await bodies(client)
    expect(kept.toSorted()).to.deep.equal(sent.toSorted())
    const [conversation] = await bench.query('SELECT * FROM conversations WHERE client_number = ?', [client])
    expect(conversation).to.include({ unread_count: 300, message_count: 300 })
  })

  it('count once when all answers were lost with the server', async () => {
    const client = newClient()
    await smsc.behave({ deaf: true })
    const sent = Array.from({ length: 20 }, (_, index) => `Again ${index}`)
    const refs = await Promise.all(sent.map(async (text) => deliver(client, { text })))
    await bench.eventually(
      async () => bodies(client),
      (kept) => kept.length === 20,
      'texts kept',
    )
    await bench.appliance.killServer()
    await smsc.drop('reset')
    await smsc.behave({ deaf: false })
    await bench.appliance.startServer()
    await answered(refs)
    expect((await bodies(client)).toSorted()).to.deep.equal(sent.toSorted())
  })

  it('are taken again when they could not be kept', async () => {
    const client = newClient()
    await bench.query('ALTER TABLE inbound_segments RENAME inbound_segments_away')
    const before = smsc.delivered.length
    const ref = await deliver(client, { text: 'Patience' })
    await smsc.until('refusal', () => smsc.delivered.slice(before).some(({ again }) => again))
    await bench.query('ALTER TABLE inbound_segments_away RENAME inbound_segments')
    await answered([ref])
    expect(await bodies(client)).to.deep.equal(['Patience'])
  })

  it('that are STOP, START or HELP are heeded, and answered to the client', async () => {
    const client = newClient()
    const { api } = bench.workspace
    const answers = () => smsc.taken.filter(({ to }) => to === client).map(({ text }) => text)
    const send = async () =>
      api.post('/messages/send', { from: `+${bench.number}`, to: `+${client}`, body: 'Offer' })
    await taken(deliver(client, { text: 'Stop' }))
    await smsc.until('answer', () => answers().length === 1, 30_000)
    const refused = await send()
    expect(refused.status).to.equal(400)
    expect(refused.body.errors[0].field).to.equal('to')
    const listed = await succeed(api.get(`/opt-outs?search=${client}`))
    expect(listed.data).to.have.length(1)
    await taken(deliver(client, { text: 'help' }))
    await smsc.until('answer', () => answers().length === 2, 30_000)
    await taken(deliver(client, { text: 'START' }))
    await smsc.until('answer', () => answers().length === 3, 30_000)
    await succeed(send())
    await smsc.until('message', () => answers().length === 4, 30_000)
    expect(answers()).to.deep.equal([
      `You have unsubscribed from messages from +${bench.number} and will receive no more. Reply START to resubscribe.`,
      `Messages from +${bench.number}. Reply STOP to unsubscribe, START to resubscribe. Message and data rates may apply.`,
      `You will receive messages from +${bench.number} again. Reply STOP to unsubscribe.`,
      'Offer',
    ])
  })

  it('are kept, and STOP is heeded, without the credit for an answer', async () => {
    const client = newClient()
    const before = smsc.taken.length
    const [{ balance }] = await bench.query('SELECT balance FROM credit_balances')
    await bench.query('UPDATE credit_balances SET balance = 0')
    await taken(deliver(client, { text: 'STOP' }))
    await bench.eventually(
      async () => bench.query(`SELECT 1 FROM outbox WHERE kind = 'message.opt_out_reply'`),
      (jobs) => jobs.length === 0,
      'answer given up',
    )
    await bench.query('UPDATE credit_balances SET balance = ?', [balance])
    expect(await bodies(client)).to.deep.equal(['STOP'])
    const optOuts = await bench.query('SELECT 1 FROM opt_outs WHERE client_number = ?', [client])
    expect(optOuts).to.have.length(1)
    expect(smsc.taken).to.have.length(before)
  })
})
