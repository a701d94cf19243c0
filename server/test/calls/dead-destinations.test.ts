/** Calls to what was deleted although an extension or a flow leads to it, on a real FreeSWITCH. */
import { expect } from 'chai'
import { InboundBench } from '../support/inbound-bench.js'
import { findFreeswitch } from '../support/freeswitch.js'
import { type Account, PhoneBench } from '../support/phone-bench.js'

describe('calls to what was deleted, on the freeswitch', function () {
  this.timeout(60_000)
  let phones: PhoneBench
  let inbound: InboundBench
  before(async function () {
    if (!(await findFreeswitch())) this.skip()
    phones = await PhoneBench.start()
    inbound = InboundBench.on(phones.bench)
  })
  after(async () => phones?.stop())

  /** Runs the flow, which goes on at `bye` in any case; the outcome of its first node. */
  const outcomeOf = async (node: object): Promise<string> => {
    const bye = { id: 'bye', type: 'hangup', params: { cause: 'USER_BUSY' } }
    const next = { completed: 'bye', offline: 'bye', failed: 'bye' }
    await inbound.runs([{ id: 'there', next, ...node } as never, bye])
    const dialog = (await inbound.caller()).call(inbound.number)
    await dialog.over()
    return (await inbound.path(await inbound.lastCallId()))[0]!
  }

  for (const [what, path, make] of [
    ['SIP account', 'sip-accounts', async (name: string) => phones.account(name)],
    ['agent', 'agents', async (name: string) => phones.agent(name)],
  ] as const) {
    it(`lose the phone of a deleted ${what} at once, and go on by the edge offline`, async () => {
      const name = path === 'agents' ? 'goneagent' : 'goneaccount'
      const account: Account = await make(name)
      const number = path === 'agents' ? '301' : '302'
      const extension_id = await phones.extension(number, account)
      const phone = await phones.phone(account)
      const bridge = outcomeOf({ type: 'go_to_extension', params: { extension_id } })
      const rung = await phone.called(0)
      await rung.up()
      await rung.hangUp()
      expect(await bridge).to.equal('there:completed')
      const { status, body } = await phones.api.delete(`/${path}/${account.id}`)
      expect([status, body.id]).to.deep.equal([200, account.id])
      expect(await phone.register()).to.equal(401)
      expect(await outcomeOf({ type: 'go_to_extension', params: { extension_id } })).to.equal('there:offline')
      const caller = await phones.phone(await phones.account(`caller${number}`))
      expect(await caller.call(number).answered()).to.be.above(399)
      expect(phone.incoming).to.have.length(1)
    })
  }

  it('go on by the edge offline from a node that names a deleted agent', async () => {
    const agent = await phones.agent('named')
    const node = { type: 'connect_agent', params: { agent_id: agent.id } }
    await inbound.runs([{ id: 'there', next: {}, ...node }])
    expect((await phones.api.delete(`/agents/${agent.id}`)).status).to.equal(200)
    const dialog = (await inbound.caller()).call(inbound.number)
    await dialog.over()
    expect(await inbound.path(await inbound.lastCallId())).to.deep.equal(['there:offline'])
  })
})
