/** linphonec (Debian's linphone-cli), called and calling through the edge. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { eventually } from '../support/api-client.js'
import { findFreeswitch } from '../support/freeswitch.js'
import { Linphone } from '../support/linphone.js'
import { type Account, PhoneBench, password } from '../support/phone-bench.js'
import { type PhoneDialog, hears } from '../support/phone-dialog.js'
import type { Telephone } from '../support/telephone.js'

const deskHz = 500
const linphoneHz = 900

describe('calls with linphone on the freeswitch', function () {
  this.timeout(60_000)
  let phones: PhoneBench
  let desk: Telephone

  before(async function () {
    if (!(await findFreeswitch())) this.skip()
    phones = await PhoneBench.start()
    desk = await phones.phone(await phones.account('desk'), { toneHz: deskHz })
  })
  after(async () => phones?.stop())

  const hearsLinphone = async (dialog: PhoneDialog) =>
    eventually(
      async () => Promise.resolve(hears(dialog, linphoneHz)),
      (level) => level > 0.8,
      { what: 'the desk hears linphone' },
    )

  /** What it heard is written when the call is over. */
  const heardDesk = async (linphone: Linphone) =>
    eventually(
      async () => linphone.heard(deskHz).catch(() => 0),
      (level) => level > 0.8,
      { what: 'linphone hears the desk' },
    )

  const registered = async ({ username, domain }: Account) =>
    eventually(
      async () =>
        phones.bench.appliance
          .kamailio!.rpc('ul.lookup', ['location', `${username}@${domain}`])
          .catch(() => null),
      (found) => found !== null,
      { withinMs: 20_000, what: 'registration' },
    )

  for (const transport of ['udp', 'tcp'] as const) {
    it(`registers over ${transport}, is called, calls, and hangs up; both hear each other`, async () => {
      const account = await phones.account(`lin${transport}`)
      const { sipHost, sipPort } = phones.bench.appliance.kamailio!.options
      const proxy = `sip:${sipHost}:${sipPort};transport=${transport}`
      const linphone = await Linphone.start({ ...account, password, proxy }, linphoneHz)
      try {
        await registered(account)
        const call = desk.call(account.username)
        expect(await call.answered(), linphone.output).to.equal(200)
        await hearsLinphone(call)
        await sleep(1_500)
        await call.hangUp()
        await linphone.says(/ended/)
        await heardDesk(linphone)

        const had = desk.incoming.length
        linphone.does(`call sip:desk@${account.domain}`)
        const theirs = await desk.called(had)
        await theirs.up()
        await hearsLinphone(theirs)
        await sleep(1_500)
        linphone.does('terminate')
        expect(await theirs.over()).to.equal('BYE')
        await linphone.says(/ended/, 2)
        await heardDesk(linphone)
        expect(await phones.lastCall()).to.include({
          status: 'completed',
          hangup_cause: 'NORMAL_CLEARING',
        })
      } finally {
        await linphone.stop()
      }
    })
  }

  it('joins its caller with whom it has called beside (transfer --to-call)', async () => {
    const account = await phones.account('lintransfer')
    const asked = await phones.phone(await phones.account('asked'), { toneHz: 1300 })
    const { sipHost, sipPort } = phones.bench.appliance.kamailio!.options
    const proxy = `sip:${sipHost}:${sipPort};transport=udp`
    const linphone = await Linphone.start({ ...account, password, proxy }, linphoneHz)
    try {
      await registered(account)
      const call = desk.call(account.username)
      expect(await call.answered(), linphone.output).to.equal(200)
      await hearsLinphone(call)
      const id = await phones.lastCallIs('active')
      linphone.does('pause')
      await linphone.says(/paused/i)
      linphone.does(`call sip:asked@${account.domain}`)
      const theirs = await asked.called(0)
      await theirs.up()
      await hearsLinphone(theirs)
      linphone.does('transfer 1 --to-call 2')
      for (const [dialog, hz] of [
        [call, 1300],
        [theirs, deskHz],
      ] as const) {
        await eventually(
          async () => Promise.resolve(hears(dialog, hz)),
          (level) => level > 0.8,
          { what: `${hz} Hz: ${linphone.output}` },
        )
      }
      await call.hangUp()
      expect(await theirs.over()).to.equal('BYE')
      expect(await phones.bench.ended(id)).to.include({ status: 'completed' })
    } finally {
      await linphone.stop()
    }
  })
})
