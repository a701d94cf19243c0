import { once } from 'node:events'
import { type Server, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { fillSearchTexts } from '../../src/infrastructure/database/migrations/fill-search-texts.js'
import { newId } from '../../src/infrastructure/database/ids.js'
import { type Answer, eventually } from '../support/api-client.js'
import type { Appliance, TestWorkspace } from '../support/appliance.js'
import { png } from '../support/pictures.js'
import { query } from './database.js'
import { fieldsOf, keyWith, newActiveNumber, newNumber, startUnlimited, succeed } from './fixtures.js'
import {
  type TextingNumber,
  client,
  newMediaCarrier,
  newTextingNumber,
  sendText,
} from './message-fixtures.js'

describe('messages', function () {
  this.timeout(60_000)
  let appliance: Appliance
  let workspace: TestWorkspace
  let number: TextingNumber
  before(async () => {
    appliance = await startUnlimited({ JACKFIELD_HTTP_CLIENT_ALLOWED_NETWORKS: '127.0.0.0/8' })
    workspace = await appliance.workspace()
    number = await newTextingNumber(appliance, workspace)
  })
  after(async () => appliance?.stop())

  const send = async (changes: object = {}, key?: string) =>
    sendText(workspace.api, number.number, changes, key)
  const balanceOf = async ({ api }: TestWorkspace) => (await succeed(api.get('/credit'))).balance as number
  const ledgerOf = async ({ api }: TestWorkspace) =>
    (await succeed(api.get('/credit/entries?limit=100'))).data as { amount: number; reason: string }[]

  const optOut = async ({ id }: TextingNumber, of: string) =>
    query(
      appliance,
      'INSERT INTO opt_outs (phone_number_id, client_number, workspace_id, created_at) VALUES (?, ?, ?, NOW(3))',
      [id, of.slice(1), workspace.id],
    )

  describe('that are sent', () => {
    it('are answered as queued, and are kept with their conversation, their place in the queue and their price', async () => {
      const before = await balanceOf(workspace)
      const { status, body } = await send({ body: 'Your code is 123456' })
      expect(status).to.equal(201)
      expect(body).to.deep.include({
        ...{ workspace_id: workspace.id, phone_number_id: number.id, from: number.number, to: client },
        ...{ body: 'Your code is 123456', direction: 'outbound', status: 'queued', media_urls: [] },
        ...{ sender_type: 'system', sender_id: null, encoding: 'gsm7', segments: 1 },
        ...{ cost: null, error_code: null, error_message: null },
      })
      expect(body.id).to.match(/^msg_/)
      expect(body.updated_at).to.equal(body.created_at)
      expect((await workspace.api.get(`/messages/${body.id}`)).body).to.deep.equal({
        ...body,
        ...{ client_name: null, contact_id: null, sent_at: null, carrier_message_id: null },
      })
      const [conversation] = await query(appliance, 'SELECT * FROM conversations WHERE id = ?', [
        body.conversation_id,
      ])
      expect(conversation).to.include({
        ...{ phone_number_id: number.id, client_number: client.slice(1), last_message_id: body.id },
        ...{ status: 'open', unread_count: 0 },
      })
      expect(
        await query(appliance, 'SELECT * FROM message_queue WHERE message_id = ?', [body.id]),
      ).to.have.length(1)
      expect(await balanceOf(workspace)).to.be.closeTo(before - 0.01, 1e-6)
      const [entry] = await ledgerOf(workspace)
      expect(entry).to.include({ amount: -0.01, reason: 'message', reference: body.id })
    })

    it('to one client make one conversation, also when they race', async () => {
      const to = '+12025550143'
      const answers = await Promise.all(Array.from({ length: 10 }, async () => send({ to })))
      expect(answers.map(({ status }) => status)).to.deep.equal(answers.map(() => 201))
      expect(new Set(answers.map(({ body }) => body.conversation_id)).size).to.equal(1)
    })

    it('go in NFC, and with look-alikes where the workspace wants them', async () => {
      const { api } = workspace
      const cafe = await succeed(send({ body: 'Cafe\u0301' }))
      expect(cafe).to.include({ body: 'Café', encoding: 'gsm7', segments: 1 })
      const x = 'x'.repeat(140)
      const body = `It’s your code – ${x}`
      expect(await succeed(send({ body }))).to.include({ body, encoding: 'ucs2', segments: 3 })
      await succeed(api.patch('/message-settings', { replace_look_alikes: true }))
      const plain = await succeed(send({ body }))
      expect(plain).to.include({ body: `It's your code - ${x}`, encoding: 'gsm7', segments: 1 })
      await succeed(api.patch('/message-settings', { replace_look_alikes: false }))
    })

    const priced: [what: string, body: string, encoding: string, segments: number][] = [
      ['160 letters', 'a'.repeat(160), 'gsm7', 1],
      ['161 letters', 'a'.repeat(161), 'gsm7', 2],
      ['1,600 letters', 'a'.repeat(1600), 'gsm7', 11],
      ['80 euro signs', '€'.repeat(80), 'gsm7', 1],
      ['70 Cyrillic letters', 'ж'.repeat(70), 'ucs2', 1],
      ['36 emoji', '😀'.repeat(36), 'ucs2', 2],
    ]
    for (const [what, body, encoding, segments] of priced) {
      it(`are counted in segments, and priced by them: ${what}`, async () => {
        const before = await balanceOf(workspace)
        expect(await succeed(send({ body }))).to.include({ body, encoding, segments })
        expect(await balanceOf(workspace)).to.be.closeTo(before - segments * 0.01, 1e-6)
      })
    }

    it('cost what the number says; for nothing, nothing is booked', async () => {
      const dear = await newTextingNumber(appliance, workspace, { fee_per_segment: 0.123456 })
      const before = await balanceOf(workspace)
      await succeed(sendText(workspace.api, dear.number, { body: 'a'.repeat(161) }))
      expect(await balanceOf(workspace)).to.be.closeTo(before - 0.246912, 1e-6)
      const free = await newTextingNumber(appliance, workspace, { fee_per_segment: 0 })
      const entries = (await ledgerOf(workspace)).length
      await succeed(sendText(workspace.api, free.number))
      expect(await ledgerOf(workspace)).to.have.length(entries)
    })

    it('need a key that an owner or editor has, of either scope', async () => {
      const rights: [scope: string, role: string, status: number][] = [
        ['full', 'editor', 201],
        ['full', 'viewer', 403],
        ['any', 'owner', 201],
        ['any', 'editor', 201],
        ['any', 'viewer', 403],
      ]
      for (const [scope, role, status] of rights) {
        const api = await keyWith(workspace, { scope, role })
        expect((await sendText(api, number.number)).status, `${scope} ${role}`).to.equal(status)
      }
    })

    it('are still there when the server is killed the moment it has answered', async () => {
      const { body } = await send({ body: 'Do not lose me' })
      await appliance.killServer()
      await appliance.startServer()
      const found = await succeed(workspace.api.get(`/messages/${body.id}`))
      expect(found).to.deep.include({ id: body.id, body: 'Do not lose me', status: 'queued' })
      expect(
        await query(appliance, 'SELECT * FROM message_queue WHERE message_id = ?', [body.id]),
      ).to.have.length(1)
    })
  })

  describe('that will not do', () => {
    const refused = async (answer: Promise<Answer>, ...fields: string[]) => {
      const { status, body } = await answer
      expect(status, JSON.stringify(body)).to.equal(400)
      expect(body.errors.map(({ field }: { field: string }) => field)).to.deep.equal(fields)
      return body.message as string
    }

    const wrong: [what: string, changes: object, field: string][] = [
      ['no text', { body: '' }, 'body'],
      ['1,601 characters', { body: 'a'.repeat(1601) }, 'body'],
      ['half a surrogate pair', { body: 'a\ud83d' }, 'body'],
      ['to without plus', { to: '12025550142' }, 'to'],
      ['to that is no number', { to: '+1202555' }, 'to'],
      ['to that is a word', { to: 'Acme' }, 'to'],
      ['11 files', { media_urls: Array(11).fill('https://example.com/a.png') }, 'media_urls'],
      ['files that no carrier takes', { media_urls: ['https://example.com/a.png'] }, 'media_urls'],
      ['an unknown field', { text: 'Hello' }, 'text'],
    ]
    for (const [what, changes, field] of wrong) {
      it(what, async () => {
        await refused(send(changes), field)
      })
    }

    it('nothing at all', async () => {
      await refused(workspace.api.post('/messages/send', {}), 'from', 'to', 'body')
    })

    it('from what is no number of the workspace, also not when it is another one’s', async () => {
      const other = await appliance.workspace()
      const foreign = await newTextingNumber(appliance, other)
      for (const from of ['+12025550999', foreign.number]) {
        expect(await refused(send({ from }), 'from')).to.equal('from is not a number of this workspace')
      }
      await refused(send({ from: number.number.slice(1) }), 'from')
    })

    it('from a number that is pending, inactive or without sms', async () => {
      const pending = await succeed(workspace.api.get(`/phone-numbers/${await newNumber(workspace.api)}`))
      expect(await refused(send({ from: `+${pending.number}` }), 'from')).to.include('pending')
      const inactive = await newTextingNumber(appliance, workspace, { status: 'inactive' })
      expect(await refused(send({ from: inactive.number }), 'from')).to.include('inactive')
      const voice = await newActiveNumber(appliance, workspace)
      expect(await refused(send({ from: `+${voice.number}` }), 'from')).to.include('sms')
    })

    it('to itself', async () => {
      await refused(send({ to: number.number }), 'to')
    })

    it('to a client who has opted out, of this number alone', async () => {
      const to = '+12025550144'
      await optOut(number, to)
      const [before, entries] = [await balanceOf(workspace), await ledgerOf(workspace)]
      expect(await refused(send({ to }), 'to'))
        .to.include('opted out')
        .and.include('START')
      expect(await balanceOf(workspace)).to.equal(before)
      expect(await ledgerOf(workspace)).to.deep.equal(entries)
      const { body } = await workspace.api.get(`/messages?search=${to.slice(1)}`)
      expect(body.meta.total).to.equal(0)
      const another = await newTextingNumber(appliance, workspace)
      await succeed(sendText(workspace.api, another.number, { to }))
    })

    it('to a country that the workspace may not reach', async () => {
      const narrow = await appliance.workspace()
      const from = await newTextingNumber(appliance, narrow)
      await succeed(appliance.operator.patch(`/workspaces/${narrow.id}`, { allowed_countries: ['US'] }))
      const answer = await sendText(narrow.api, from.number, { to: '+442079460958' })
      expect(answer.status).to.equal(403)
      expect(answer.body.message).to.equal('The workspace may not send messages to GB')
      await succeed(sendText(narrow.api, from.number))
    })

    it('without credit for it', async () => {
      const poor = await appliance.workspace({ credit: 0 })
      const from = await newTextingNumber(appliance, poor)
      expect(await refused(sendText(poor.api, from.number), 'balance')).to.include('0.01 USD')
      await succeed(appliance.operator.post(`/workspaces/${poor.id}/credit`, { amount: 0.02 }))
      const long = { body: 'a'.repeat(400) }
      expect(await refused(sendText(poor.api, from.number, long), 'balance')).to.include('0.03 USD')
      await succeed(sendText(poor.api, from.number))
    })
  })

  it('that race for the last credit: as many are sent as it is enough for', async () => {
    const poor = await appliance.workspace({ credit: 0.1 })
    const { number: from } = await newTextingNumber(appliance, poor)
    const answers = await Promise.all(
      Array.from({ length: 100 }, async (_, index) =>
        sendText(poor.api, from, { to: `+120255501${String(index).padStart(2, '0')}` }),
      ),
    )
    const sent = answers.filter(({ status }) => status === 201)
    expect(sent).to.have.length(10)
    for (const answer of answers.filter(({ status }) => status !== 201)) {
      expect(fieldsOf(answer)).to.deep.equal(['balance'])
    }
    expect(await balanceOf(poor)).to.equal(0)
    const entries = await ledgerOf(poor)
    expect(entries.filter(({ reason }) => reason === 'message')).to.have.length(10)
    expect(entries.reduce((sum, { amount }) => sum + amount, 0)).to.be.closeTo(0, 1e-6)
    const kept = await query(appliance, 'SELECT COUNT(*) AS n FROM messages WHERE workspace_id = ?', [
      poor.id,
    ])
    expect(Number(kept[0].n)).to.equal(10)
  })

  describe('with an Idempotency-Key', () => {
    it('are sent once, however often they are asked for', async () => {
      const before = await balanceOf(workspace)
      const answers = await Promise.all(Array.from({ length: 10 }, async () => send({}, 'once')))
      answers.push(await send({}, 'once'))
      for (const { status, body } of answers) {
        expect(status).to.equal(201)
        expect(body).to.deep.equal(answers[0]?.body)
      }
      expect(await balanceOf(workspace)).to.be.closeTo(before - 0.01, 1e-6)
    })

    it('answer 409 for another message', async () => {
      await succeed(send({}, 'another'))
      expect((await send({ body: 'Bye' }, 'another')).status).to.equal(409)
    })

    it('may be sent when they were refused first', async () => {
      expect((await send({ to: '+1202555' }, 'refused')).status).to.equal(400)
      expect((await send({}, 'refused')).status).to.equal(201)
    })
  })

  describe('with files', () => {
    let files: Server
    let media_urls: string[]
    let from: TextingNumber
    before(async () => {
      files = createServer((_, response) => response.end(png))
      await once(files.listen(0, '127.0.0.1'), 'listening')
      const { port } = files.address() as AddressInfo
      media_urls = [`http://127.0.0.1:${port}/b.png`, `http://127.0.0.1:${port}/a.png`]
      const carrier = await newMediaCarrier(appliance)
      from = await newTextingNumber(appliance, workspace, { carrier, fee_per_mms: 0.05 })
    })
    after(async () => once(files.close(), 'close'))

    it('need no text, have a price of their own, and show where the files came from and where they are', async () => {
      const before = await balanceOf(workspace)
      const { id } = await succeed(sendText(workspace.api, from.number, { body: '', media_urls }))
      const accepted = await succeed(workspace.api.get(`/messages/${id}`))
      expect(accepted).to.deep.include({ body: '', media_urls, segments: 1 })
      const sent = await eventually(
        async () => succeed(workspace.api.get(`/messages/${id}`)),
        ({ media }) => media.length === 2,
      )
      expect(sent).to.deep.include({ body: '', media_urls, segments: 1 })
      expect(sent.media.map(({ content_type }: { content_type: string }) => content_type)).to.deep.equal([
        'image/png',
        'image/png',
      ])
      expect(await balanceOf(workspace)).to.be.closeTo(before - 0.05, 1e-6)
    })

    it('are not sent when one of them cannot be had', async () => {
      const [first] = media_urls
      const wrong = { media_urls: [first, 'ftp://127.0.0.1/a.png'] }
      expect(fieldsOf(await sendText(workspace.api, from.number, wrong))).to.deep.equal(['media_urls.1'])
    })

    it('leave none behind when they are refused after all', async () => {
      const to = '+12025550145'
      await optOut(from, to)
      const kept = async () => query(appliance, 'SELECT id FROM message_attachments')
      const before = await kept()
      expect(fieldsOf(await sendText(workspace.api, from.number, { to, media_urls }))).to.deep.equal(['to'])
      expect(await kept()).to.deep.equal(before)
    })
  })

  describe('in lists', () => {
    let asked: TestWorkspace
    let one: TextingNumber
    let two: TextingNumber
    const ids: string[] = []
    before(async () => {
      asked = await appliance.workspace()
      one = await newTextingNumber(appliance, asked)
      two = await newTextingNumber(appliance, asked)
      const texts: [from: TextingNumber, to: string, body: string][] = [
        [one, '+12025550150', 'Your Order is ready'],
        [one, '+12025550151', '100% off'],
        [two, '+12025550152', 'Grüße 😀'],
      ]
      for (const [{ number: from }, to, body] of texts) {
        ids.push((await succeed(sendText(asked.api, from, { to, body }))).id)
      }
      for (const [index, id] of ids.entries()) {
        const minutesAgo = ids.length - index
        await query(
          appliance,
          'UPDATE messages SET created_at = created_at - INTERVAL ? MINUTE, updated_at = created_at WHERE id = ?',
          [minutesAgo, id],
        )
      }
      await query(
        appliance,
        "UPDATE messages SET status = 'delivered', updated_at = updated_at + INTERVAL 1 HOUR WHERE id = ?",
        [ids[0]],
      )
    })

    const listed = async (filter: string) => {
      const { data, meta } = await succeed(asked.api.get(`/messages?${filter}`))
      expect(meta.total, filter).to.equal(data.length)
      return data.map(({ id }: { id: string }) => ids.indexOf(id)) as number[]
    }

    it('come newest first, a page at a time', async () => {
      expect(await listed('')).to.deep.equal([2, 1, 0])
      const { data, meta } = await succeed(asked.api.get('/messages?limit=2&page=2'))
      expect(data.map(({ id }: { id: string }) => id)).to.deep.equal([ids[0]])
      expect(meta).to.deep.equal({ total: 3, page: 2, limit: 2, total_pages: 2 })
      expect((await succeed(asked.api.get('/messages'))).meta.limit).to.equal(20)
    })

    it('are sorted', async () => {
      expect(await listed('sort_order=asc')).to.deep.equal([0, 1, 2])
      expect(await listed('sort_field=updated_at')).to.deep.equal([0, 2, 1])
      expect(await listed('sort_field=status&sort_order=asc')).to.deep.equal([0, 1, 2])
      expect((await asked.api.get('/messages?sort_field=body')).status).to.equal(400)
    })

    it('are searched by numbers and text', async () => {
      expect(await listed('search=order')).to.deep.equal([0])
      expect(await listed(`search=${encodeURIComponent('100%')}`)).to.deep.equal([1])
      expect(await listed(`search=${encodeURIComponent('GRÜ')}`)).to.deep.equal([2])
      expect(await listed(`search=${encodeURIComponent('😀')}`)).to.deep.equal([2])
      expect(await listed('search=2025550151')).to.deep.equal([1])
      expect(await listed(`search=${encodeURIComponent('+12025550151')}`)).to.deep.equal([1])
      expect(await listed('search=+12025550151')).to.deep.equal([1])
      expect(await listed(`search=${two.number.slice(1)}`)).to.deep.equal([2])
      expect(await listed('search=nothing')).to.deep.equal([])
      expect(await listed('search=o')).to.deep.equal([1, 0])
      expect(await listed(`search=${encodeURIComponent('grusse')}`)).to.deep.equal([2])
      expect(await listed(`search=${encodeURIComponent('GRÜSSE'.normalize('NFD'))}`)).to.deep.equal([2])
      expect(await listed('search=_')).to.deep.equal([])
      expect(await listed(`search=${encodeURIComponent("'\\")}`)).to.deep.equal([])
      expect(await listed('direction=outbound&search=order')).to.deep.equal([0])
      expect(await listed('direction=inbound&search=order')).to.deep.equal([])
      expect(await listed('sort_field=updated_at&search=o')).to.deep.equal([0, 1])
    })

    it('go by the name of the contact, and are searched by it', async () => {
      const named = await succeed(
        asked.api.post('/contacts', { name: 'Rosa Méndez', numbers: ['+12025550151'] }),
      )
      expect(await listed('search=mendez')).to.deep.equal([1])
      const { data } = await succeed(asked.api.get('/messages'))
      expect(data.map((message: { client_name: unknown }) => message.client_name)).to.deep.equal([
        null,
        'Rosa Méndez',
        null,
      ])
      const one = await succeed(asked.api.get(`/messages/${ids[1] ?? ''}`))
      expect(one).to.include({ client_name: 'Rosa Méndez', contact_id: named.id })
    })

    it('are filtered', async () => {
      expect(await listed('status=delivered')).to.deep.equal([0])
      expect(await listed('status=queued')).to.deep.equal([2, 1])
      expect(await listed('direction=outbound')).to.deep.equal([2, 1, 0])
      expect(await listed('direction=inbound')).to.deep.equal([])
      expect(await listed(`phone_number_id=${one.id}`)).to.deep.equal([1, 0])
      expect(await listed(`phone_number_id=${number.id}`)).to.deep.equal([])
      expect(await listed(`phone_number_id=${one.id}&status=queued&search=off`)).to.deep.equal([1])
      const { created_at } = await succeed(asked.api.get(`/messages/${ids[1]}`))
      expect(await listed(`from=${created_at}`)).to.deep.equal([2, 1])
      expect(await listed(`to_date=${created_at}`)).to.deep.equal([1, 0])
      expect(await listed(`from=${created_at}&to_date=${created_at}`)).to.deep.equal([1])
      for (const wrong of [
        'status=lost',
        'direction=sideways',
        'from=yesterday',
        'to_date=2026-13-01T00:00:00Z',
      ]) {
        expect((await asked.api.get(`/messages?${wrong}`)).status, wrong).to.equal(400)
      }
    })

    it('are a file, as they are filtered', async () => {
      const { headers, body, status } = await asked.api.get(`/messages/export.csv?phone_number_id=${one.id}`)
      expect(status).to.equal(200)
      expect(headers['content-type']).to.match(/^text\/csv/)
      expect(headers['content-disposition']).to.equal(`attachment; filename="messages-${asked.id}.csv"`)
      const [heading, ...lines] = String(body).trimEnd().split('\r\n')
      expect(heading).to.match(/^id,created_at,direction,from,to,client_name,body,/)
      expect(lines.map((line) => ids.indexOf(line.split(',')[0] ?? ''))).to.deep.equal([0, 1])
      expect(lines[1]).to.include(`outbound,${one.number},+12025550151,Rosa Méndez,`)
      const viewer = await keyWith(asked, { scope: 'any', role: 'viewer' })
      expect((await viewer.get('/messages/export.csv')).status).to.equal(200)
      const [entry] = (await succeed(asked.api.get('/audit-log?action=message.export&limit=1'))).data
      expect(entry.target).to.deep.equal({ type: 'message', id: asked.id, name: null })
    })

    it('are searched also where no text is kept for it, and by that from an index alone', async () => {
      const own = await appliance.workspace()
      const { number } = await newTextingNumber(appliance, own)
      const bodies = ['Mañana', `${'long '.repeat(600)}mañana`, 'Later']
      const made: string[] = []
      for (const body of bodies) {
        const { id } = await succeed(sendText(own.api, number, { to: '+12025550150', body: 'x' }))
        await query(appliance, 'UPDATE messages SET body = ?, search_text = NULL WHERE id = ?', [body, id])
        made.push(id)
      }
      const found = async (text: string) =>
        (await succeed(own.api.get(`/messages?sort_order=asc&search=${encodeURIComponent(text)}`))).data.map(
          ({ id }: { id: string }) => made.indexOf(id),
        ) as number[]
      expect(await found('MANANA')).to.deep.equal([0, 1])
      // As an upgrade makes it of all rows, from what they have.
      await fillSearchTexts({
        query: async (sql: string, values: unknown[]) => query(appliance, sql, values),
      } as never)
      const kept = await query(
        appliance,
        'SELECT search_text FROM messages WHERE workspace_id = ? ORDER BY created_at',
        [own.id],
      )
      const digits = number.slice(1)
      expect(kept.map(({ search_text: text }) => (text as Buffer | null)?.toString())).to.deep.equal([
        ...[`${digits}\u000112025550150\u0001manana`, undefined, `${digits}\u000112025550150\u0001later`],
      ])
      expect(await found('MANANA')).to.deep.equal([0, 1])
      expect(await found('12025550150')).to.deep.equal([0, 1, 2])
      await query(appliance, 'UPDATE messages SET search_text = ? WHERE id = ?', [
        Buffer.from('other'),
        made[2],
      ])
      expect(await found('other')).to.deep.equal([2])
      expect(await found('later')).to.deep.equal([])
      const [plan] = await query(
        appliance,
        `EXPLAIN SELECT id FROM messages USE INDEX (messages_search)
         WHERE workspace_id = ? AND (INSTR(search_text, ?) OR (search_text IS NULL AND (
           SELECT whole.body LIKE ? FROM messages whole WHERE whole.id = messages.id)))
         ORDER BY created_at DESC, id DESC LIMIT 20`,
        [own.id, Buffer.from('x'), '%x%'],
      )
      expect(plan).to.include({ key: 'messages_search' })
      expect(plan.Extra).to.include('Using index').and.not.include('filesort')
    })

    it('are a file of thousands, each once', async () => {
      const own = await appliance.workspace()
      const columns = 'conversation_id, phone_number_id, system_number, client_number, direction, status'
      await query(
        appliance,
        `INSERT INTO messages (id, workspace_id, ${columns}, sender_type, body, encoding, segments, created_at, updated_at)
         SELECT CONCAT(?, LPAD(seq, 6, '0')), ?, 'conv_1', 'pn_1', '12025550100', '12025550142', 'inbound', 'received',
           'client', 'Hi', 'gsm7', 1, '2026-03-01' + INTERVAL FLOOR(seq / 700) DAY, NOW(3) FROM seq_1_to_2500`,
        [`msg_${newId('msg').slice(4, 24)}`, own.id],
      )
      const [, ...lines] = String((await own.api.get('/messages/export.csv')).body)
        .trimEnd()
        .split('\r\n')
      const found = lines.map((line) => Number(line.slice(0, 30).slice(-6)))
      expect(found).to.deep.equal(Array.from({ length: 2_500 }, (_, index) => index + 1))
    })

    it('are those of the workspace alone, as is each', async () => {
      const { status, body } = await workspace.api.get(`/messages/${ids[0]}`)
      expect(status).to.equal(404)
      expect(body.message).to.equal(`Message ${ids[0]} not found`)
      const all = await succeed(workspace.api.get(`/messages?phone_number_id=${one.id}`))
      expect(all.data).to.deep.equal([])
    })
  })
})
