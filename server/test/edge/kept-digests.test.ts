/** What the edge keeps of accounts in memory, and until when it believes that; the server's part is the test's. */
import { expect } from 'chai'
import { EdgeClient } from '../../src/adapters/kamailio/edge-client.js'
import { eventually } from '../support/api-client.js'
import { accountHashes } from '../support/sip-digest.js'
import { type PhoneOptions, SipPhone } from '../support/sip-phone.js'
import { type Account, EdgeWorld } from './accounts.js'

describe('edge: digests that are kept', function () {
  this.timeout(30_000)
  let world: EdgeWorld
  let client: EdgeClient
  let phones: SipPhone[] = []

  before(async () => {
    world = await EdgeWorld.start()
    const { rpcHost, rpcPort, rpcSecret } = world.edge.options
    client = new EdgeClient(`http://${rpcHost}:${rpcPort}/RPC`, rpcSecret)
  })
  beforeEach(async () => client.confirmDigests())
  afterEach(() => {
    for (const phone of phones) phone.close()
    phones = []
  })
  after(async () => world?.stop())

  const open = async (options: PhoneOptions): Promise<SipPhone> => {
    const phone = await SipPhone.open(world.edge.options, options)
    phones.push(phone)
    return phone
  }
  const status = async (options: PhoneOptions): Promise<number> =>
    (await (await open(options)).register()).status
  const kept = async (): Promise<number> => (await client.tableSizes())['digests'] ?? -1
  /** Changes the password in the database alone: the edge is not told. */
  const changePassword = async ({ id, username, domain }: Account, password: string): Promise<void> => {
    const hashes = accountHashes(username, domain, password)
    await world.query('UPDATE sip_accounts SET ? WHERE id = ?', [hashes, id])
  }
  const changed = 'another one'

  it('are used as long as a server says that the edge knows of all changes', async () => {
    const account = await world.account()
    expect(await status(account)).to.equal(200)
    await changePassword(account, changed)
    expect(await status(account), 'kept').to.equal(200)
    expect(await status({ ...account, algorithm: 'SHA-256', transport: 'tcp' })).to.equal(200)
    expect(await status({ ...account, longName: true })).to.equal(200)
    expect(await status({ ...account, password: 'wrong' })).to.equal(401)

    await world.edge.rpc('htable.delete', ['confirmed', 'digests'])
    expect(await status(account), 'as soon as no server says so').to.equal(401)
    expect(await status({ ...account, password: changed })).to.equal(200)
  })

  it('are not believed for longer than 15 s after a server has last said so', async () => {
    const account = await world.account()
    expect(await status(account)).to.equal(200)
    const { item } = (await world.edge.rpc('htable.get', ['confirmed', 'digests'])) as {
      item: { expire: string }
    }
    // in the local time of the machine
    expect(new Date(item.expire).getTime() - Date.now()).to.be.within(5_000, 15_000)
  })

  it('give way to a new password at once, and to no wrong one', async () => {
    const account = await world.account()
    expect(await status(account)).to.equal(200)
    await changePassword(account, changed)
    expect(await status({ ...account, password: changed })).to.equal(200)
    expect(await status(account), 'what was read again is kept').to.equal(401)
  })

  it('are forgotten with the registrations', async () => {
    const account = await world.account()
    const before = await kept()
    expect(await status(account)).to.equal(200)
    expect(await kept()).to.equal(before + 1)
    await world.query('DELETE FROM sip_accounts WHERE id = ?', [account.id])
    await client.removeRegistrations(account.username, account.domain)
    expect(await kept()).to.equal(before)
    expect(await status(account)).to.equal(401)
  })

  it('are not kept while an account may be changing', async () => {
    const account = await world.account()
    const before = await kept()
    await world.edge.rpc('htable.seti', ['changed', `${account.username}@${account.domain}`, 1])
    expect(await status(account)).to.equal(200)
    expect(await kept()).to.equal(before)
    await changePassword(account, changed)
    expect(await status(account)).to.equal(401)
  })

  it('are of phones that had the right password: strangers fill nothing', async () => {
    const account = await world.account()
    const before = await kept()
    for (let index = 0; index < 10; index++) {
      expect(await status({ ...account, username: `stranger-${index}` })).to.equal(401)
    }
    expect(await status({ ...account, password: 'wrong' })).to.equal(401)
    expect(await kept()).to.equal(before)
  })

  it('are bounded: beyond them accounts are looked up each time', async () => {
    const another = async (): Promise<boolean> => {
      const before = await kept()
      expect(await status(await world.account())).to.equal(200)
      return (await kept()) > before
    }
    expect(await another()).to.equal(true)
    // It counts them every two seconds.
    const isFull = async (): Promise<boolean> => {
      await world.edge.rpc('pv.shvSet', ['kept', 'int', 100_000])
      return !(await another())
    }
    await eventually(isFull, (is) => is, { what: 'digests that are not kept', withinMs: 5_000 })
    await eventually(another, (is) => is, { what: 'digests that are counted again', withinMs: 5_000 })
  })
})
