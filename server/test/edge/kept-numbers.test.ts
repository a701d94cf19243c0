/** What the edge keeps of numbers that carriers call, and until when it believes that; the server's part is the test's. */
import { expect } from 'chai'
import { EdgeClient } from '../../src/adapters/kamailio/edge-client.js'
import { eventually } from '../support/api-client.js'
import type { SipPhone } from '../support/sip-phone.js'
import { type TrunkNumber, TrunkWorld, newAcl, newDigits, newNumber } from './trunks.js'

describe('edge: called numbers that are kept', function () {
  this.timeout(30_000)
  let trunk: TrunkWorld
  let client: EdgeClient
  let carrier: SipPhone
  let number: TrunkNumber

  before(async () => {
    trunk = await TrunkWorld.start()
    const { rpcHost, rpcPort, rpcSecret } = trunk.world.edge.options
    client = new EdgeClient(`http://${rpcHost}:${rpcPort}/RPC`, rpcSecret)
  })
  beforeEach(async () => {
    await settled()
    await client.confirmNumbers()
    carrier = await trunk.open(trunk.newAddress())
    number = await made()
  })
  afterEach(() => trunk.reset())
  after(async () => trunk?.stop())

  const rpc = async (method: string, params: (string | number)[]) => trunk.world.edge.rpc(method, params)
  /** Just after a change nothing is kept. */
  const settled = async () => rpc('htable.delete', ['settling', 'numbers']).catch(() => undefined)
  const kept = async (): Promise<number> => (await client.tableSizes())['called'] ?? -1
  const made = async (entries = [carrier.link.host]): Promise<TrunkNumber> =>
    newNumber(trunk.world, await newAcl(trunk.world, entries))
  /** Has a number refuse all, in the database alone: the edge is not told. */
  const close = async ({ acl }: TrunkNumber) =>
    trunk.world.query('DELETE FROM inbound_acl_addresses WHERE acl_id = ?', [acl])
  const status = async (user = number.number, options: Parameters<TrunkWorld['call']>[2] = {}) =>
    trunk.status(carrier, user, options)
  /** What the switch gets, but for what differs from call to call. */
  const headers = (): string[] =>
    trunk
      .arrived()
      .text.split('\r\n')
      .filter((line) => /^(INVITE|X-Edge-(Source|Number|Workspace|Acl)|P-Asserted-Identity)/.test(line))

  it('cost no question as long as a server says that the edge knows of all changes', async () => {
    expect(await status()).to.equal(200)
    const asked = headers()
    expect(asked).to.include(`X-Edge-Number: ${number.id}`).and.have.lengthOf(6)
    await close(number)
    trunk.fabric.requests.length = 0
    expect(await status(), 'kept').to.equal(200)
    expect(headers()).to.deep.equal(asked)

    await rpc('htable.delete', ['confirmed', 'numbers'])
    expect(await status(), 'as soon as no server says so').to.equal(403)
  })

  it('are shown who calls as their ACL says', async () => {
    await trunk.world.query('UPDATE inbound_acls SET trusts_identity = 1 WHERE id = ?', [number.acl])
    const extra = ['P-Asserted-Identity: <sip:+12025550177@carrier.example>']
    for (const call of ['asked', 'kept']) {
      trunk.fabric.requests.length = 0
      expect(await status(undefined, { extra }), call).to.equal(200)
      expect(headers().join('\n'), call).to.include('<sip:+12025550177@trunk.invalid>')
      await close(number)
    }
  })

  it('are kept of one source, and as it wrote the number, wherever it did', async () => {
    expect(await status()).to.equal(200)
    await close(number)
    expect(await status()).to.equal(200)
    expect(await status(`+${number.number}`)).to.equal(403)
    expect(await status(undefined, { to: trunk.uriOf('+1') })).to.equal(403)
    expect(await status(undefined, { extra: ['P-Called-Party-ID: <sip:+1@x>'] })).to.equal(403)
    expect(
      await status(number.number.slice(0, -1), { to: trunk.uriOf(`${number.number.at(-1)}1`) }),
    ).to.equal(403)
    expect(await trunk.status(await trunk.open(trunk.newAddress()), number.number)).to.equal(403)
    expect(await status()).to.equal(200)
  })

  it('are asked for again after a change, whatever has changed', async () => {
    for (const change of [
      `UPDATE phone_numbers SET status = 'inactive' WHERE id = ?`,
      'DELETE FROM phone_numbers WHERE id = ?',
      'DELETE FROM inbound_acl_addresses WHERE acl_id = (SELECT inbound_acl_id FROM phone_numbers WHERE id = ?)',
    ]) {
      const { id, number: user } = await made()
      for (const call of ['asked', 'kept']) expect(await status(user), call).to.equal(200)
      await trunk.world.query(change, [id])
      await client.forgetNumbers()
      await settled()
      expect(await status(user), change).to.be.oneOf([403, 480])
    }
    expect(await status(), 'another number').to.equal(200)
  })

  it('are another workspace’s from the next call on, and that is kept', async () => {
    expect(await status()).to.equal(200)
    const moved = await newNumber(trunk.world, await newAcl(trunk.world, [carrier.link.host], 'other'), {
      ...{ number: number.number, isVerified: true },
    })
    await client.forgetNumbers()
    await settled()
    for (const call of ['asked', 'kept']) {
      trunk.fabric.requests.length = 0
      expect(await status(), call).to.equal(200)
      expect(headers(), call).to.include.members([`X-Edge-Number: ${moved.id}`, 'X-Edge-Workspace: other'])
      await close(moved)
    }
  })

  it('do not count where they were read before a change and are kept after it', async () => {
    expect(await status()).to.equal(200)
    const key = await keyOf(number)
    const { item } = (await rpc('htable.get', ['called', key])) as { item: { value: string } }
    await client.forgetNumbers()
    await settled()
    await close(number)
    // As if it were written only now by the process that had asked before.
    await rpc('htable.sets', ['called', key, item.value])
    expect(await status()).to.equal(403)
  })

  const keyOf = async ({ id }: TrunkNumber): Promise<string> => {
    const slots = (await rpc('htable.dump', ['called'])) as { slot: { name: string; value: string }[] }[]
    const found = slots.flatMap(({ slot }) => slot).find(({ value }) => value.includes(id))
    if (!found) throw new Error(`nothing is kept of ${id}`)
    return found.name
  }

  /** When an entry ends, in milliseconds since 1970: Kamailio says it in the local time of the machine. */
  const expiryOf = async (table: string, key: string): Promise<number> => {
    const { item } = (await rpc('htable.get', [table, key])) as { item: { expire: string } }
    return new Date(item.expire).getTime()
  }

  it('are kept for a minute, and not in the moments after a change', async () => {
    const before = await kept()
    await client.forgetNumbers()
    expect(await status()).to.equal(200)
    expect(await kept()).to.equal(before)
    const isOver = async () =>
      expiryOf('settling', 'numbers').then(
        (expiry) => expiry + 1_000 < Date.now(),
        () => true,
      )
    await eventually(isOver, (is) => is, { what: 'moments that are over', withinMs: 6_000 })
    expect(await status()).to.equal(200)
    expect((await expiryOf('called', await keyOf(number))) - Date.now()).to.be.within(50_000, 61_000)
  })

  it('are of calls that were let through: what is refused fills nothing, nor does a number without a server', async () => {
    const before = await kept()
    const inactive = await newNumber(trunk.world, await newAcl(trunk.world, [carrier.link.host]), {
      status: 'inactive',
    })
    const stranger = await trunk.open(trunk.newAddress())
    expect(await trunk.status(stranger, number.number)).to.equal(403)
    expect(await status(newDigits())).to.equal(403)
    expect(await status(inactive.number)).to.equal(480)
    const long = `"${'x'.repeat(10)}" <${trunk.uriOf(`${number.number};${'y'.repeat(200)}`)}>`
    expect(await status(undefined, { extra: [`To: ${long}`] }), 'a long key').to.equal(200)
    await rpc('htable.delete', ['confirmed', 'numbers'])
    expect(await status()).to.equal(200)
    expect(await kept()).to.equal(before)
  })

  it('are bounded: beyond them numbers are looked up each time', async () => {
    const another = async (): Promise<boolean> => {
      const before = await kept()
      expect(await status((await made()).number)).to.equal(200)
      return (await kept()) > before
    }
    expect(await another()).to.equal(true)
    // It counts them every two seconds.
    const isFull = async (): Promise<boolean> => {
      await rpc('pv.shvSet', ['kept_numbers', 'int', 50_000])
      return !(await another())
    }
    await eventually(isFull, (is) => is, { what: 'numbers that are not kept', withinMs: 5_000 })
    await eventually(another, (is) => is, { what: 'numbers that are counted again', withinMs: 5_000 })
  })
})
