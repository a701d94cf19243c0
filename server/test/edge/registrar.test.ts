import { expect } from 'chai'
import { SipPhone } from '../support/sip-phone.js'
import { transports } from '../support/sip-link.js'
import { EdgeWorld } from './accounts.js'

describe('edge: the registrar', function () {
  this.timeout(30_000)
  let world: EdgeWorld
  before(async () => {
    world = await EdgeWorld.start()
  })
  after(async () => {
    const { obituary } = world.edge
    await world.stop()
    expect(obituary).to.equal(undefined)
  })

  for (const transport of transports) {
    for (const algorithm of ['MD5', 'SHA-256'] as const) {
      for (const longName of [false, true]) {
        it(`registers over ${transport} with ${algorithm}${longName ? ' and user@domain' : ''}`, async () => {
          const account = await world.account()
          const phone = await SipPhone.open(world.edge.options, {
            ...account,
            transport,
            algorithm,
            longName,
          })
          try {
            const answer = await phone.register()
            expect(answer.status, answer.text + world.edge.log.slice(-3000)).to.equal(200)
            expect(await world.registrations(account.username)).to.have.length(1)
          } finally {
            phone.close()
          }
        })
      }
    }
  }
})
