/** An agent and a SIP account of one name on a real FreeSWITCH and a real Kamailio: every party plays its own tone. */
import { expect } from 'chai'
import { eventually } from '../support/api-client.js'
import { findFreeswitch } from '../support/freeswitch.js'
import { type Account, PhoneBench, password } from '../support/phone-bench.js'
import { type PhoneDialog, hears } from '../support/phone-dialog.js'
import { header } from '../support/sip-message.js'
import type { Telephone } from '../support/telephone.js'

const agentHz = 500
const accountHz = 900
const deskHz = 1300

describe('an agent and a SIP account of one name on the freeswitch', function () {
  this.timeout(60_000)
  let phones: PhoneBench
  let agent: Account
  let account: Account
  let ben: Account
  let agents: Telephone
  let accounts: Telephone
  let desk: Telephone
  let bens: Telephone
  let cems: Telephone

  before(async function () {
    if (!(await findFreeswitch())) this.skip()
    phones = await PhoneBench.start({ settings: { JACKFIELD_CALLS_RING_TIMEOUT: '5' } })
    agent = await phones.agent('anna')
    account = await phones.account('anna')
    ben = await phones.agent('ben')
    await phones.extension('201', agent)
    await phones.extension('202', account)
    await phones.extension('300', await phones.team('Sales', [agent]))
    agents = await phones.phone(agent, { toneHz: agentHz })
    accounts = await phones.phone(account, { toneHz: accountHz })
    desk = await phones.phone(await phones.account('desk'), { toneHz: deskHz })
    cems = await phones.phone(await phones.agent('cem'))
    // A phone that was set up in a former version.
    bens = await phones.phone({ ...ben, domain: account.domain })
  })
  after(async () => phones?.stop())
  beforeEach(async () => {
    for (const one of [agent, ben]) {
      await eventually(
        async () => (await phones.api.get(`/agents/${one.id}`)).body.state as string,
        (state) => state === 'available',
        { what: `${one.username} available` },
      )
    }
  })

  /** Which of the two phones a call reached, as the caller hears it. */
  const reaches = async (call: PhoneDialog, phone: Telephone, hz: number) => {
    const other = phone === agents ? accounts : agents
    const [before, others] = [phone.incoming.length, other.incoming.length]
    expect(await call.answered()).to.equal(200)
    await eventually(
      async () => hears(call, hz),
      (level) => level > 0.5,
      { what: `a tone of ${hz} Hz` },
    )
    await call.hangUp()
    expect([phone.incoming.length, other.incoming.length]).to.deep.equal([before + 1, others])
    return phones.lastCall()
  }

  it('have domains of their own', () => {
    expect(agent.domain).to.equal(`agents--${account.domain}`)
  })

  it('are called by their own extension each', async () => {
    const toAgent = await reaches(desk.call('201'), agents, agentHz)
    expect(toAgent.legs.at(-1)).to.include({ agent_id: agent.id, sip_account_id: null })
    const toAccount = await reaches(desk.call('202'), accounts, accountHz)
    expect(toAccount.legs.at(-1)).to.include({ agent_id: null, sip_account_id: account.id })
  })

  it('are rung alone, the agent by a team', async () => {
    await reaches(desk.call('300'), agents, agentHz)
  })

  it('are dialled by name at their own domain each', async () => {
    await reaches(desk.call('anna'), accounts, accountHz)
    await reaches(cems.call('anna'), agents, agentHz)
  })

  it('are called by the API: the agent by the username, the account by its URI or id', async () => {
    const made = async (number: string) => {
      const { status, body } = await phones.api.post('/calls/make', {
        to: { number },
        actions: [{ action: 'hangup', params: {} }],
      })
      expect(status, JSON.stringify(body)).to.equal(201)
      const { legs } = await phones.bench.ended(body.data.call_id as string)
      return legs.map(({ agent_id, sip_account_id }) => agent_id ?? sip_account_id)
    }
    expect(await made('anna')).to.deep.equal([agent.id])
    expect(await made(`sip:anna@${account.domain}`)).to.deep.equal([account.id])
    expect(await made(account.id)).to.deep.equal([account.id])
    expect(await made(`sip:anna@${agent.domain}`)).to.deep.equal([agent.id])
  })

  it('call as who they are', async () => {
    const first = agents.call('202')
    expect(await first.answered()).to.equal(200)
    const from = header({ text: accounts.incoming.at(-1)!.received[0]! }, 'From')
    expect(from).to.include('"Agent anna" <sip:201@')
    await first.hangUp()
    expect(await phones.lastCall()).to.include({ agent_id: agent.id, sip_account_id: null })
    const second = accounts.call('201')
    expect(await second.answered()).to.equal(200)
    await second.hangUp()
    expect(await phones.lastCall()).to.include({ agent_id: null, sip_account_id: account.id })
  })

  it('end no transfer of each other’s', async () => {
    const call = desk.call('202')
    expect(await call.answered()).to.equal(200)
    const taken = accounts.incoming.at(-1)!
    await taken.up()
    bens.onCall = 'ring'
    const before = bens.incoming.length
    expect(await accounts.refer(taken, `sip:ben@${account.domain}`)).to.equal(202)
    const ringing = await bens.called(before)
    const login = { username: 'anna', password, device_id: 'device-anna' }
    const { body } = await phones.api.with({ authorization: undefined }).post('/auth/login', login)
    expect(body.info).to.include({ username: 'anna', domain: agent.domain })
    const asAgent = phones.api.with({ authorization: `Bearer ${body.tokens.access_token as string}` })
    const id = await phones.lastCallIs('active')
    expect((await asAgent.delete(`/call-center/calls/${id}/transfer`)).status).to.equal(403)
    bens.accept(ringing)
    bens.onCall = 'answer'
    await ringing.up()
    await call.hangUp()
    await ringing.over()
    const begun = (await phones.bench.timeline(id)).find(({ event }) => event === 'call.transfer')
    expect(begun?.details).to.include({ transferred_by: account.id })
  })

  it('forward calls to each other', async () => {
    accounts.onCall = 302
    accounts.says = [`Contact: <sip:anna@${agent.domain}>`]
    try {
      const had = agents.incoming.length
      const call = desk.call('202')
      expect(await call.answered()).to.equal(200)
      await (await agents.called(had)).up()
      await call.hangUp()
      expect((await phones.lastCall()).legs.at(-1)).to.include({ agent_id: agent.id, sip_code: null })
    } finally {
      accounts.onCall = 'answer'
      accounts.says = []
    }
  })

  it('leave an agent’s phone alone that is still set up for the other domain', async () => {
    const before = bens.incoming.length
    const call = desk.call('ben')
    expect(await call.answered()).to.equal(200)
    expect(bens.incoming.length).to.equal(before + 1)
    await call.hangUp()
    const own = bens.call('201')
    expect(await own.answered()).to.equal(200)
    await own.hangUp()
    expect(await phones.lastCall()).to.include({ agent_id: ben.id, sip_account_id: null })
  })
})
