/** baresip, called and calling over each transport, with Opus on one side. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { eventually } from '../support/api-client.js'
import { Baresip } from '../support/baresip.js'
import { findFreeswitch } from '../support/freeswitch.js'
import { type Account, PhoneBench, password } from '../support/phone-bench.js'
import { hears } from '../support/phone-dialog.js'
import type { Telephone } from '../support/telephone.js'

const ownHz = 500

describe('calls with baresip on the freeswitch', function () {
  this.timeout(60_000)
  let phones: PhoneBench
  let desk: Telephone

  before(async function () {
    if (!(await findFreeswitch())) this.skip()
    phones = await PhoneBench.start()
    desk = await phones.phone(await phones.account('desk'), { toneHz: ownHz })
  })
  after(async () => phones?.stop())

  const kamailio = () => phones.bench.appliance.kamailio!

  async function registered({ username, domain }: Account): Promise<void> {
    await eventually(
      async () =>
        kamailio()
          .rpc('ul.lookup', ['location', `${username}@${domain}`])
          .catch(() => null),
      (found) => found !== null,
      { what: `registration of ${username}` },
    )
  }

  for (const [transport, codec] of [
    ['udp', 'g711'],
    ['tcp', 'opus'],
    ['tls', 'opus'],
  ] as const) {
    const proxy = () => {
      const { sipHost, sipPort, tlsPort } = kamailio().options
      return `sip:${sipHost}:${transport === 'tls' ? tlsPort : sipPort};transport=${transport}`
    }

    it(`is called over ${transport} with ${codec}: a tone goes there and comes back`, async () => {
      const account = await phones.account(`called${transport}`)
      const baresip = await Baresip.start({ ...account, password, proxy: proxy() }, { codec })
      try {
        await registered(account)
        const call = desk.call(account.username)
        expect(await call.answered(), baresip.output).to.equal(200)
        await sleep(2_000)
        expect(hears(call, ownHz), baresip.output).to.be.above(0.8)
        await call.hangUp()
        expect(await phones.lastCall()).to.include({ status: 'completed', hangup_cause: 'NORMAL_CLEARING' })
      } finally {
        await baresip.stop()
      }
    })

    it(`calls over ${transport} with ${codec}, and its tone is heard`, async () => {
      const account = await phones.account(`caller${transport}`)
      const baresip = await Baresip.start(
        { ...account, password, proxy: proxy() },
        { codec, dial: 'desk', toneHz: 900 },
      )
      try {
        await phones.lastCallIs('active')
        await sleep(2_000)
        expect(hears(desk.incoming.at(-1)!, 900), baresip.output).to.be.above(0.8)
      } finally {
        await baresip.stop()
      }
      expect(await desk.incoming.at(-1)!.over()).to.equal('BYE')
      expect(await phones.lastCall()).to.include({ status: 'completed', hangup_cause: 'NORMAL_CLEARING' })
    })
  }

  it('hands a call over by its own key, and leaves', async () => {
    const account = await phones.account('handsover')
    const third = await phones.phone(await phones.account('third'), { toneHz: 1300 })
    const { sipHost, tlsPort } = kamailio().options
    const proxy = `sip:${sipHost}:${tlsPort};transport=tls`
    const before = desk.incoming.length
    const baresip = await Baresip.start(
      { ...account, password, proxy },
      { codec: 'opus', dial: 'desk', toneHz: 900 },
    )
    try {
      const theirs = await desk.called(before)
      await eventually(
        async () => hears(theirs, 900),
        (level) => level > 0.8,
        { what: 'the desk hears baresip' },
      )
      const id = await phones.lastCallIs('active')
      await baresip.does('transfer', third.uri)
      const thirds = await third.called(0)
      await eventually(
        async () => hears(theirs, 1300),
        (level) => level > 0.8,
        { what: 'the desk hears the third phone' },
      )
      await eventually(
        async () => baresip.output,
        (output) => output.includes('audio: destroyed'),
        { what: 'baresip without a call' },
      )
      await thirds.hangUp()
      expect(await theirs.over()).to.equal('BYE')
      expect(await phones.bench.ended(id)).to.include({
        status: 'completed',
        hangup_cause: 'NORMAL_CLEARING',
      })
    } finally {
      await baresip.stop()
    }
  })
})
