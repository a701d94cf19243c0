import { expect } from 'chai'
import { eventually } from '../support/api-client.js'
import { databaseOfKamailio } from '../support/kamailio.js'
import { startMariadb } from '../support/mariadb.js'
import { header } from '../support/sip-message.js'
import type { SipPhone } from '../support/sip-phone.js'
import { TrunkWorld, newAcl, newDigits, newNumber } from './trunks.js'

describe('edge: bans, and carriers', function () {
  this.timeout(30_000)
  let trunk: TrunkWorld
  let carrier: SipPhone

  before(async () => {
    trunk = await TrunkWorld.start()
  })
  beforeEach(async () => {
    carrier = await trunk.open()
  })
  afterEach(() => trunk.reset())
  after(async () => trunk?.stop())

  const tried = async (end: SipPhone, times: number): Promise<number[]> => {
    const statuses = []
    for (let time = 0; time < times; time++) statuses.push(await trunk.status(end, newDigits()))
    return statuses
  }
  const silent = async (end: SipPhone): Promise<boolean> =>
    trunk.call(end).then(
      () => false,
      () => true,
    )
  /** The results of many tries, of which some are under way at any moment. */
  const many = async (count: number, once: () => Promise<number>): Promise<Set<number>> => {
    const results = new Set<number>()
    const one = async (): Promise<void> => {
      for (let time = 0; time < count / 20; time++) results.add(await once().catch(() => 0))
    }
    await Promise.all(Array.from({ length: 20 }, one))
    return results
  }

  it('say nothing to a stranger after some refusals', async () => {
    const stranger = await trunk.open(trunk.newAddress())
    expect(new Set(await tried(stranger, 20))).to.deep.equal(new Set([403]))
    expect(await silent(await trunk.open(stranger.link.host))).to.equal(true)
  })

  it('fall on a source that some ACL names, as on any other', async () => {
    const host = trunk.newAddress()
    await newAcl(trunk.world, [host])
    const guessing = await trunk.open(host)
    expect(new Set(await tried(guessing, 20))).to.deep.equal(new Set([403]))
    expect(await silent(guessing)).to.equal(true)
  })

  it('never fall on a source whose call was accepted lately, whatever it asks for', async () => {
    expect(await trunk.status(carrier)).to.equal(200)
    expect(new Set(await tried(carrier, 30))).to.deep.equal(new Set([403]))
    expect(await trunk.status(carrier)).to.equal(200)
  })

  it('fall on a source that only a very wide block names', async () => {
    const wide = await newNumber(trunk.world, await newAcl(trunk.world, ['127.0.0.0/8']))
    const stranger = await trunk.open(trunk.newAddress())
    expect(await trunk.status(stranger, wide.number)).to.equal(200)
    expect(new Set(await tried(stranger, 20))).to.deep.equal(new Set([403]))
    expect(await silent(stranger)).to.equal(true)
  })

  it('do not fall on a busy carrier', async () => {
    trunk.fabric.answerTo = (request) => trunk.fabric.reply(request, 486, 'Busy Here')
    expect([
      ...(await many(400, async () => trunk.status(carrier, undefined, { patienceMs: 15_000 }))),
    ]).to.deep.equal([486])
    expect(trunk.world.edge.log).not.to.include(`banned ${trunk.carrierHost}`)
  })

  it('do not fall on a carrier that sends many requests beside its calls', async () => {
    const ask = async (): Promise<number> => (await carrier.request('OPTIONS', trunk.uriOf('100'))).status
    expect(await trunk.status(carrier)).to.equal(200)
    expect([...(await many(200, ask))]).to.deep.equal([200])
  })

  it('ask for patience while the database is away, and ban no carrier meanwhile', async function () {
    this.timeout(90_000)
    const mariadb = await startMariadb()
    let other: TrunkWorld | undefined
    try {
      const name = await mariadb.createDatabase()
      await mariadb.migrate(name)
      other = await TrunkWorld.start({ database: databaseOfKamailio(mariadb, name) }, { mariadb })
      const end = await other.open()
      await mariadb.pause()
      for (let time = 0; time < 30; time++) {
        const answer = await other.call(end)
        expect(answer.status).to.equal(503)
        expect(header(answer, 'Retry-After')).to.match(/^\d+$/)
      }
      const flood = async (): Promise<unknown> =>
        end.request('OPTIONS', trunk.uriOf('x')).catch(() => undefined)
      await Promise.all(Array.from({ length: 100 }, flood))
      await mariadb.resume()
      const calls = other
      await eventually(
        async () => calls.status(end).catch(() => 0),
        (answer) => answer === 200,
        { what: 'call that passes' },
      )
    } finally {
      await other?.stop()
      await mariadb.stop()
    }
  })
})
