import { expect } from 'chai'
import { ConversationStore } from '../../src/features/conversations/conversation-store.js'
import { nextPlace } from '../../src/features/messages/message-conversations.js'
import { Database } from '../../src/infrastructure/database/database.js'
import type { WorkspaceEvent } from '../../src/infrastructure/database/events.js'
import { newId } from '../../src/infrastructure/database/ids.js'
import { entities } from '../../src/app/entities.js'
import { PublicUrls } from '../../src/infrastructure/http/public-urls.js'
import { MessageChanges } from '../../src/features/messages/message-changes.js'
import { MessageEvents } from '../../src/features/messages/message-events.js'
import { MessagePresenter } from '../../src/features/messages/message.presenter.js'
import { Message } from '../../src/features/messages/message.entity.js'
import { CreditCheck } from '../../src/features/workspaces/credit-check.js'
import { CreditBalance } from '../../src/features/workspaces/credit-balance.entity.js'
import { CreditEntry } from '../../src/features/workspaces/credit-entry.entity.js'
import { CreditService } from '../../src/features/workspaces/credit.service.js'
import { beginnings } from '../../src/features/workspaces/spend-periods.js'
import { Workspace } from '../../src/features/workspaces/workspace.entity.js'
import { sharedMariadb } from '../support/mariadb.js'

const workspace = { id: 'acme' }
const pair = { phone_number_id: 'pn_1', system_number: '12025550100', client_number: '12025550199' }

function message(values: Partial<Message> = {}): Message {
  const now = new Date()
  return {
    ...{ id: newId('msg'), workspace_id: workspace.id, conversation_id: 'conv_1', position: 1, ...pair },
    ...{ direction: 'outbound', status: 'queued', sender_type: 'client', sender_id: null },
    ...{
      body: 'Grüße 🙂',
      encoding: 'ucs2',
      segments: 1,
      originator: null,
      attachments: 0,
      price: 0.01,
      cost: null,
    },
    ...{ error_code: null, error_message: null, carrier_id: null, carrier_message_id: null, sent_at: null },
    ...{ pending_media_urls: null, rate_deck_id: null, rate_prefix: null, created_at: now, updated_at: now },
    ...values,
  }
}

describe('changes of messages', () => {
  let database: Database
  let changes: MessageChanges
  let told: { event: string; id: string }[] = []
  let streamed: string[] = []

  before(async () => {
    const mariadb = await sharedMariadb()
    const name = await mariadb.createDatabase()
    await mariadb.migrate(name)
    const { host, port, user, password } = mariadb
    database = new Database({ host, port, socket: '', user, password, name, pool: 5 }, entities)
    await database.connect()
    const now = new Date()
    const limits = { max_concurrent_calls: null, max_calls_per_second: null, allowed_countries: null }
    await database.platformTable(Workspace).insert({
      ...{ id: workspace.id, title: 'Acme', country_code: 'US', created_at: now, updated_at: now },
      ...limits,
    })
    await database
      .platformTable(CreditBalance)
      .insert({ workspace_id: workspace.id, balance: 1, held: 0, entries: 0 })
    const events = new MessageEvents({
      presenter: new MessagePresenter(database, new PublicUrls('http://{workspace}.localhost')),
      webhooks: {
        record: async (_, some: readonly WorkspaceEvent[]) => {
          told.push(...some.map(({ event, data }) => ({ event, id: (data as { id: string }).id })))
        },
      },
      stream: (some) => void streamed.push(...some.map(({ event }) => event)),
    })
    changes = new MessageChanges(events, new CreditService(database), {
      learn: async () => Promise.resolve(),
    })
  })
  beforeEach(() => {
    told = []
    streamed = []
  })
  after(async () => database?.close())

  const keep = async (...messages: Message[]) => database.platformTable(Message).insert(messages)
  const get = async (id: string) => database.platformTable(Message).findOneByOrFail({ id })
  const apply = async (...some: Parameters<MessageChanges['apply']>[1]) =>
    database.transaction(async (tx) => changes.apply(tx, some))

  it('follow the table of states, and each is told once', async () => {
    const one = message()
    await keep(one)
    for (const to of ['delivered', 'sent', 'undelivered'] as const) {
      expect(await apply({ id: one.id, to })).to.deep.equal([])
    }
    await apply({ id: one.id, to: 'sending' })
    await apply({ id: one.id, to: 'sent', carrier_id: 'car_1', carrier_message_id: '1f' })
    await apply({ id: one.id, to: 'sent', carrier_id: 'car_2' })
    const sent = await get(one.id)
    expect(sent).to.include({ status: 'sent', cost: 0.01, carrier_id: 'car_1', carrier_message_id: '1f' })
    expect(sent.sent_at).to.deep.equal(sent.updated_at)
    await apply({ id: one.id, to: 'delivered' })
    for (const to of ['undelivered', 'delivered', 'failed', 'sending'] as const) {
      expect(await apply({ id: one.id, to })).to.deep.equal([])
    }
    expect(told).to.deep.equal([
      { event: 'message.sent', id: one.id },
      { event: 'message.delivered', id: one.id },
    ])
    expect(streamed).to.deep.equal(['message.sent', 'message.delivered'])
    expect((await get(one.id)).body).to.equal('Grüße 🙂')
  })

  it('apply to hundreds at once, each with its own values', async () => {
    const some = Array.from({ length: 300 }, (_, index) => message({ price: index / 1000 }))
    await keep(...some)
    await apply(...some.map(({ id }) => ({ id, to: 'sending' as const })))
    const sent = some.map(({ id }, index) => ({
      ...{
        id,
        to: 'sent' as const,
        carrier_id: 'car_1',
        carrier_message_id: index % 2 ? `id-${index}` : null,
      },
    }))
    expect(await apply(...sent.toReversed())).to.have.length(300)
    for (const index of [0, 1, 299]) {
      expect(await get(some[index]?.id ?? '')).to.include({
        ...{ status: 'sent', cost: index / 1000, carrier_message_id: index % 2 ? `id-${index}` : null },
      })
    }
    expect(told).to.have.length(300)
  })

  it('pay back what failed, once', async () => {
    const [one, other] = [message({ price: 0.25 }), message({ price: 0 })]
    await keep(one, other)
    const long = 'x'.repeat(400)
    const failed = { id: one.id, to: 'failed', error_code: long, error_message: long } as const
    await Promise.all([apply(failed), apply(failed), apply({ id: other.id, to: 'failed' })])
    expect(await get(one.id)).to.include({ status: 'failed', cost: null, error_message: long.slice(0, 255) })
    const entries = await database.platformTable(CreditEntry).findBy({ workspace_id: workspace.id })
    expect(entries.map(({ amount, reason, reference }) => ({ amount, reason, reference }))).to.deep.equal([
      { amount: 0.25, reason: 'message_refund', reference: one.id },
    ])
    expect(told.map(({ event }) => event)).to.deep.equal(['message.failed', 'message.failed'])
  })

  it('pay back what no carrier took, which the check of the money knows', async () => {
    const credit = new CreditService(database)
    const long = message({ price: 0.05, segments: 5 })
    await keep(long)
    await database.transaction(async (tx) => {
      const about = { reason: 'message', reference: long.id, note: '' } as const
      await credit.book(tx, workspace, { amount: -long.price, ...about })
      await tx.query(
        `INSERT INTO message_segments
           (message_id, segment, workspace_id, carrier_id, client_number, state, accepted_at)
         VALUES (?, 0, ?, 'car_1', '1', 'accepted', NOW(3)), (?, 3, ?, 'car_1', '1', 'accepted', NOW(3))`,
        [long.id, workspace.id, long.id, workspace.id],
      )
    })
    await apply({ id: long.id, to: 'failed' })
    expect(await get(long.id)).to.include({ status: 'failed', cost: 0.02 })
    const { problems } = await new CreditCheck(database).of(workspace)
    expect(problems.filter(({ id }) => id === long.id)).to.deep.equal([])
    await database.platformTable(Message).update(long.id, { cost: 0.01 })
    const broken = await new CreditCheck(database).of(workspace)
    expect(broken.problems.find(({ id }) => id === long.id)).to.include({ expected: 0.04, found: 0.03 })
  })

  it('make no room in an hour or day that what they pay back was not charged in', async () => {
    const spent = async () => {
      const { spentThisHour, spentToday } = await new CreditService(database).account(workspace)
      return [spentThisHour, spentToday]
    }
    const now = new Date()
    const { hour, day } = beginnings(now)
    await database
      .platformTable(CreditBalance)
      .update(workspace.id, { hour_began: hour, hour_spent: 2, day_began: day, day_spent: 3 })
    const earlier = message({ price: 0.5, created_at: new Date(hour.getTime() - 1) })
    const yesterday = message({ price: 0.5, created_at: new Date(day.getTime() - 1) })
    const fresh = message({ price: 0.25 })
    await keep(earlier, yesterday, fresh)
    await apply({ id: yesterday.id, to: 'failed' })
    expect(await spent()).to.deep.equal([2, 3])
    await apply({ id: earlier.id, to: 'failed' })
    const isToday = earlier.created_at >= day
    expect(await spent()).to.deep.equal([2, isToday ? 2.5 : 3])
    await apply({ id: fresh.id, to: 'failed' })
    expect(await spent()).to.deep.equal([1.75, isToday ? 2.25 : 2.75])
  })

  it('are told of only when they are kept', async () => {
    const one = message()
    await keep(one)
    const broken = database.transaction(async (tx) => {
      await changes.apply(tx, [{ id: one.id, to: 'failed' }])
      throw new Error('broken')
    })
    expect(await broken.catch((error: unknown) => (error as Error).message)).to.equal('broken')
    expect(streamed).to.deep.equal([])
    expect((await get(one.id)).status).to.equal('queued')
  })

  it('make one conversation of racing messages, and count each', async () => {
    const store = new ConversationStore()
    const made = await Promise.all(
      Array.from({ length: 20 }, async (_, index) =>
        database.transaction(async (tx) => {
          const conversation = await store.lockOf(tx, workspace, pair)
          const place = nextPlace(conversation)
          const after = await store.add(tx, conversation, {
            ...{ id: `msg_${index}`, agent_id: index % 2 ? 'ag_1' : null, created_at: place.created_at },
            direction: index % 2 ? 'outbound' : 'inbound',
          })
          return { place, after }
        }),
      ),
    )
    const all = made.map(({ after }) => after)
    expect(new Set(all.map(({ id }) => id)).size).to.equal(1)
    const inOrder = made.map(({ place }) => place).toSorted((one, other) => one.position - other.position)
    expect(inOrder.map(({ position }) => position)).to.deep.equal(all.map((_, index) => index + 1))
    for (const [index, { created_at }] of inOrder.entries()) {
      expect(created_at.getTime()).to.be.above(inOrder[index - 1]?.created_at.getTime() ?? 0)
    }
    const last = await database.transaction(async (tx) => store.lockOf(tx, workspace, pair))
    expect(last).to.include({
      unread_count: 10,
      message_count: 20,
      status: 'open',
      assigned_agent_id: 'ag_1',
    })
    expect(last.last_message_at).to.deep.equal(
      new Date(Math.max(...all.map(({ last_message_at }) => last_message_at?.getTime() ?? 0))),
    )
  })
})
