/** Calls to and from softphones of agents, on a real FreeSWITCH: every party plays its own tone. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { billed } from '../support/billed.js'
import { eventually } from '../support/api-client.js'
import { feePerMinute } from '../support/call-bench.js'
import { findFreeswitch } from '../support/freeswitch.js'
import { type Account, PhoneBench } from '../support/phone-bench.js'
import { type PhoneDialog, hears } from '../support/phone-dialog.js'
import type { Telephone } from '../support/telephone.js'
import { header } from '../support/sip-message.js'

const annaHz = 500
const benHz = 900
const deskHz = 1300

describe('calls of agents’ softphones on the freeswitch', function () {
  this.timeout(60_000)
  let phones: PhoneBench
  let anna: Telephone
  let ben: Telephone
  let desk: Telephone
  let annaAgent: Account
  let benAgent: Account
  let deskAccount: Account

  before(async function () {
    if (!(await findFreeswitch())) this.skip()
    phones = await PhoneBench.start({ settings: { JACKFIELD_CALLS_RING_TIMEOUT: '5' } })
    annaAgent = await phones.agent('anna')
    benAgent = await phones.agent('ben')
    deskAccount = await phones.account('desk')
    await phones.extension('201', annaAgent)
    await phones.extension('202', benAgent)
    anna = await phones.phone(annaAgent, { toneHz: annaHz })
    ben = await phones.phone(benAgent, { toneHz: benHz })
    desk = await phones.phone(deskAccount, { toneHz: deskHz })
  })
  beforeEach(() => {
    ben.onCall = 'answer'
  })
  after(async () => phones?.stop())

  const hearing = async (dialog: PhoneDialog, hz: number, what: string) =>
    eventually(
      async () => hears(dialog, hz),
      (level) => level > 0.5,
      { what },
    )
  const state = async ({ id }: Account): Promise<string> =>
    (await phones.api.get(`/agents/${id}`)).body.state as string

  /** Who has just hung up has the call for a few milliseconds more. */
  const allAvailable = async () => {
    for (const agent of [annaAgent, benAgent]) {
      await eventually(
        async () => state(agent),
        (now) => now === 'available',
        { what: `${agent.username} available` },
      )
    }
  }
  beforeEach(allAvailable)

  for (const [what, dialled] of [
    ['username', 'ben'],
    ['extension', '202'],
  ] as const) {
    it(`reach another agent by ${what}: each hears the other, and both are in a call`, async () => {
      const call = anna.call(dialled)
      expect(await call.answered()).to.equal(200)
      const bens = ben.incoming.at(-1)!
      await bens.up()
      await hearing(call, benHz, 'anna hears ben')
      await hearing(bens, annaHz, 'ben hears anna')
      for (const agent of [annaAgent, benAgent]) {
        await eventually(
          async () => state(agent),
          (now) => now === 'incall',
        )
      }
      await call.hangUp()
      await bens.over()
      const record = await phones.lastCall()
      expect(record).to.include({
        ...{ status: 'completed', direction: 'outbound', from: '201', to: dialled },
        ...{ agent_id: annaAgent.id, sip_account_id: null, cost: 0 },
      })
      expect(record.legs.map(({ role, agent_id }) => [role, agent_id])).to.deep.equal([
        ['caller', annaAgent.id],
        ['called', benAgent.id],
      ])
      expect(await state(annaAgent)).to.equal('available')
      expect(header({ text: bens.received[0]! }, 'From')).to.include('"Agent anna" <sip:201@')
    })
  }

  it('reach SIP accounts, and are reached by them', async () => {
    const out = anna.call('desk')
    expect(await out.answered()).to.equal(200)
    await hearing(out, deskHz, 'anna hears the desk')
    await out.hangUp()
    await allAvailable()
    const back = desk.call('anna')
    expect(await back.answered()).to.equal(200)
    await hearing(back, annaHz, 'the desk hears anna')
    await back.hangUp()
    expect(await phones.lastCall()).to.include({ sip_account_id: deskAccount.id, agent_id: null })
  })

  it('are busy with 486 while the agent is rung or in a call, without a second ring', async () => {
    ben.onCall = 'ring'
    const before = ben.incoming.length
    const first = desk.call('ben')
    await first.heard(180)
    await eventually(
      async () => state(benAgent),
      (now) => now === 'busy',
    )
    expect(await anna.call('ben').answered()).to.equal(486)
    expect(await phones.lastCall()).to.include({ status: 'busy', hangup_cause: 'USER_BUSY', sip_code: 486 })
    ben.accept(ben.incoming.at(-1)!)
    expect(await first.answered()).to.equal(200)
    expect(await anna.call('202').answered()).to.equal(486)
    await first.hangUp()
    expect(ben.incoming.length).to.equal(before + 1)
    // Whoever calls is busy as well.
    ben.onCall = 'answer'
    const own = ben.call('desk')
    expect(await own.answered()).to.equal(200)
    expect(await anna.call('ben').answered()).to.equal(486)
    await own.hangUp()
    await eventually(
      async () => state(benAgent),
      (now) => now === 'available',
    )
    const again = anna.call('ben')
    expect(await again.answered()).to.equal(200)
    await again.hangUp()
  })

  it('are known to be busy by a server that was killed', async () => {
    const call = desk.call('ben')
    expect(await call.answered()).to.equal(200)
    await phones.bench.appliance.killServer()
    await phones.bench.appliance.startServer()
    const refused = anna.call('ben')
    expect(await refused.answered()).to.equal(486)
    await call.hangUp()
    await ben.incoming.at(-1)!.over()
    await allAvailable()
    const again = anna.call('ben')
    expect(await again.answered()).to.equal(200)
    await again.hangUp()
  })

  it('call the telephone network with a number that is shared with a team of theirs, or with all', async () => {
    const { carrier, numberId } = phones.bench
    const share = async (...teams: string[]) =>
      phones.api.patch(`/phone-numbers/${numberId}`, { shared_teams_id: teams })
    const sales = await phones.team('Sales', [benAgent])
    const call = anna.call('+12025550100')
    expect(await call.answered()).to.equal(200)
    const [invite] = await carrier!.messages()
    expect(header(invite!, 'From')).to.include('+12025550199')
    await sleep(1_000)
    await call.hangUp()
    const record = await phones.lastCall()
    expect(record.cost).to.be.closeTo((feePerMinute / 60) * billed(record), 0.0001)
    await share(sales)
    expect(await anna.call('+12025550100').answered()).to.equal(403)
    const bens = ben.call('+12025550100')
    expect(await bens.answered()).to.equal(200)
    await bens.hangUp()
    await share()
  })

  it('are called by the API, which may call as an agent', async () => {
    const made = await phones.api.post('/calls/make', {
      to: { number: 'ben' },
      from: { number: 'anna' },
      actions: [{ action: 'tts', params: { text: 'Hello.' } }],
    })
    expect(made.status).to.equal(201)
    expect(made.body.data.from.number).to.equal('201')
    const record = await phones.bench.ended(made.body.data.call_id as string)
    expect(record).to.include({ status: 'completed', from: '201', to: 'ben' })
    expect(record.legs[0]).to.include({ role: 'called', agent_id: benAgent.id })
    expect(header({ text: ben.incoming.at(-1)!.received[0]! }, 'From')).to.include('<sip:201@')
    const outside = await phones.api.post('/calls/make', {
      ...{ to: { number: '+12025550100' }, from: { number: 'anna' } },
    })
    expect(outside.body.data.from.number).to.equal('+12025550199')
    await phones.bench.ended(outside.body.data.call_id as string)
    const unknown = await phones.api.post('/calls/make', { to: { number: 'ben' }, from: { number: 'desk' } })
    expect(unknown.status).to.equal(400)
  })
})
