/** SMSCs that are as odd as real ones, octet by octet, through the whole server. */
import { expect } from 'chai'
import { newActiveNumber, succeed } from '../api/fixtures.js'
import { type DeliverSm, deliverSm, hexOf, tlv } from '../support/deliver-sm.js'
import { Smsc } from '../support/smsc.js'
import { TextBench } from '../support/text-bench.js'

describe('odd SMSCs', () => {
  let bench: TextBench
  let smsc: Smsc
  let carrier: string
  let clients = 100
  let sequence = 5_000

  before(async () => {
    bench = await TextBench.start()
    smsc = await Smsc.start()
    carrier = await bench.carrier(smsc.port)
    await bench.up(carrier)
  })
  after(async () => {
    await bench.stop()
    await smsc.stop()
  })

  /** A handset that no other test has. */
  const newClient = () => `1202555${String((clients += 1)).padStart(4, '0')}`
  /** @returns command_status of the answer */
  async function deliver(message: DeliverSm, as = (sequence += 1)): Promise<number> {
    const answers = () =>
      smsc.pdus.filter(({ command, sequence: of }) => command === 'deliver_sm_resp' && of === as)
    const before = answers().length
    await smsc.raw(deliverSm(as, { to: bench.number, ...message }))
    await smsc.until('answer', () => answers().length > before)
    return answers().at(-1)?.status ?? -1
  }
  const inbox = async (client: string): Promise<string[]> => {
    const rows = await bench.query(
      `SELECT body FROM messages WHERE client_number = ? AND direction = 'inbound' ORDER BY position`,
      [client],
    )
    return rows.map(({ body }) => body)
  }
  const send = async (client: string, body = 'Hi') =>
    bench.workspace.api.post('/messages/send', { from: `+${bench.number}`, to: `+${client}`, body })
  /** Sends a text, and waits until the SMSC has it. @returns the message's id, and the SMSC's */
  async function sent(client: string): Promise<{ id: string; smscId: string }> {
    const { id } = await succeed(send(client))
    const taken = () => smsc.taken.find(({ to }) => to === client)
    await smsc.until('submission', () => taken() !== undefined)
    await bench.become([id], 'sent')
    return { id, smscId: taken()?.id ?? '' }
  }
  const change = async (settings: object) => {
    await succeed(bench.appliance.operator.patch(`/carriers/${carrier}`, { settings }))
    const binds = smsc.binds.length
    await smsc.until('bind', () => smsc.binds.length > binds)
    await bench.up(carrier)
  }

  it('send parts whose border is within a character', async () => {
    const client = newClient()
    const part = (index: number, hex: string) => ({
      ...{ from: client, esm_class: 0x40, hex: `05000307020${index}${hex}` },
    })
    expect(await deliver(part(2, `65${hexOf(' per month')}`))).to.equal(0)
    expect(await deliver(part(1, `${hexOf('Price 5 ')}1b`))).to.equal(0)
    expect(await inbox(client)).to.eql(['Price 5 € per month'])
  })

  it('send NULs in texts, behind them and instead of parameters', async () => {
    const client = newClient()
    const hello = hexOf('Hello')
    for (const data_coding of [0, 1]) await deliver({ from: client, hex: `${hello}00`, data_coding })
    await deliver({ from: client, hex: hexOf('a\0b\u0007c'), data_coding: 1 })
    const behind = `00${tlv(0x0204, '0007')}`
    expect(await deliver({ from: client, hex: hello, behind })).to.equal(0)
    expect(await inbox(client)).to.eql(['Hello', 'Hello', 'abc', 'Hello'])
  })

  it('send receipts that only their content tells, which no text of a client passes for', async () => {
    const receipt = (id: string) =>
      hexOf(
        `id:${id} sub:001 dlvrd:001 submit date:2611252200 done date:2611252201 stat:DELIVRD err:000 text:Hi`,
      )
    const client = newClient()
    const { id, smscId } = await sent(client)
    // Another handset cannot speak for this one.
    const other = newClient()
    const short = (named: string) => hexOf(`id:${named} stat:DELIVRD`)
    await deliver({ from: other, hex: short(smscId) })
    await deliver({ from: client, hex: short('4711') })
    expect(await inbox(other)).to.eql([`id:${smscId} stat:DELIVRD`])
    expect(await inbox(client)).to.eql(['id:4711 stat:DELIVRD'])
    // With all that SMSCs write, it is one of a message that another system sent.
    await deliver({ from: other, hex: receipt(smscId) })
    await deliver({ from: client, hex: receipt('4711') })
    expect(await inbox(other)).to.have.length(1)
    expect(await inbox(client)).to.have.length(1)
    expect((await bench.rows([id]))[0]?.status).to.equal('sent')
    await deliver({ from: client.slice(1), from_ton: 2, hex: short(smscId) })
    await bench.become([id], 'delivered')
    // It comes again though the message has its end.
    for (const again of [receipt(smscId), short(smscId)]) await deliver({ from: client, hex: again })
    expect(await inbox(client)).to.have.length(1)
  })

  it('send receipts again of messages that have their end, when the server has forgotten them', async () => {
    const client = newClient()
    const { id, smscId } = await sent(client)
    const receipt = { from: client, hex: hexOf(`id:${smscId} stat:DELIVRD err:000`) }
    await deliver(receipt)
    await bench.become([id], 'delivered')
    const { length } = smsc.binds
    await bench.appliance.killServer()
    await bench.appliance.startServer()
    await smsc.until('bind', () => smsc.binds.length > length)
    await bench.up(carrier)
    await deliver(receipt)
    expect(await inbox(client)).to.eql([])
  })

  it('send receipts whose addresses are not exchanged, or of which one is missing', async () => {
    for (const [from, to] of [
      [bench.number, (client: string) => client],
      ['', () => bench.number],
    ] as const) {
      for (const esm_class of [4, 0]) {
        const client = newClient()
        const { id, smscId } = await sent(client)
        await deliver({ from, to: to(client), esm_class, hex: hexOf(`id:${smscId} stat:UNDELIV err:011`) })
        await bench.become([id], 'undelivered')
      }
    }
  })

  it('send receipts that are nothing but an id, and empty acknowledgements', async () => {
    const client = newClient()
    const { id, smscId } = await sent(client)
    await deliver({ from: client, esm_class: 0x08 })
    await deliver({ from: client, behind: tlv(0x001e, `${hexOf(smscId)}00`) })
    await bench.become([id], 'delivered')
    await deliver({ from: client, behind: tlv(0x001e, `${hexOf(smscId)}00`) })
    expect(await inbox(client)).to.eql([])
  })

  it('send receipts before the answer, whose content alone tells them', async () => {
    const client = newClient()
    await smsc.behave({ rules: [{ to: client, answer_delay_ms: 1_000 }] })
    const { id } = await succeed(send(client))
    const taken = () => smsc.taken.find(({ to }) => to === client)
    await smsc.until('submission', () => taken() !== undefined)
    await deliver({ from: client, hex: hexOf(`id:${taken()?.id} stat:DELIVRD err:000`) })
    await bench.become([id], 'delivered')
    await smsc.behave({ rules: [] })
    expect(await inbox(client)).to.eql([])
  })

  it('repeat what they think is not answered', async () => {
    const client = newClient()
    const as = (sequence += 1)
    for (let times = 0; times < 3; times++)
      expect(await deliver({ from: client, hex: hexOf('Yes') }, as)).to.equal(0)
    expect(await inbox(client)).to.eql(['Yes'])
    // One with a number of its own is another text.
    await deliver({ from: client, hex: hexOf('Yes') })
    expect(await inbox(client)).to.eql(['Yes', 'Yes'])
    const part = (index: number) => ({
      ...{ from: client, esm_class: 0x40, hex: `05000308020${index}${hexOf(`half ${index} `)}` },
    })
    for (const index of [1, 2, 2, 1]) await deliver(part(index))
    expect((await inbox(client)).slice(2)).to.eql(['half 1 half 2 '])
    const waiting = await bench.query(
      'SELECT 1 FROM inbound_segments WHERE from_number = ? AND reference IS NOT NULL',
      [client],
    )
    expect(waiting).to.eql([])
  })

  it('write numbers in the form of their country, which never become those of others', async () => {
    const client = newClient()
    const national = client.slice(1)
    for (const [from, from_ton] of [
      [national, 2],
      [`0${national}`, 2],
      [national, 0],
      [client, 0],
      [`011${client}`, 0],
      [client, 1],
    ] as const) {
      expect(await deliver({ from, from_ton, hex: hexOf(`${from} ${from_ton}`) })).to.equal(0)
    }
    const ours = bench.number
    for (const [to, to_ton] of [
      [`+${ours}`, 1],
      [`00${ours}`, 0],
      [ours.slice(1), 2],
      [`0${ours.slice(1)}`, 2],
      [ours.slice(1), 0],
      [ours.slice(1), 1],
      [`011${ours}`, 0],
    ] as const) {
      expect(await deliver({ from: client, to, to_ton, hex: hexOf(`to ${to} ${to_ton}`) })).to.equal(0)
    }
    expect(await inbox(client)).to.have.length(13)
    const senders = await bench.query(
      `SELECT DISTINCT client_number FROM messages WHERE client_number LIKE '%${national}'`,
    )
    expect(senders).to.eql([{ client_number: client }])
  })

  it('write numbers in the form of their country, and STOP is of the one who wrote it', async () => {
    const client = newClient()
    await deliver({ from: client.slice(1), from_ton: 2, hex: hexOf('STOP') })
    expect((await send(client)).status).to.equal(400)
    await smsc.until('confirmation', () => smsc.taken.some(({ to }) => to === client))
    expect(smsc.taken.find(({ to }) => to === client)).to.deep.include({ destination: [1, 1] })
    const optOuts = await succeed(bench.workspace.api.get(`/opt-outs?search=${client}`))
    expect(optOuts.data.map(({ client_number }: any) => client_number)).to.eql([`+${client}`])
  })

  it('write what may be two numbers of ours, and reach neither until their settings say which', async () => {
    const { api } = bench.workspace
    const { inbound_acl_id } = await succeed(api.get(`/phone-numbers/${bench.numberId}`))
    const base = { title: 'Twin', inbound_acl_id, enable_outbound: false }
    for (const number of [
      { number: '98234567', country_code: 'SG' },
      { number: '6598234567', country_code: 'US' },
    ]) {
      const { id } = await succeed(api.post('/phone-numbers/connect', { ...base, ...number }))
      const path = `/workspaces/${bench.workspace.id}/phone-numbers/${id}`
      await succeed(bench.appliance.operator.post(`${path}/activate`))
      await succeed(bench.appliance.operator.put(`${path}/carriers`, { carrier_ids: [carrier] }))
    }
    const client = newClient()
    const to = '6598234567'
    const ask = async (to_ton: number) => deliver({ from: client, to, to_ton, hex: hexOf(`ton ${to_ton}`) })
    // The countries of a carrier are remembered for a moment.
    await bench.eventually(
      async () => {
        await ask(2)
        return inbox(client)
      },
      (bodies) => bodies.length > 0,
      'text',
    )
    expect(await ask(0)).to.equal(0x0b)
    expect(await ask(1)).to.equal(0)
    await change({ inbound_number_format: 'e164' })
    expect(await ask(0)).to.equal(0)
    await change({ inbound_number_format: 'auto' })
    const rows = await bench.query(
      'SELECT DISTINCT system_number, body FROM messages WHERE client_number = ? ORDER BY body',
      [client],
    )
    expect(rows.map((row) => ({ ...row }))).to.eql([
      { system_number: '6598234567', body: 'ton 0' },
      { system_number: '6598234567', body: 'ton 1' },
      { system_number: '16598234567', body: 'ton 2' },
    ])
  })

  it('write what is no number, which is kept and never taken for one', async () => {
    const strange = `9988${client4()}66`
    await deliver({ from: strange, from_ton: 3, hex: hexOf('STOP') })
    expect(await inbox(`#${strange}`)).to.eql(['STOP'])
    const optOuts = await bench.query('SELECT 1 FROM opt_outs WHERE client_number LIKE ?', [`%${strange}%`])
    expect(optOuts).to.eql([])
    const { data } = await succeed(bench.workspace.api.get('/messages?direction=inbound&limit=1'))
    expect(data[0]).to.include({ from: `#${strange}` })
    // The recipient of a text must be readable, or the SMSC gets an error.
    expect(await deliver({ from: newClient(), to: '', to_ton: 0, hex: hexOf('Who?') })).to.equal(0x0b)
    expect(await deliver({ from: newClient(), to: '1', to_ton: 3, hex: hexOf('Who?') })).to.equal(0)
  })
  const client4 = () => String((clients += 1)).padStart(4, '0')

  describe('that take names and short codes as senders', () => {
    const path = () => `/workspaces/${bench.workspace.id}/phone-numbers/${bench.numberId}/originators`
    const sendAs = async (from: string, to: string) =>
      bench.workspace.api.post('/messages/send', { from, to: `+${to}`, body: 'Hi' })
    const takenBy = async (client: string, nth = 0) => {
      const all = () => smsc.taken.filter(({ to }) => to === client)
      await smsc.until('submission', () => all().length > nth)
      return all()[nth]
    }

    it('are sent those alone that the operator has said', async () => {
      const client = newClient()
      const { operator } = bench.appliance
      expect((await sendAs('ACME', client)).body.errors[0].field).to.equal('from')
      expect(await succeed(operator.put(path(), { originators: ['Acme', '72345'] }))).to.eql({
        ...{ phone_number_id: bench.numberId, originators: ['72345', 'Acme'] },
      })
      const shown = await succeed(bench.workspace.api.get(`/phone-numbers/${bench.numberId}/originators`))
      expect(shown.originators).to.eql(['72345', 'Acme'])
      for (const wrong of [
        ['12'],
        ['1234567'],
        ['much too long'],
        [' Acme'],
        ['12025550100'],
        ['Äcme'],
        [''],
      ]) {
        expect((await operator.put(path(), { originators: wrong })).status, String(wrong)).to.equal(400)
      }
      // No other workspace may have it, whatever its case.
      const other = await bench.appliance.workspace()
      const { id } = await newActiveNumber(bench.appliance, other)
      const taken = await operator.put(`/workspaces/${other.id}/phone-numbers/${id}/originators`, {
        originators: ['aCME'],
      })
      expect(taken.status).to.equal(409)
      const refused = await sendAs('ACME', client)
      expect(refused.body.errors[0]).to.deep.include({ field: 'from' })
      expect(refused.body.message).to.match(/no carrier of its number takes Acme/)
      await change({ takes_originators: true, number_format: 'digits' })
      expect(await succeed(sendAs('ACME', client))).to.include({ from: 'Acme', to: `+${client}` })
      expect(await takenBy(client)).to.deep.include({ from: 'Acme', source: [5, 0] })
      await succeed(sendAs('72345', client))
      expect(await takenBy(client, 1)).to.deep.include({ from: '72345', source: [3, 0] })
    })

    it('bring texts for short codes, which are answered from there', async () => {
      const client = newClient()
      await deliver({ from: client, to: '72345', to_ton: 3, hex: hexOf('Hello') })
      for (const index of [2, 1]) {
        await deliver({
          from: client,
          to: '72345',
          to_ton: 6,
          esm_class: 0x40,
          hex: `05000309020${index}3${index}`,
        })
      }
      const { data } = await succeed(bench.workspace.api.get('/messages?direction=inbound&limit=2'))
      expect(data.map(({ to, from, body }: any) => [to, from, body])).to.eql([
        ['72345', `+${client}`, '12'],
        ['72345', `+${client}`, 'Hello'],
      ])
      await deliver({ from: client, to: '72345', to_ton: 3, hex: hexOf('STOP') })
      expect(await takenBy(client)).to.deep.include({ from: '72345', source: [3, 0] })
      expect((await takenBy(client))?.text).to.match(/^You have unsubscribed from messages from 72345/)
      // No workspace has that one.
      expect(await deliver({ from: client, to: '72346', to_ton: 3, hex: hexOf('Hello') })).to.equal(0)
      expect(await inbox(client)).to.have.length(3)
    })

    it('are no numbers of clients: what they send is never answered', async () => {
      await deliver({ from: 'AMAZON', from_ton: 5, hex: hexOf('STOP') })
      const { data } = await succeed(bench.workspace.api.get('/opt-outs'))
      expect(data.map(({ client_number }: any) => client_number)).not.to.include('AMAZON')
      expect(
        (
          await bench.workspace.api.post('/messages/send', {
            from: `+${bench.number}`,
            to: 'AMAZON',
            body: 'x',
          })
        ).status,
      ).to.equal(400)
    })
  })

  it('are understood as their settings say', async () => {
    await change({
      ...{ inbound_ascii_data_coding: 'gsm7', receipt_statuses: { arrived: 'delivered' } },
      ...{ number_format: 'national', country: 'US', service_type: 'CMT', interface_version: '5.0' },
    })
    const client = newClient()
    await deliver({ from: client, data_coding: 1, hex: '47727e1e65201b65201b286f6b1b29200011' })
    expect(await inbox(client)).to.eql(['Grüße € {ok} @_'])
    const { id } = await succeed(send(client))
    const taken = () => smsc.taken.find(({ to }) => to === client.slice(1))
    await smsc.until('submission', () => taken() !== undefined)
    expect(taken()).to.deep.include({ from: bench.number.slice(1), source: [2, 1], destination: [2, 1] })
    expect(taken()).to.include({ service_type: 'CMT' })
    expect(smsc.binds.at(-1)).to.include({ version: 0x50 })
    await bench.become([id], 'sent')
    await deliver({
      from: client.slice(1),
      from_ton: 2,
      esm_class: 4,
      hex: hexOf(`id:${taken()?.id} stat:ARRIVED`),
    })
    await bench.become([id], 'delivered')
  })
})
