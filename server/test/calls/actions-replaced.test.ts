/** PUT /calls/:id/actions at any moment of a call: what is accepted runs, once, or is replaced by what was accepted later. */
import { expect } from 'chai'
import { ActionsBench, type TestAction, type TestCall, hz, sleep } from '../support/actions-bench.js'
import { eventually } from '../support/api-client.js'
import { DnsServer } from '../support/dns-server.js'
import { findFreeswitch } from '../support/freeswitch.js'
import type { Telephone } from '../support/telephone.js'

const operatorHz = 1500

describe('replacing and adding actions on the freeswitch', function () {
  this.timeout(120_000)
  let bench: ActionsBench
  let dns: DnsServer
  let operator: Telephone
  let from: string

  before(async function () {
    if (!(await findFreeswitch())) this.skip()
    dns = await DnsServer.start(() => [])
    bench = await ActionsBench.start({ settings: { JACKFIELD_HTTP_CLIENT_DNS_SERVERS: dns.address } })
    ;({ phone: operator, from } = await bench.operator())
  })
  after(async () => {
    await bench?.stop()
    dns?.close()
  })

  const put = async (id: string, actions: TestAction[], mode?: 'replace' | 'push') =>
    bench.api.put(`/calls/${id}/actions`, { actions, ...(mode && { mode }) })

  const reach = (): TestAction => ({ action: 'to_operator', params: { phone_number: '+12025550106', from } })
  const ivr = { action: 'ivr', params: { timeout: 30, webhook_url: 'https://customer.test/' } }
  const menu = [
    { id: 'menu', type: 'menu', params: { text: 'Press one.', timeout: 30 }, next: { '1': 'menu' } },
  ]

  interface Moment {
    title: string
    begin: () => Promise<TestCall>
    /** Waits until the call is there. */
    until: (call: TestCall) => Promise<unknown>
    /** What it was doing, as the timeline tells. */
    doing: string
  }

  const moments: Moment[] = [
    {
      title: 'an audio is played',
      begin: async () => bench.run('outbound', [await bench.tone(hz.low, 8)]),
      until: async (call) => call.hears(hz.low),
      doing: 'play:replaced',
    },
    {
      title: 'an audio is played in the background of an ivr',
      begin: async () => bench.run('inbound', [await bench.tone(hz.low, 1, { continue_on_play: true }), ivr]),
      until: async (call) => call.hears(hz.low),
      doing: 'play:completed',
    },
    {
      title: 'an ivr collects keys',
      begin: async () => bench.run('outbound', [ivr]),
      until: async (call) => {
        call.press('')
        await sleep(400)
      },
      doing: 'ivr:replaced',
    },
    {
      title: 'a flow waits in a menu',
      begin: async () => bench.callIn(menu),
      until: async () => sleep(800),
      doing: '',
    },
    {
      title: 'an operator is rung',
      begin: async () => {
        operator.onCall = 'ring'
        return bench.run('outbound', [reach()])
      },
      until: async () =>
        eventually(
          async () => operator.incoming.at(-1)?.state,
          (state) => state === 'ringing',
          { what: 'ringing' },
        ),
      doing: 'to_operator:replaced',
    },
    {
      title: 'an operator is rung and an audio is heard meanwhile',
      begin: async () => {
        const ringback_audio_id = await bench.audio(hz.low, 1)
        operator.onCall = 'ring'
        return bench.run('outbound', [{ ...reach(), params: { ...reach().params, ringback_audio_id } }])
      },
      until: async (call) => call.hears(hz.low),
      doing: 'to_operator:replaced',
    },
    {
      title: 'it is joined with an operator',
      begin: async () => {
        operator.onCall = 'answer'
        return bench.run('inbound', [reach()])
      },
      until: async (call) => call.hears(operatorHz),
      doing: '',
    },
  ]

  for (const { title, begin, until, doing } of moments) {
    it(`begins at once while ${title}`, async () => {
      const high = await bench.tone(hz.high, 1)
      const call = await begin()
      await until(call)
      const { status, body } = await put(call.id, [high])
      expect(status, JSON.stringify(body)).to.equal(200)
      expect(body.data).to.deep.equal({ call_id: call.id, queued: true, action_count: 1 })
      const { record } = await call.over()
      expect(record).to.include({ status: 'completed', hangup_cause: 'NORMAL_CLEARING' })
      expect(call.tones.at(-1)).to.equal(hz.high)
      expect(call.heard.at(-1)!.ms, 'the whole audio').to.be.within(750, 1_300)
      expect(await call.outcomes()).to.deep.equal([...(doing ? [doing] : []), 'play:completed'])
      expect(operator.incoming.at(-1)?.state).to.be.oneOf([undefined, 'ended'])
    })
  }

  it('waits when it is pushed, behind all that a script and a flow have left', async () => {
    for (const begin of [
      async () => bench.run('outbound', [await bench.tone(hz.low, 4), await bench.tone(hz.middle, 0.5)]),
      async () => bench.run('inbound', [await bench.tone(hz.low, 4), await bench.tone(hz.middle, 0.5)]),
    ]) {
      const [third, fourth] = [await bench.tone(hz.high, 0.5), await bench.tone(hz.low, 0.5)]
      const call = await begin()
      await call.hears(hz.low)
      expect((await put(call.id, [third], 'push')).status).to.equal(200)
      expect((await put(call.id, [fourth], 'push')).status).to.equal(200)
      await call.over()
      expect(call.tones).to.deep.equal([hz.low, hz.middle, hz.high, hz.low])
    }
  })

  it('is refused of calls that are not answered, or have ended', async () => {
    operator.onCall = 'ring'
    const unanswered = await bench.ring([{ id: 'out', type: 'to_operator', params: reach().params! }])
    await unanswered.dialog.heard(180)
    const tone = await bench.tone(hz.high, 0.5)
    for (const mode of ['replace', 'push'] as const) {
      const { status, body } = await put(unanswered.id, [tone], mode)
      expect(status).to.equal(400)
      expect(body.message).to.include('must be started or active')
    }
    unanswered.dialog.phone.cancel(unanswered.dialog)
    await unanswered.over()
    expect((await put(unanswered.id, [tone])).status).to.equal(400)
    expect((await put('call_unknown', [tone])).status).to.equal(404)
    expect((await put(unanswered.id, [])).status).to.equal(400)
  })

  it('takes one of two that come at once, whole', async () => {
    for (let round = 0; round < 5; round++) {
      const call = await bench.run('outbound', [await bench.tone(hz.low, 8)])
      await call.hears(hz.low)
      const answers = await Promise.all([
        put(call.id, [marker(1), await bench.tone(hz.middle, 0.5)]),
        put(call.id, [marker(2), await bench.tone(hz.high, 0.5)]),
      ])
      expect(answers.map(({ status }) => status)).to.deep.equal([200, 200])
      await call.over()
      const ran = await marked(call.id)
      const last = ran.at(-1) === 1 ? hz.middle : hz.high
      expect(call.tones.at(-1), 'what was accepted last is heard').to.equal(last)
      expect(call.heard.at(-1)!.ms).to.be.above(300)
    }
  })

  it('loses nothing of 200 that come at random moments, nor runs any twice', async () => {
    let left = 200
    let next = 0
    const tones = [await bench.tone(hz.low, 0.05), await bench.tone(hz.high, 0.2)]
    const driveOne = async () => {
      const id = await bench.calls.call('+12025550100', [await bench.tone(hz.middle, 0.4)])
      await eventually(
        async () => (await bench.calls.record(id)).status,
        (status) => status !== 'created' && status !== 'ringing',
        { what: 'answer' },
      )
      const accepted: { mark: number; mode: 'replace' | 'push'; ends: boolean }[] = []
      for (let over = false; !over && left > 0;) {
        left--
        const mark = next++
        const mode = Math.random() < 0.3 ? 'push' : 'replace'
        const hangup = Math.random() < 0.1 ? [{ action: 'hangup' }] : []
        await sleep(Math.random() * 260)
        const { status, body } = await put(id, [marker(mark), tones[mark % 2]!, ...hangup], mode)
        expect(status, JSON.stringify(body)).to.be.oneOf([200, 400])
        over = status === 400
        if (!over) accepted.push({ mark, mode, ends: hangup.length > 0 })
      }
      expect(await bench.calls.ended(id)).to.include({ status: 'completed', hangup_cause: 'NORMAL_CLEARING' })
      const ran = await marked(id)
      expect(new Set(ran).size, `run twice: ${ran.join(' ')}`).to.equal(ran.length)
      const lastReplace = accepted.findLastIndex(({ mode }) => mode === 'replace')
      const wanted = accepted.slice(Math.max(0, lastReplace))
      // What is pushed behind a hanging up is not reached, as its customer wants it.
      const reachedEnd = wanted.findIndex(({ ends }) => ends)
      const due = wanted.slice(0, reachedEnd < 0 ? wanted.length : reachedEnd + 1).map(({ mark }) => mark)
      expect(ran.slice(ran.length - due.length), `of ${JSON.stringify(accepted)}`).to.deep.equal(due)
      return accepted.length
    }
    const worker = async (): Promise<number> => {
      let accepted = 0
      while (left > 0) accepted += await driveOne()
      return accepted
    }
    const accepted = await Promise.all([1, 2, 3, 4, 5].map(worker))
    expect(accepted.reduce((sum, one) => sum + one, 0)).to.be.above(50)
  })

  /** An action that does nothing but stand in the timeline by its number. */
  function marker(mark: number): TestAction {
    return { action: 'to_operator', params: { to: { number: `sip:m${mark}@nowhere.test` } } }
  }

  async function marked(id: string): Promise<number[]> {
    const { body } = await bench.api.get(`/calls/${id}/events?limit=100`)
    return (body.data as { details?: { to?: { number: string } } }[]).flatMap(({ details }) => {
      const mark = /^sip:m(\d+)@/.exec(details?.to?.number ?? '')?.[1]
      return mark === undefined ? [] : [Number(mark)]
    })
  }
})
