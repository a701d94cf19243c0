/** What an SMSC hands over: texts, and receipts in the ways in which SMSCs write them. */
import { expect } from 'chai'
import type { ReceiptFormat } from '../support/smsc.js'
import { SmppWorld, handset, ours, submitAll, text } from './smpp-fixture.js'

describe('what comes over SMPP', function () {
  this.timeout(30_000)
  let world: SmppWorld

  beforeEach(async () => {
    world = await SmppWorld.start()
  })

  afterEach(async () => world.end())

  const from = handset
  const to = ours

  it('are texts in all alphabets', async () => {
    const { smsc, holder } = world
    await world.bound()
    const texts = [
      { text: 'GSM @ £ {€}', data_coding: 0 },
      { text: 'ascii', data_coding: 1 },
      { text: 'latin é ÿ', data_coding: 3 },
      { text: 'ščř 😀', data_coding: 8 },
      { text: 'in the payload', data_coding: 0, payload: true },
      { hex: '00', data_coding: 0xf1 },
      { hex: '', data_coding: 0 },
    ]
    for (const one of texts) await smsc.answerTo(await smsc.deliver({ from: `+${from}`, to, ...one }))
    expect(holder.segments.map(({ body }) => body)).to.eql([
      'GSM @ £ {€}',
      'ascii',
      'latin é ÿ',
      'ščř 😀',
      'in the payload',
      '@',
      '',
    ])
    for (const segment of holder.segments) {
      expect(segment).to.include({ from, to, concatenation: null, carrier_message_id: null })
      expect(segment.fingerprint).to.match(/^[0-9a-f]{64}$/)
    }
  })

  it('have the default alphabet that the carrier has', async () => {
    await world.bound({ inbound_default_data_coding: 'latin1' })
    const { smsc, holder } = world
    await smsc.answerTo(await smsc.deliver({ from, to, hex: '40e9' }))
    expect(holder.segments.map(({ body }) => body)).to.eql(['@é'])
  })

  it('come in parts that tell what they belong to', async () => {
    const { smsc, holder } = world
    await world.bound()
    for (const by of ['udh', 'udh16', 'sar'] as const) {
      for (const index of [2, 1]) {
        const part = { by, reference: by === 'udh' ? 200 : 60_000, total: 2, index }
        // half of a surrogate pair each
        const hex = index === 1 ? '0041d83d' : 'de000042'
        await smsc.answerTo(await smsc.deliver({ from, to, hex, data_coding: 8, part }))
      }
    }
    expect(holder.segments.map(({ concatenation }) => concatenation)).to.eql(
      [200, 60_000, 60_000].flatMap((reference) => [
        { reference, total: 2, index: 1 },
        { reference, total: 2, index: 0 },
      ]),
    )
    const [second, first] = holder.segments
    expect(`${first?.body}${second?.body}`).to.equal('A😀B')
    expect(new Set(holder.segments.map(({ fingerprint }) => fingerprint))).to.have.length(6)
  })

  it('are answered only once they are kept, and come again with the same fingerprint when they are not', async () => {
    const { smsc, holder } = world
    await world.bound()
    holder.refusing = true
    const kept = await smsc.deliver({ from, to, text: 'keep me' })
    await smsc.until('refusal', () => smsc.delivered.some(({ ref, again }) => ref === kept && again))
    expect(smsc.delivered[0]).to.include({ status: 0x64 })

    let keep: () => void = () => undefined
    holder.keeping = new Promise((resolve) => (keep = resolve))
    holder.refusing = false
    await smsc.behave({ again_ms: 50 })
    const slow = await smsc.deliver({ from, to, text: 'slow' })
    await smsc.until('one that waits', () => smsc.delivered.length > 0)
    expect(smsc.delivered.find(({ ref, status }) => ref === slow && status === 0)).to.equal(undefined)
    keep()
    expect(await smsc.answerTo(slow)).to.include({ status: 0, again: false })
    await smsc.answerTo(kept)
    await smsc.answerTo(await smsc.deliver({ from, to, text: 'slow' }))
    const [one, other] = holder.segments.filter(({ body }) => body === 'slow')
    expect(one?.fingerprint).to.equal(other?.fingerprint)
  })

  it('wait on the line when too many are in work, while nothing times out', async () => {
    const { smsc, holder } = world
    let keep: () => void = () => undefined
    holder.keeping = new Promise((resolve) => (keep = resolve))
    await smsc.behave({ deliver_window: 500 })
    const link = await world.bound({ enquire_link_seconds: 0.3, response_timeout_seconds: 0.4 })
    const refs = []
    for (let index = 0; index < 300; index++) {
      refs.push(await smsc.deliver({ from, to, text: `number ${index}` }))
    }
    // its answer stands in the line behind them
    const submitted = submitAll(link, text('behind them'))
    await smsc.until('submission', () => smsc.submits.length === 1)
    await new Promise((done) => setTimeout(done, 1000))
    expect(link.health.state).to.equal('up')
    keep()
    expect(await submitted).to.eql([smsc.submits[0]?.id])
    for (const ref of refs) await smsc.answerTo(ref)
    expect(holder.segments.map(({ body }) => body)).to.eql(refs.map((_, index) => `number ${index}`))
    expect(smsc.binds).to.have.length(1)
  })

  const formats: ReceiptFormat[] = [
    ...([
      'text',
      'tlv',
      'text tlv',
      'text seconds',
      'text year',
      'text upper',
      'text underlined',
      'short',
    ] as const),
  ]
  for (const format of formats) {
    it(`are receipts of the format ${format}`, async () => {
      const { smsc, holder } = world
      await smsc.behave({
        rules: [
          {
            to: '1$',
            receipts: [
              { stat: 'ENROUTE', format },
              { after_ms: 1, stat: 'DELIVRD', format },
            ],
          },
          { to: '2$', receipts: [{ stat: 'UNDELIV', err: '012', format }] },
          { to: '3$', receipts: [{ stat: 'REJECTD', format }] },
          { to: '4$', receipts: [{ stat: 'DELIVRD', esm_class: 0x20, format }] },
        ],
      })
      const link = await world.bound()
      const ids: (string | null)[] = []
      for (const digit of [1, 2, 3, 4]) {
        ids.push(...(await submitAll(link, text('id:7 stat:UNKNOWN text:x', `1202555017${digit}`))))
      }
      await smsc.until('receipts', () => holder.receipts.length === 5)
      const about = (index: number) =>
        holder.receipts
          .filter(({ carrier_message_ids: [id] }) => id === ids[index])
          .map(({ state, error_code, to: whom }) => ({ state, error_code, to: whom }))
      const code = format === 'short' ? 'UNDELIV' : format === 'tlv' || format === 'text tlv' ? '12' : '012'
      expect(about(0)).to.have.deep.members([
        { state: 'pending', error_code: null, to: '12025550171' },
        { state: 'delivered', error_code: null, to: '12025550171' },
      ])
      expect(about(1)).to.eql([{ state: 'undelivered', error_code: code, to: '12025550172' }])
      expect(about(2)).to.eql([{ state: 'failed', error_code: 'REJECTD', to: '12025550173' }])
      expect(about(3)).to.eql([{ state: 'pending', error_code: null, to: '12025550174' }])
    })
  }

  const forms = ['decimal', 'hex', 'HEX', 'zeros'] as const
  for (const ids of forms) {
    it(`are receipts that write ids in any form of those answered in ${ids}`, async () => {
      const { smsc, holder } = world
      await smsc.behave({ ids, receipts: forms.map((id_as) => ({ id_as })) })
      const link = await world.bound()
      const [id] = await submitAll(link, text('one'))
      await smsc.until('receipts', () => holder.receipts.length === forms.length)
      for (const { carrier_message_ids } of holder.receipts) expect(carrier_message_ids).to.include(id)
    })
  }
})
