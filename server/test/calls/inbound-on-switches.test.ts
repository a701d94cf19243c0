/** Calls that come in, the same on the sandbox and on FreeSWITCH: who follows the one can trust the other. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { query } from '../api/database.js'
import { eventually } from '../support/api-client.js'
import { availableSwitches } from '../support/appliance.js'
import { callIn } from '../support/caller-in.js'
import { InboundBench, type TestNode } from '../support/inbound-bench.js'

const say = (id: string, text: string, next: Record<string, string> = {}): TestNode => ({
  ...{ id, type: 'tts', params: { text }, next },
})
const connect = (id: string, number: string, params = {}, next = {}): TestNode => ({
  ...{ id, type: 'to_operator', params: { phone_number: number, ...params }, next },
})

for (const kind of await availableSwitches()) {
  describe(`calls that come in on the ${kind}`, function () {
    this.timeout(90_000)
    let bench: InboundBench

    before(async () => {
      bench = await InboundBench.start({}, kind)
    })
    after(async () => bench?.stop())

    /** Calls in, and waits for the end of the call that it makes. */
    async function called(options: Parameters<typeof callIn>[1] = {}) {
      const before = await calls()
      await callIn(bench, options)
      await eventually(calls, (count) => count > before, { what: 'call' })
      const record = await bench.bench.ended(await bench.lastCallId(), 30_000)
      return { ...record, events: (await bench.timeline(record.call_id)).map(({ event }) => event) }
    }
    const calls = async () => (await bench.api.get('/calls?limit=1')).body.meta.total as number

    it('run the flow of their number, and end with it', async () => {
      await bench.runs([say('welcome', 'Welcome.', { default: 'bye' }), { id: 'bye', type: 'hangup' }])
      const call = await called({ from: '+442071838750' })
      expect(call).to.include({ direction: 'inbound', status: 'completed', hangup_cause: 'NORMAL_CLEARING' })
      expect(call).to.include({ from: '+442071838750', to: bench.number, sip_code: 200 })
      expect(call.events).to.deep.equal([
        ...['call.created', 'call.ringing', 'call.answered', 'call.node', 'call.node', 'call.ended'],
      ])
      expect(await bench.path(call.call_id)).to.deep.equal(['welcome:completed', 'bye:completed'])
    })

    it('go where the keys lead, also those that are pressed ahead', async () => {
      await bench.runs([
        {
          ...{ id: 'first', type: 'menu', params: { text: 'Press one, two or three.', timeout: 5 } },
          next: { '1': 'second', invalid: 'bye' },
        },
        {
          ...{ id: 'second', type: 'menu', params: { text: 'Press star or hash.', timeout: 5 } },
          next: { '*': 'bye', '#': 'thanks' },
        },
        say('thanks', 'Thank you.'),
        { id: 'bye', type: 'hangup', params: { cause: 'CALL_REJECTED' } },
      ])
      const right = await called({ keys: '1#' })
      expect(await bench.path(right.call_id)).to.deep.equal(['first:1', 'second:#', 'thanks:completed'])
      const late = await called({ keys: '1WW*' })
      expect(await bench.path(late.call_id)).to.deep.equal(['first:1', 'second:*', 'bye:completed'])
      expect(late.hangup_cause).to.equal('CALL_REJECTED')
    })

    it('end when the caller hangs up, in a prompt or in a talk', async () => {
      await bench.runs([say('long', 'This is a long text. '.repeat(20))])
      const prompt = await called({ stays: 1 })
      expect(prompt).to.include({ status: 'completed', hangup_cause: 'NORMAL_CLEARING' })
      await bench.runs([connect('out', '+12025550100')])
      const bridge = await called({ stays: 2 })
      expect(bridge).to.include({ status: 'completed', hangup_cause: 'NORMAL_CLEARING' })
      expect(bridge.legs.map(({ role }) => role)).to.deep.equal(['caller', 'destination'])
      expect(bridge.legs.every(({ ended_at }) => ended_at !== null)).to.equal(true)
    })

    it('end with all their legs when the caller hangs up while the server is away', async () => {
      await bench.runs([connect('out', '+12025550100')])
      const before = await calls()
      const stays = 6
      await callIn(bench, { stays })
      await eventually(calls, (count) => count > before, { what: 'call' })
      const id = await bench.lastCallId()
      const { answered_at } = await bench.bench.reaches(id, 'active')
      await bench.bench.appliance.killServer()
      await sleep(Date.parse(answered_at!) + (stays + 1) * 1_000 - Date.now())
      await bench.bench.appliance.startServer()
      const call = await bench.bench.ended(id)
      expect(call).to.include({ status: 'completed', hangup_cause: 'NORMAL_CLEARING' })
      expect(call.legs.map(({ role }) => role)).to.deep.equal(['caller', 'destination'])
      expect(call.legs.map(({ ended_at }) => ended_at)).to.not.include(null)
    })

    it('are answered only when somebody answers, and take the branch of how nobody did', async () => {
      await bench.runs([
        connect('busy', '+12025550101', {}, { busy: 'failing' }),
        connect('failing', '+12025550103', {}, { failed: 'silent' }),
        connect('silent', '+12025550102', { timeout: 5 }, { no_answer: 'bye' }),
        { id: 'bye', type: 'hangup', params: { cause: 'USER_BUSY' } },
      ])
      const call = await called()
      expect(await bench.path(call.call_id)).to.deep.equal([
        'busy:busy',
        'failing:failed',
        'silent:no_answer',
        'bye:completed',
      ])
      expect(call).to.include({ status: 'busy', sip_code: 486, answered_at: null, cost: 0 })
      expect(call.events).to.include('call.ringing').and.not.to.include('call.answered')
    })

    it('hear what is played without an answer, where the flow says so', async () => {
      const audio = { title: 'Notice', text: 'The number has changed.' }
      const { id } = (await bench.api.post('/audios', audio)).body as { id: string }
      await bench.runs([
        {
          ...{ id: 'notice', type: 'play', params: { audio_id: id, answer_call: false } },
          next: { default: 'bye' },
        },
        { id: 'bye', type: 'hangup', params: { cause: 'NUMBER_CHANGED' } },
      ])
      const unanswered = await called()
      expect(unanswered).to.include({ answered_at: null, hangup_cause: 'NUMBER_CHANGED', sip_code: 410 })
      expect(await bench.path(unanswered.call_id)).to.deep.equal(['notice:completed', 'bye:completed'])
    })

    it('are canceled by who gives up', async () => {
      await bench.runs([connect('silent', '+12025550102', { timeout: 30 })])
      const call = await called({ patience: 2 })
      expect(call).to.include({ status: 'canceled', hangup_cause: 'ORIGINATOR_CANCEL', sip_code: 487 })
      expect(call.answered_at).to.equal(null)
    })

    it('are refused without a flow, without credit and over the limit', async () => {
      await bench.takesTo(null)
      expect(await called()).to.include({
        status: 'failed',
        sip_code: 480,
        hangup_cause: 'SUBSCRIBER_ABSENT',
      })
      await bench.runs([say('welcome', 'Welcome.')])
      const path = `/workspaces/${bench.bench.workspace.id}`
      await bench.bench.appliance.operator.patch(path, { max_concurrent_calls: 0 })
      expect(await called()).to.include({ status: 'busy', sip_code: 486, hangup_cause: 'USER_BUSY' })
      await bench.bench.appliance.operator.patch(path, { max_concurrent_calls: null })
      const { appliance, workspace } = bench.bench
      const setBalance = async (usd: number) =>
        query(appliance, 'UPDATE credit_balances SET balance = ? WHERE workspace_id = ?', [usd, workspace.id])
      await setBalance(0)
      expect(await called()).to.include({ status: 'failed', sip_code: 402 })
      const id = await bench.lastCallId()
      expect((await bench.timeline(id)).at(-1)).to.deep.include({
        event: 'call.ended',
        details: { reason: 'no_credit', problem: 'The workspace has no credit left for the call' },
      })
      await setBalance(100)
    })

    it('go on where they were when the server is killed', async () => {
      await bench.runs([
        {
          ...{ id: 'choose', type: 'menu', params: { text: 'Press one.', timeout: 20 } },
          next: { '1': 'thanks' },
        },
        say('thanks', 'Thank you.'),
      ])
      const before = await calls()
      // Again and again: what is pressed while the server is down is heard by nobody.
      await callIn(bench, { keys: 'WWWWWWWW1WWWW1WWWW1WWWW1', stays: 50 })
      await eventually(calls, (count) => count > before, { what: 'call' })
      const id = await bench.lastCallId()
      await bench.bench.reaches(id, 'started')
      await sleep(500)
      await bench.bench.appliance.killServer()
      await bench.bench.appliance.startServer()
      const call = await bench.bench.ended(id, 50_000)
      expect(call).to.include({ status: 'completed', hangup_cause: 'NORMAL_CLEARING' })
      expect(await bench.path(id)).to.deep.equal(['choose:1', 'thanks:completed'])
    })
  })
}
