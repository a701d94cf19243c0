/** Phones whose sound comes from another port or address in a call, on a real FreeSWITCH: it is followed, strangers are not. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { eventually } from '../support/api-client.js'
import { findFreeswitch } from '../support/freeswitch.js'
import { PhoneBench } from '../support/phone-bench.js'
import { type PhoneDialog, hears, packetsTo } from '../support/phone-dialog.js'
import { RtpEar } from '../support/rtp-ear.js'
import type { Telephone } from '../support/telephone.js'

const aliceHz = 500
const bobHz = 900
const strangerHz = 1700

describe('sound from a new source in a call, on the freeswitch', function () {
  this.timeout(60_000)
  let phones: PhoneBench

  before(async function () {
    if (!(await findFreeswitch())) this.skip()
    phones = await PhoneBench.start()
  })
  after(async () => phones?.stop())

  let names = 0
  const bridge = async (): Promise<{
    alice: Telephone
    bob: Telephone
    both: [PhoneDialog, PhoneDialog]
  }> => {
    const number = names++
    const alice = await phones.phone(await phones.account(`alice${number}`), { toneHz: aliceHz })
    const bob = await phones.phone(await phones.account(`bob${number}`), { toneHz: bobHz })
    const call = alice.call(`bob${number}`)
    expect(await call.answered()).to.equal(200)
    const called = await bob.called(0)
    await called.up()
    return { alice, bob, both: [call, called] }
  }
  const bothHear = async (both: readonly [PhoneDialog, PhoneDialog], what: string) =>
    eventually(
      async () => [hears(both[0], bobHz), hears(both[1], aliceHz)],
      (levels) => levels.every((level) => level > 0.9),
      { withinMs: 15_000, what },
    )
  const renewals = (dialog: PhoneDialog) =>
    dialog.received.filter((text) => text.startsWith('INVITE') && /^To: .*;tag=/m.test(text)).length

  /** A phone that goes on at another port, of which it knows nothing. */
  const move = async (phone: Telephone, host: string): Promise<void> => {
    ;({ host: phone.mediaHost, port: phone.mediaPort } = phone.ear)
    await phone.ear.move(host)
  }
  const flows = async (both: readonly [PhoneDialog, PhoneDialog]): Promise<void> => {
    const from = both.map(packetsTo)
    await eventually(
      async () => both.every((one, index) => packetsTo(one) - from[index]! > 100),
      (all) => all,
      { withinMs: 15_000, what: 'packets both ways' },
    )
    await bothHear(both, 'sound both ways')
  }
  /** Sends nothing at all. */
  const mute = ({ phone, media }: PhoneDialog) => phone.ear.leave(media!.host, media!.port)
  const unmute = ({ phone, media }: PhoneDialog) => phone.ear.playTo(media!.host, media!.port)

  for (const [who, host] of [
    ['called', '127.0.0.1'],
    ['was called', '127.0.2.77'],
  ] as const) {
    it(`is followed to ${host}, of who ${who}, with one re-INVITE`, async () => {
      const { alice, bob, both } = await bridge()
      await flows(both)
      await sleep(2_000)
      const [mover, moved] = who === 'called' ? [alice, both[0]] : [bob, both[1]]
      mute(moved)
      await sleep(1_500)
      await move(mover, host)
      unmute(moved)
      await flows(both)
      expect(both.map(renewals).sort()).to.deep.equal([0, 1])
      expect(moved.received.join('\n')).to.not.match(/^X-/m)
      await both[0].hangUp()
    })
  }

  it('is not followed beside the old one, nor at a phone that was muted before', async () => {
    const { both } = await bridge()
    const stranger = await RtpEar.open({ host: '127.0.2.78', toneHz: strangerHz })
    const listens = (dialog: PhoneDialog) => stranger.packetsOf(dialog.media!.host, dialog.media!.port)
    try {
      await flows(both)
      await sleep(2_000)
      stranger.playTo(both[0].media!.host, both[0].media!.port)
      await sleep(4_000)
      await flows(both)
      expect(hears(both[1], strangerHz)).to.be.below(0.05)
      stranger.leave(both[0].media!.host, both[0].media!.port)
      mute(both[0])
      await sleep(12_000)
      stranger.playTo(both[0].media!.host, both[0].media!.port)
      await sleep(5_000)
      expect(listens(both[0]), 'packets to the stranger').to.equal(0)
      expect(both.map(renewals)).to.deep.equal([0, 0])
      unmute(both[0])
      await flows(both)
    } finally {
      await stranger.close()
    }
    await both[0].hangUp()
  })

  it('ends no call of a phone that refuses a re-INVITE', async () => {
    const { alice, both } = await bridge()
    await flows(both)
    await sleep(2_000)
    alice.refusesOffers = 488
    await move(alice, '127.0.0.1')
    await eventually(
      async () => renewals(both[0]),
      (count) => count === 1,
      { withinMs: 15_000, what: 're-INVITE' },
    )
    await sleep(5_000)
    expect(both.map(({ state }) => state)).to.deep.equal(['up', 'up'])
    expect(both.map(renewals)).to.deep.equal([1, 0])
    await both[0].hangUp()
  })
})
