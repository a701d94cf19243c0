/** What carriers hand over becomes messages, each once: the class, on a real database. */
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { pino } from 'pino'
import type { InboundSegment } from '../../src/adapters/sms/link.js'
import { ConversationStore } from '../../src/features/conversations/conversation-store.js'
import { Conversation } from '../../src/features/conversations/conversation.entity.js'
import { Database } from '../../src/infrastructure/database/database.js'
import type { WorkspaceEvent } from '../../src/infrastructure/database/events.js'
import { entities } from '../../src/app/entities.js'
import { PublicUrls } from '../../src/infrastructure/http/public-urls.js'
import { Inbound } from '../../src/features/messages/inbound/inbound.js'
import { InboundSegmentRow } from '../../src/features/messages/inbound/inbound-segment.entity.js'
import { MessageSettingsService } from '../../src/features/messages/settings/message-settings.js'
import { OptOuts } from '../../src/features/messages/inbound/opt-outs.js'
import { MessageEvents } from '../../src/features/messages/message-events.js'
import { MessagePresenter } from '../../src/features/messages/message.presenter.js'
import { Message } from '../../src/features/messages/message.entity.js'
import { eventually } from '../support/api-client.js'
import { sharedMariadb } from '../support/mariadb.js'

const carrier = 'car_1'
const ours = '12025550100'

describe('inbound messages', () => {
  let database: Database
  let inbound: Inbound
  let told: { event: string; id: string }[] = []
  let replies: { to: string; body: string; key: string }[] = []
  let fetched: string[][] = []
  /** A client that no other test has. */
  let client: string
  let lastClient = 2_025_551_000

  before(async () => {
    const mariadb = await sharedMariadb()
    const name = await mariadb.createDatabase()
    await mariadb.migrate(name)
    const { host, port, user, password } = mariadb
    database = new Database({ host, port, socket: '', user, password, name, pool: 10 }, entities)
    await database.connect()
    await seed(database)
    const log = pino({ level: 'silent' })
    const events = new MessageEvents({
      presenter: new MessagePresenter(database, new PublicUrls('http://{workspace}.localhost')),
      webhooks: {
        record: async (_, some: readonly WorkspaceEvent[]) => {
          told.push(...some.map(({ event, data }) => ({ event, id: (data as { id: string }).id })))
        },
      },
      stream: () => undefined,
    })
    inbound = new Inbound({
      ...{ database, events, log, heedsOptOuts: true },
      settings: new MessageSettingsService(database),
      conversations: new ConversationStore(),
      media: { fetchInbound: async (_, __, urls) => void fetched.push([...urls]) },
      // Nobody writes numbers by hand here.
      optOuts: new OptOuts(database, undefined as never),
      send: async (_, { to, body }, key) => replies.push({ to, body, key }),
    })
    inbound.start()
  })
  beforeEach(() => {
    told = []
    replies = []
    fetched = []
    lastClient += 1
    client = `1${lastClient}`
  })
  after(async () => {
    await inbound?.stop()
    await database?.close()
  })

  function segment(body: string, values: Partial<InboundSegment> = {}): InboundSegment {
    const bare = {
      ...{ from: client, to: ours, body, concatenation: null, media: [], carrier_message_id: null },
      ...values,
    }
    const fingerprint = createHash('sha256').update(JSON.stringify(bare)).digest('hex')
    return { fingerprint, ...bare }
  }
  const part = (body: string, index: number, total: number, reference = 7) =>
    segment(body, { concatenation: { reference, index, total } })
  const receive = async (one: InboundSegment, bind = 'evt_bind', by = carrier) =>
    inbound.messages.receive(by, one, bind)
  const messages = async (client_number = client) =>
    database
      .platformTable(Message)
      .find({ where: { client_number }, order: { workspace_id: 'ASC', position: 'ASC' } })
  const bodies = async (client_number = client) => (await messages(client_number)).map(({ body }) => body)
  const conversation = async () =>
    database.platformTable(Conversation).findOneByOrFail({ client_number: client })
  const age = async (minutes: number) =>
    database.source.query(
      'UPDATE inbound_segments SET received_at = received_at - INTERVAL ? MINUTE WHERE from_number = ?',
      [minutes, client],
    )

  it('stand in their conversation, which they reopen, and are told of', async () => {
    await receive(segment('Grüße 🙂', { to: `+${ours}`, from: `+${client}`, carrier_message_id: 'abc' }))
    await database.source.query('UPDATE conversations SET status = ? WHERE client_number = ?', [
      'closed',
      client,
    ])
    await receive(segment('And again', { to: `00${ours}` }))
    const [first, second] = await messages()
    expect(first).to.deep.include({
      ...{ workspace_id: 'acme', phone_number_id: 'pn_acme', system_number: ours, client_number: client },
      ...{
        body: 'Grüße 🙂',
        direction: 'inbound',
        status: 'received',
        sender_type: 'client',
        sender_id: null,
      },
      ...{ encoding: 'ucs2', segments: 1, price: 0, cost: null, attachments: 0, position: 1 },
      ...{ carrier_id: carrier, carrier_message_id: 'abc', error_code: null },
    })
    expect(await conversation()).to.deep.include({
      ...{ status: 'open', unread_count: 2, message_count: 2, last_message_id: second?.id },
      ...{ assigned_agent_id: null, last_message_at: second?.created_at },
    })
    expect(told).to.deep.equal([first, second].map((one) => ({ event: 'message.received', id: one?.id })))
  })

  it('are for the numbers that are active and have the carrier', async () => {
    await receive(segment('One'), 'evt_bind', 'car_2')
    expect((await messages()).map(({ workspace_id }) => workspace_id)).to.deep.equal(['other'])
    await receive(segment('Two', { to: '12025550101' }))
    await receive(segment('Three', { to: '12025550199' }))
    await receive(segment('Four'), 'evt_bind', 'car_3')
    expect(await bodies()).to.deep.equal(['One'])
    const kept = await database.platformTable(InboundSegmentRow).countBy({ from_number: client })
    expect(kept).to.equal(1)
  })

  it('are not written for a number that is being deleted', async () => {
    const to = '12025550102'
    let received: Promise<void> | undefined
    await database.transaction(async (tx) => {
      await tx.query('DELETE FROM phone_numbers WHERE number = ?', [to])
      received = receive(segment('Too late', { to }))
      await sleep(300)
    })
    await received
    expect(await bodies()).to.deep.equal([])
  })

  it('come from names and short codes too', async () => {
    for (const [from, shown] of [
      ['AMAZON', 'AMAZON'],
      ['72345', '72345'],
      ['Café Zürich am See, Mitte', 'Caf? Z?rich am See, '],
      ['', 'unknown'],
    ] as const) {
      await receive(segment(`from ${from}`, { from }))
      expect(await bodies(shown)).to.deep.equal([`from ${from}`])
    }
    await receive(segment('STOP', { from: 'AMAZON' }))
    expect(await optedOut('AMAZON')).to.equal(false)
  })

  it('count once by the id of the carrier, however late and from wherever they come again', async () => {
    const one = segment('Once', { carrier_message_id: 'id-é-1' })
    await Promise.all(Array.from({ length: 8 }, async (_, index) => receive(one, `evt_${index}`)))
    await age(600)
    await receive({ ...one, fingerprint: '0'.repeat(64) })
    await receive(segment('Once', { carrier_message_id: 'id-2' }))
    expect(await bodies()).to.deep.equal(['Once', 'Once'])
    expect((await conversation()).unread_count).to.equal(2)
    await receive(one, 'evt_other', 'car_2')
    expect(await bodies()).to.have.length(3)
  })

  it('without an id are a repetition on another connection, and new on the same one', async () => {
    const yes = segment('Yes?')
    await receive(yes, 'evt_a')
    await receive(yes, 'evt_a')
    expect(await bodies()).to.have.length(2)
    // The connection was lost with both unanswered: each comes again once, and what follows is new.
    await receive(yes, 'evt_b')
    await receive(yes, 'evt_b')
    expect(await bodies()).to.have.length(2)
    await receive(yes, 'evt_b')
    expect(await bodies()).to.have.length(3)
    await age(6)
    await receive(yes, 'evt_c')
    expect(await bodies()).to.have.length(4)
  })

  it('are one when an attempt failed after all was committed', async () => {
    const one = segment('Hello')
    const transaction = database.transaction.bind(database)
    database.transaction = async (work) => {
      await transaction(work)
      throw new Error('connection lost')
    }
    const failed = await receive(one).catch((error: unknown) => (error as Error).message)
    database.transaction = transaction
    expect(failed).to.equal('connection lost')
    await receive(one)
    expect(await bodies()).to.deep.equal(['Hello'])
    await receive(one)
    expect(await bodies()).to.deep.equal(['Hello', 'Hello'])
  })

  describe('in parts', () => {
    it('are joined in whatever order they come, once, beside others', async () => {
      const [a0, a1, a2] = [part('One \ud83d', 0, 3), part('\ude42 two ', 1, 3), part('three', 2, 3)]
      const [b0, b1] = [part('other ', 0, 2, 300), part('text', 1, 2, 300)]
      for (const one of [a2, b1, a0, a0]) await receive(one)
      await receive(a2, 'evt_other')
      expect(await bodies()).to.deep.equal([])
      await receive(b0)
      await receive(a1)
      expect(await bodies()).to.deep.equal(['other text', 'One 🙂 two three'])
      expect(await messages()).to.have.nested.property('[1].segments', 3)
      // All that was lost unanswered comes again.
      for (const one of [a0, a1, a2, b0, b1]) await receive(one, 'evt_later')
      expect(await bodies()).to.have.length(2)
      expect(told).to.have.length(2)
    })

    it('make one message when they race', async () => {
      for (let round = 0; round < 10; round++) {
        const parts = Array.from({ length: 4 }, (_, index) => part(`${round}.${index} `, index, 4, round))
        await Promise.all(parts.map(async (one, index) => receive(one, `evt_${index}`)))
      }
      expect(await bodies()).to.deep.equal(
        Array.from({ length: 10 }, (_, round) => `${round}.0 ${round}.1 ${round}.2 ${round}.3 `),
      )
    })

    it('wait for the others, and then are given out as they are', async () => {
      await receive(part('begin \ud83d', 0, 4))
      await receive(part('\ude42 end', 3, 4))
      await inbound.messages.giveOut()
      expect(await bodies()).to.deep.equal([])
      await age(11)
      await Promise.all([inbound.messages.giveOut(), inbound.messages.giveOut()])
      expect(await bodies()).to.deep.equal(['begin \ufffd[…][…]\ufffd end'])
      await receive(part('late', 1, 4))
      expect(await bodies()).to.have.length(1)
      await age(11)
      await inbound.messages.giveOut()
      expect((await bodies())[1]).to.equal('[…]late[…][…]')
      await inbound.messages.giveOut()
      expect(await bodies()).to.have.length(2)
    })

    it('are not mixed with those of another text that has the same reference', async () => {
      await receive(part('old begin', 0, 2))
      await receive(part('new begin ', 0, 2))
      await receive(part('new end', 1, 2))
      expect(await bodies()).to.deep.equal(['old begin[…]', 'new begin new end'])
    })

    it('have one id, or ids of their own', async () => {
      const of = (body: string, index: number, carrier_message_id: string) =>
        segment(body, { carrier_message_id, concatenation: { reference: 9, index, total: 2 } })
      for (const one of [of('a', 0, 'same'), of('b', 1, 'same'), of('a', 0, 'same')]) await receive(one)
      for (const one of [of('c', 0, 'one'), of('d', 1, 'two'), of('d', 1, 'two')]) await receive(one)
      expect(await bodies()).to.deep.equal(['ab', 'cd'])
    })

    it('that make no sense are texts of their own', async () => {
      await receive(part('one of one', 0, 1))
      await receive(part('third of two', 2, 2))
      expect(await bodies()).to.deep.equal(['one of one', 'third of two'])
    })
  })

  it('with files are told of by whoever fetches them', async () => {
    const media = [
      { url: 'https://carrier.example/1', content_type: null },
      { url: 'https://carrier.example/2', content_type: 'image/png' },
    ]
    await receive(segment('Look', { media, carrier_message_id: 'mms-1' }))
    expect(fetched).to.deep.equal([['https://carrier.example/1', 'https://carrier.example/2']])
    expect(await bodies()).to.deep.equal(['Look'])
    expect(told).to.deep.equal([])
  })

  it('are forgotten after a day, and parts that wait are not', async () => {
    const one = segment('Kept', { carrier_message_id: 'sweep-1' })
    await receive(one)
    await receive(part('waits', 0, 2))
    await age(1_500)
    await inbound.sweep()
    const rows = await database.platformTable(InboundSegmentRow).findBy({ from_number: client })
    expect(rows.map(({ segment }) => segment)).to.deep.equal([0])
  })

  describe('that are a word', () => {
    const replied = async (count: number) => {
      await eventually(
        async () => replies.length,
        (length) => length >= count,
      )
      expect(replies).to.have.length(count)
      return replies.map(({ body }) => body)
    }

    it('opt the client out, and in again, and are answered when that changes something', async () => {
      await receive(segment('yes'))
      await receive(segment(' Stop. '))
      expect(await optedOut(client)).to.equal(true)
      expect(await replied(1)).to.deep.equal([
        `You have unsubscribed from messages from +${ours} and will receive no more. Reply START to resubscribe.`,
      ])
      await receive(segment('STOP ALL'))
      await receive(segment('please do not stop'))
      await receive(segment('Yes'))
      expect(await optedOut(client)).to.equal(false)
      expect((await replied(2))[1]).to.match(/^You will receive messages from \+12025550100 again/)
      await receive(segment('Start'))
      await receive(segment('opt-out'))
      await replied(3)
      expect(replies.map(({ to }) => to)).to.deep.equal([`+${client}`, `+${client}`, `+${client}`])
      expect(new Set(replies.map(({ key }) => key)).size).to.equal(3)
      expect(await bodies()).to.have.length(7)
    })

    it('get help once a minute, opted out or not', async () => {
      await receive(segment('STOP'))
      await receive(segment('HELP'))
      await receive(segment('info'))
      await replied(2)
      expect(replies.filter(({ body }) => body.includes('Reply STOP'))).to.have.length(1)
      await database.source.query(
        'UPDATE messages SET created_at = created_at - INTERVAL 2 MINUTE WHERE client_number = ?',
        [client],
      )
      await receive(segment('help'))
      await replied(3)
    })

    it('may be own words with own answers, or none', async () => {
      const settings = new MessageSettingsService(database)
      const [{ workspace_id }] = await database.source.query<[{ workspace_id: string }]>(
        'SELECT workspace_id FROM phone_numbers WHERE number = ? ORDER BY id LIMIT 1',
        [ours],
      )
      const workspace = { id: workspace_id, title: 'Own words' }
      const own = { stop_words: ['No más'], stop_reply: 'Adiós de {{number}}', start_reply: '' }
      await settings.update(workspace, own)
      await receive(segment('no mas!'))
      expect(await optedOut(client)).to.equal(true)
      expect(await replied(1)).to.deep.equal([`Adiós de +${ours}`])
      await receive(segment('START'))
      expect(await optedOut(client)).to.equal(false)
      await receive(segment('ARRÊT 🙏'))
      expect(await replied(2)).to.deep.equal([`Adiós de +${ours}`, `Adiós de +${ours}`])
      const usual = { stop_words: [], stop_reply: null, start_reply: null }
      expect(await settings.update(workspace, usual)).to.deep.include(usual)
      await receive(segment('START'))
      await receive(segment('no mas'))
      expect(await optedOut(client)).to.equal(false)
    })

    it('count once when they race', async () => {
      const stops = Array.from({ length: 6 }, async (_, index) =>
        receive(segment(index % 2 ? 'STOP' : 'End')),
      )
      await Promise.all(stops)
      await replied(1)
      expect(await bodies()).to.have.length(6)
    })
  })

  async function optedOut(client_number: string): Promise<boolean> {
    const rows = await database.source.query<unknown[]>('SELECT 1 FROM opt_outs WHERE client_number = ?', [
      client_number,
    ])
    return rows.length > 0
  }
})

/** Two workspaces with the same number, each at a carrier of its own, and one with a number that is not active. */
async function seed({ source }: Database): Promise<void> {
  const now = new Date()
  for (const id of ['car_1', 'car_2', 'car_3']) {
    await source.query(
      `INSERT INTO carriers (id, title, kind, settings, secrets, window_size, throughput, created_at, updated_at)
       VALUES (?, ?, 'smpp', '{}', '', 10, 100, ?, ?)`,
      [id, id, now, now],
    )
  }
  for (const [workspace, number, status, carrierId] of [
    ['acme', ours, 'active', 'car_1'],
    ['other', ours, 'active', 'car_2'],
    ['third', '12025550101', 'inactive', 'car_1'],
    ['fourth', '12025550102', 'active', 'car_1'],
  ] as const) {
    await source.query(
      'INSERT INTO workspaces (id, title, country_code, created_at, updated_at) VALUES (?, ?, ?, ?, ?)',
      [workspace, workspace, 'US', now, now],
    )
    await source.query(
      `INSERT INTO inbound_acls (id, workspace_id, title, mode, allowed_ips, created_at, updated_at)
       VALUES (?, ?, 'Any', 'ip', '[]', ?, ?)`,
      [`acl_${workspace}`, workspace, now, now],
    )
    await source.query(
      `INSERT INTO phone_numbers (id, workspace_id, title, number, country_code, dial_code, status, type, capabilities,
         provider, enable_outbound, inbound_acl_id, record_outbound, fee_per_month, fee_per_mins_call, created_at,
         updated_at)
       VALUES (?, ?, 'Main', ?, 'US', '1', ?, 'local', '["sms"]', 'sip_trunk', 0, ?, 0, 0, 0, ?, ?)`,
      [`pn_${workspace}`, workspace, number, status, `acl_${workspace}`, now, now],
    )
    await source.query('INSERT INTO number_carriers VALUES (?, ?, ?, 0)', [
      `pn_${workspace}`,
      carrierId,
      workspace,
    ])
  }
}
