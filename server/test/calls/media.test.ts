/** Where the real switch sends audio that phones ask for elsewhere. */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { expect } from 'chai'
import { eventually } from '../support/api-client.js'
import { findFreeswitch } from '../support/freeswitch.js'
import { PhoneBench } from '../support/phone-bench.js'
import { hears } from '../support/phone-dialog.js'
import type { Telephone } from '../support/telephone.js'

describe('audio on the freeswitch', function () {
  this.timeout(60_000)
  let phones: PhoneBench
  let alice: Telephone
  let bob: Telephone

  before(async function () {
    if (!(await findFreeswitch())) this.skip()
    phones = await PhoneBench.start()
    alice = await phones.phone(await phones.account('alice'), { toneHz: 500 })
    bob = await phones.phone(await phones.account('bob'), { toneHz: 900 })
  })
  after(async () => phones?.stop())

  /** Both phones say that they hear elsewhere, also when they renew the call. */
  for (const elsewhere of ['127.0.0.9', '192.168.7.7']) {
    it(`goes to phones that name ${elsewhere}, and not there`, async () => {
      const strangers = await Promise.all(
        [alice, bob].map(async ({ ear }) => {
          const socket = createSocket('udp4')
          socket.bind(ear.port, '127.0.0.9')
          await once(socket, 'listening')
          return socket
        }),
      )
      let astray = 0
      for (const socket of strangers) socket.on('message', () => astray++)
      alice.mediaHost = bob.mediaHost = elsewhere
      try {
        const had = bob.incoming.length
        const call = alice.call('bob')
        expect(await call.answered()).to.equal(200)
        const rung = await bob.called(had)
        await rung.up()
        const bothHear = async () => {
          for (const [dialog, hz] of [
            [call, 900],
            [rung, 500],
          ] as const)
            await eventually(
              async () => hears(dialog, hz),
              (level) => level > 0.8,
              { what: `${hz} Hz` },
            )
        }
        await bothHear()
        alice.renew(call, 'sendrecv')
        await bothHear()
        await call.hangUp()
        await rung.over()
        expect(astray).to.equal(0)
      } finally {
        alice.mediaHost = bob.mediaHost = undefined
        for (const socket of strangers) socket.close()
      }
    })
  }

  it('goes to no port below 1024', async () => {
    bob.mediaPort = 514
    try {
      expect(await alice.call('bob').answered()).to.be.above(399)
    } finally {
      bob.mediaPort = undefined
    }
    alice.mediaPort = 514
    try {
      expect(await alice.call('bob').answered()).to.equal(488)
    } finally {
      alice.mediaPort = undefined
    }
  })
})
