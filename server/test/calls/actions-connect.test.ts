/** Nodes and actions that connect a call inside its workspace, with each of their parameters and outcomes. */
import { expect } from 'chai'
import {
  ActionsBench,
  type TestAction,
  type TestCall,
  bothTalk,
  hz,
  sleep,
} from '../support/actions-bench.js'
import { eventually } from '../support/api-client.js'
import { CustomerServer, answering } from '../support/customer-server.js'
import { findFreeswitch } from '../support/freeswitch.js'
import type { TestNode } from '../support/inbound-bench.js'
import { type Account, PhoneBench } from '../support/phone-bench.js'
import { header } from '../support/sip-message.js'
import type { PhoneDialog } from '../support/phone-dialog.js'
import type { Telephone } from '../support/telephone.js'

const callerHz = 440
const deskHz = 1500
const annaHz = 1800

describe('connecting inside a workspace on the freeswitch', function () {
  this.timeout(60_000)
  let bench: ActionsBench
  let phones: PhoneBench
  let customer: CustomerServer
  /** A SIP account of extension 101, and an agent alone in a team. */
  let desk: Telephone
  let anna: Telephone
  let agent: Account
  let team: string
  const extensions = new Map<string, string>()

  before(async function () {
    if (!(await findFreeswitch())) this.skip()
    customer = await CustomerServer.start()
    bench = await ActionsBench.start({ settings: { JACKFIELD_HTTP_CLIENT_ALLOWED_NETWORKS: '127.0.0.1/32' } })
    phones = PhoneBench.on(bench.calls)
    const account = await phones.account('desk')
    desk = await phones.phone(account, { toneHz: deskHz })
    agent = await phones.agent('anna')
    anna = await phones.phone(agent, { toneHz: annaHz })
    team = await phones.team('Sales', [agent])
    await phones.extension('101', account)
    await phones.extension('102', await phones.account('empty'))
    const { body } = await bench.api.get('/extensions')
    for (const { id, extension_number } of body.data) extensions.set(extension_number, id)
  })
  after(async () => {
    await phones?.closePhones()
    await bench?.stop()
    await customer?.stop()
  })

  /** The next call of a phone, once it has come. */
  const areBridged = async (call: TestCall, dialog: PhoneDialog, tone: number) =>
    bothTalk(call, dialog, tone, callerHz)

  const goTo = (params: object = {}): TestNode => ({ id: 'to', type: 'go_to_extension', params })

  describe('go_to_extension', () => {
    const outcomes: [title: string, number: string, does: Telephone['onCall'], outcome: string][] = [
      ['a phone that is busy', '101', 486, 'busy'],
      ['a phone that declines', '101', 603, 'busy'],
      ['a phone that nobody takes', '101', 'ring', 'no_answer'],
      ['a phone that cannot', '101', 500, 'failed'],
      ['an account without a phone', '102', 'answer', 'offline'],
    ]
    for (const [title, number, does, outcome] of outcomes) {
      it(`${outcome} for ${title}`, async () => {
        desk.onCall = does
        const node = goTo({ extension_id: extensions.get(number), timeout: 2 })
        const call = await bench.ring([{ ...node, next: { [outcome]: 'bye' } }, bye])
        expect(await call.dialog.answered()).to.equal(410)
        await call.over()
        expect(await bench.inbound.path(call.id)).to.deep.equal([`to:${outcome}`, 'bye:completed'])
      })
    }

    const bye = { id: 'bye', type: 'hangup', params: { cause: 'NUMBER_CHANGED' } }

    it('joins the caller with the phone of the extension that was dialled, who is shown', async () => {
      desk.onCall = 'answer'
      const seen = desk.incoming.length
      const ask = { id: 'ask', type: 'ivr', params: { max_digits: 6 }, next: { completed: 'to' } }
      const call = await bench.callIn([ask, goTo()], { username: '+12125550188' })
      call.press('101#')
      const dialog = await desk.called(seen)
      await areBridged(call, dialog, deskHz)
      expect(header({ text: dialog.received[0]! }, 'From')).to.include('<sip:+12125550188@')
      await dialog.hangUp()
      const { record } = await call.over()
      expect(await bench.inbound.path(call.id)).to.deep.equal(['ask:completed', 'to:completed'])
      expect(record.legs.at(-1)).to.include({ role: 'destination', number: 'desk' })
      expect(record.legs.at(-1)!.sip_account_id).to.match(/^si_/)
    })

    it('unknown for digits that are no extension, and for none', async () => {
      for (const keys of ['999#', '#']) {
        const ask = { id: 'ask', type: 'ivr', params: { max_digits: 6 }, next: { completed: 'to' } }
        const call = await bench.callIn([ask, { ...goTo(), next: { unknown: 'bye' } }, bye])
        call.press(keys)
        await call.over()
        expect((await bench.inbound.path(call.id)).slice(1)).to.deep.equal(['to:unknown', 'bye:completed'])
      }
    })
  })

  const members: [title: string, action: () => TestAction][] = [
    ['connect_agent', () => ({ action: 'connect_agent', params: { agent_id: agent.id } })],
    ['connect_team', () => ({ action: 'connect_team', params: { team_id: team } })],
  ]
  for (const [title, action] of members) {
    it(`${title} plays the ringback audio until the answer, also to a caller who is not answered`, async () => {
      const ringback_audio_id = await bench.audio(hz.low, 1)
      const params = { ...action().params, ringback_audio_id }
      const nodes = [{ id: 'to', type: title, params }]
      for (const begin of [
        async () => bench.ring(nodes),
        async () => bench.run('outbound', [{ action: title, params }]),
      ]) {
        anna.onCall = 'ring'
        await isAvailable()
        const seen = anna.incoming.length
        const call = await begin()
        const dialog = await anna.called(seen)
        await call.hears(hz.low)
        expect(call.dialog.statuses).to.not.include(200)
        anna.accept(dialog)
        await areBridged(call, dialog, annaHz)
        await sleep(400)
        expect(call.tones).to.deep.equal([hz.low, annaHz])
        await dialog.hangUp()
        await call.over()
        expect(await call.outcomes()).to.deep.equal([`${title}:completed`])
      }
    })

    it(`${title} rings no longer than it may, and the script goes on`, async () => {
      anna.onCall = 'ring'
      await isAvailable()
      const { params } = action()
      const seen = anna.incoming.length
      const call = await bench.run('outbound', [
        { action: title, params: { ...params, timeout: 2 }, continue: false },
        await bench.tone(hz.high, 1),
      ])
      expect(await (await anna.called(seen)).over()).to.equal('CANCEL')
      await call.over()
      expect(await call.outcomes()).to.deep.equal([`${title}:no_answer`, 'play:completed'])
      expect(call.tones.at(-1), `${call.samples} samples`).to.equal(hz.high)
    })
  }

  it('a queue keeps callers unanswered where it shall not answer, who hear the music', async () => {
    anna.onCall = 'answer'
    await isAvailable()
    const seen = anna.incoming.length
    const first = await bench.ring([{ id: 'to', type: 'connect_agent', params: { agent_id: agent.id } }])
    const busy = await anna.called(seen)
    await busy.up()
    const queue = { music_audio_id: await bench.audio(hz.middle, 1), max_wait: 3 }
    const actions = [
      { action: 'connect_team', params: { team_id: team, queue }, auto_answer: false },
      { action: 'hangup', params: { cause: 'USER_BUSY' } },
    ]
    const url = customer.on('/queue', answering({ actions }))
    const call = await bench.ring([{ id: 'ask', type: 'json_call_action', params: { url } }])
    await call.hears(hz.middle)
    expect(await call.dialog.answered()).to.equal(486)
    expect(call.dialog.statuses).to.include(183).and.not.include(200)
    await call.over()
    expect(await call.outcomes()).to.deep.equal(['connect_team:queue_timeout', 'hangup:completed'])
    await first.dialog.hangUp()
    await busy.over()
  })

  async function isAvailable(): Promise<void> {
    await eventually(
      async () => (await bench.api.get(`/agents/${agent.id}`)).body.state as string,
      (state) => state === 'available',
      { what: 'agent who is available' },
    )
  }
})
