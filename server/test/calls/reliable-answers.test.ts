/** Reliable provisional answers (RFC 3262) on a real FreeSWITCH: callers that demand them, and far ends. */
import { expect } from 'chai'
import { ActionsBench } from '../support/actions-bench.js'
import { eventually } from '../support/api-client.js'
import { findFreeswitch } from '../support/freeswitch.js'
import { type PhoneDialog, hears } from '../support/phone-dialog.js'
import { header } from '../support/sip-message.js'
import type { Telephone } from '../support/telephone.js'

const farHz = 1500
const callerHz = 440

describe('reliable answers on the freeswitch', function () {
  this.timeout(60_000)
  let bench: ActionsBench
  let far: Telephone

  before(async function () {
    if (!(await findFreeswitch())) this.skip()
    bench = await ActionsBench.start({ credit: 10 })
    const operator = await bench.operator({ toneHz: farHz, onCall: 'ring' })
    far = operator.phone
    await bench.inbound.runs([
      { id: 'out', type: 'to_operator', params: { phone_number: '+12025550106', from: operator.from } },
    ])
  })
  after(async () => bench?.stop())

  const isOf = (status: number) => (text: string) => text.startsWith(`SIP/2.0 ${status} `)

  /** A caller whose call rings at the far end. */
  async function ringing(headers: Record<string, string>) {
    const had = far.incoming.length
    const phone = await bench.inbound.caller({ toneHz: callerHz })
    const dialog = phone.call(bench.inbound.number, headers)
    return { dialog, leg: await far.called(had) }
  }

  const bothHear = async (dialog: PhoneDialog, leg: PhoneDialog) =>
    eventually(
      async () => Math.min(hears(dialog, farHz), hears(leg, callerHz)),
      (level) => level > 0.8,
      { what: 'both who hear each other' },
    )

  for (const [what, headers] of [
    ['demands', { Require: '100rel' }],
    ['demands, and offers,', { Require: '100rel', Supported: '100rel, timer' }],
  ] as const) {
    it(`a caller that ${what} them gets each 18x with RSeq, and its PRACKs are answered`, async () => {
      const { dialog, leg } = await ringing(headers)
      await dialog.heard(180)
      far.announce(leg)
      await dialog.heard(183)
      far.accept(leg)
      expect(await dialog.answered()).to.equal(200)
      await bothHear(dialog, leg)
      for (const status of [180, 183]) {
        const text = dialog.received.find(isOf(status)) ?? ''
        expect(header({ text }, 'Require'), text).to.equal('100rel')
        expect(header({ text }, 'RSeq'), text).to.match(/^\d+$/)
      }
      const answers = dialog.received.filter(
        (text) => text.startsWith('SIP/2.0 ') && header({ text }, 'CSeq')?.endsWith(' PRACK'),
      )
      expect(answers.length).to.be.at.least(2)
      expect(answers.filter((text) => !isOf(200)(text))).to.deep.equal([])
      await dialog.hangUp()
      await leg.over()
    })

    it(`a caller that ${what} them is answered at once`, async () => {
      far.onCall = 'answer'
      try {
        const { dialog, leg } = await ringing(headers)
        expect(await dialog.answered()).to.equal(200)
        await bothHear(dialog, leg)
        await dialog.hangUp()
        await leg.over()
      } finally {
        far.onCall = 'ring'
      }
    })
  }

  it('a caller that only supports them is answered as ever, and far ends are offered none', async () => {
    const { dialog, leg } = await ringing({ Supported: 'timer, 100rel' })
    far.announce(leg)
    await dialog.heard(183)
    far.accept(leg)
    expect(await dialog.answered()).to.equal(200)
    await bothHear(dialog, leg)
    expect(dialog.received.filter((text) => header({ text }, 'RSeq'))).to.deep.equal([])
    expect(leg.received[0]).not.to.match(/100rel/)
    await dialog.hangUp()
    await leg.over()
  })

  it('a caller that demands them and offers no media is told that it cannot be', async () => {
    const phone = await bench.inbound.caller()
    phone.offersLate = true
    const dialog = phone.call(bench.inbound.number, { Require: '100rel' })
    expect(await dialog.answered()).to.equal(420)
    expect(dialog.received.find(isOf(420))).to.match(/^Unsupported: 100rel\r$/m)
  })

  it('a far end that insists on them gets a PRACK', async () => {
    const { dialog, leg } = await ringing({})
    far.says = ['Require: 100rel', 'RSeq: 7']
    try {
      far.announce(leg)
      await eventually(
        async () => leg.received.find((text) => text.startsWith('PRACK ')),
        (text) => /^RAck: 7 \d+ INVITE\r$/m.test(text ?? ''),
        { what: 'PRACK' },
      )
    } finally {
      far.says = []
    }
    await dialog.heard(183)
    far.accept(leg)
    expect(await dialog.answered()).to.equal(200)
    await bothHear(dialog, leg)
    await dialog.hangUp()
    await leg.over()
  })
})
