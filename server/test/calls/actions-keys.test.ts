/** Actions that collect keys, at the wire. */
import { expect } from 'chai'
import {
  ActionsBench,
  type Direction,
  type TestAction,
  type TestCall,
  asFlow,
  directions,
  hz,
  sleep,
} from '../support/actions-bench.js'
import { eventually } from '../support/api-client.js'
import { CustomerServer, answering } from '../support/customer-server.js'
import { findFreeswitch } from '../support/freeswitch.js'
import { heardIn, hears } from '../support/phone-dialog.js'
import { keyTones, keysAsTones, toneLevel, withoutEvents } from '../support/tone.js'

const ivr = (params: object = {}): TestAction => ({ action: 'ivr', params })

interface Row {
  title: string
  script: (bench: ActionsBench) => Promise<TestAction[]> | TestAction[]
  caller?: (call: TestCall) => Promise<void>
  /** Tones in order. */
  heard?: number[]
  /** What each `ivr` collected. */
  collected: { digits: string; status: 'completed' | 'timeout' }[]
  /** The only one that it is tried in; both by default. */
  only?: Direction
}

const rows: Row[] = [
  {
    title: 'one key by default, in the audio',
    script: () => [ivr()],
    caller: async (call) => call.press('7'),
    collected: [{ digits: '7', status: 'completed' }],
  },
  {
    title: 'one key by SIP INFO',
    script: () => [ivr()],
    caller: async (call) => call.press('*', 'info'),
    collected: [{ digits: '*', status: 'completed' }],
  },
  {
    title: 'each key once that is sent in the audio and by INFO, whichever comes first',
    script: () => [ivr({ max_digits: 8 })],
    caller: async (call) => {
      for (const key of '1223') {
        call.press(key)
        await sleep(250)
        call.press(key, 'info')
        await sleep(100)
      }
      for (const key of '4456') {
        call.press(key, 'info')
        call.press(key)
        await sleep(350)
      }
    },
    collected: [{ digits: '12234456', status: 'completed' }],
  },
  {
    title: 'as many as it asks for, and no more',
    script: async (bench) => [ivr({ max_digits: 3 }), ivr({ timeout: 1 }), await bench.tone(hz.high, 0.5)],
    caller: async (call) => call.press('1234'),
    heard: [hz.high],
    collected: [
      { digits: '123', status: 'completed' },
      { digits: '4', status: 'completed' },
    ],
  },
  {
    title: 'ten at most, of every kind, by INFO',
    script: () => [ivr({ max_digits: 10 })],
    caller: async (call) => {
      for (const key of '908*172635') {
        call.press(key, 'info')
        await sleep(80)
      }
    },
    collected: [{ digits: '908*172635', status: 'completed' }],
    only: 'inbound',
  },
  {
    title: 'keys that each come in time, however long all of them take',
    script: () => [ivr({ timeout: 3, max_digits: 3 })],
    caller: async (call) => {
      for (const key of '123') {
        await sleep(1_700)
        call.press(key)
      }
    },
    collected: [{ digits: '123', status: 'completed' }],
    only: 'outbound',
  },
  {
    title: 'none within the five seconds that it has by default',
    script: async (bench) => [ivr(), await bench.tone(hz.high, 0.5)],
    caller: async (call) => {
      const since = Date.now()
      await call.hears(hz.high)
      expect(Date.now() - since).to.be.above(4_500)
    },
    collected: [{ digits: '', status: 'timeout' }],
    only: 'inbound',
  },
  {
    title: 'a key while an audio is heard in the background',
    script: async (bench) => [
      await bench.tone(hz.low, 6, { continue_on_play: true }),
      ivr({ timeout: 20 }),
      await bench.tone(hz.high, 0.5),
    ],
    caller: async (call) => {
      await call.hears(hz.low)
      call.press('3')
    },
    heard: [hz.low, hz.high],
    collected: [{ digits: '3', status: 'completed' }],
  },
  {
    title: 'fewer with #',
    script: () => [ivr({ max_digits: 10 })],
    caller: async (call) => call.press('42#'),
    collected: [{ digits: '42', status: 'completed' }],
  },
  {
    title: 'none with # alone',
    script: () => [ivr({ max_digits: 10 })],
    caller: async (call) => call.press('#', 'info'),
    collected: [{ digits: '', status: 'completed' }],
  },
  {
    title: 'none in time, and the script goes on',
    script: async (bench) => [ivr({ timeout: 1 }), await bench.tone(hz.low, 0.5)],
    heard: [hz.low],
    collected: [{ digits: '', status: 'timeout' }],
  },
  {
    title: 'too few in time',
    script: () => [ivr({ timeout: 1, max_digits: 4 })],
    caller: async (call) => call.press('12'),
    collected: [{ digits: '12', status: 'timeout' }],
  },
  {
    title: 'keys pressed before it, and skips the prompt right before it',
    script: async (bench) => [
      await bench.tone(hz.low, 2),
      await bench.tone(hz.middle, 3),
      ivr({ max_digits: 2 }),
      await bench.tone(hz.high, 0.5),
    ],
    caller: async (call) => {
      await call.hears(hz.low)
      call.press('91')
    },
    heard: [hz.low, hz.high],
    collected: [{ digits: '91', status: 'completed' }],
  },
  {
    title: 'a key that cuts an audio short',
    script: async (bench) => [await bench.tone(hz.low, 8), ivr(), await bench.tone(hz.high, 0.5)],
    caller: async (call) => {
      await call.hears(hz.low)
      call.press('5')
      await sleep(500)
      expect(call.heard[0]!.ms, 'the audio was cut short').to.be.below(6_000)
    },
    heard: [hz.low, hz.high],
    collected: [{ digits: '5', status: 'completed' }],
  },
  {
    title: 'a key by INFO that cuts speech short',
    script: async (bench) => [
      {
        action: 'tts',
        params: { text: 'One, two, three, four, five, six, seven, eight, nine, ten, eleven, twelve.' },
      },
      ivr(),
      await bench.tone(hz.high, 0.5),
    ],
    caller: async (call) => {
      await sleep(800)
      call.press('6', 'info')
      await call.hears(hz.high)
    },
    collected: [{ digits: '6', status: 'completed' }],
  },
  {
    title: 'nothing of what was pressed while an audio is played that comes before another action',
    script: async (bench) => [await bench.tone(hz.low, 2), await bench.tone(hz.high, 0.5)],
    caller: async (call) => {
      await call.hears(hz.low)
      call.press('*5#')
      await call.hears(hz.high)
      expect(call.heard[0]!.ms, 'the audio was played to its end').to.be.above(1_600)
    },
    heard: [hz.low, hz.high],
    collected: [],
  },
]

describe('keys that actions collect on the freeswitch', function () {
  this.timeout(60_000)
  let bench: ActionsBench
  let customer: CustomerServer
  let webhook_url: string

  before(async function () {
    if (!(await findFreeswitch())) this.skip()
    customer = await CustomerServer.start()
    webhook_url = customer.on('/keys', answering({}))
    bench = await ActionsBench.start({ settings: { JACKFIELD_HTTP_CLIENT_ALLOWED_NETWORKS: '127.0.0.1/32' } })
  })
  after(async () => {
    await bench?.stop()
    await customer?.stop()
  })

  for (const direction of directions) {
    for (const row of rows.filter(({ only = direction }) => only === direction)) {
      it(`${direction}: ${row.title}`, async () => check(row, direction))
    }
  }

  async function check({ script, caller, heard, collected }: Row, direction: Direction): Promise<void> {
    const actions = (await script(bench)).map((one) =>
      one.action === 'ivr' ? { ...one, params: { ...one.params, webhook_url } } : one,
    )
    const call = await bench.run(direction, actions)
    await caller?.(call)
    const { record } = await call.over()
    expect(record).to.include({ status: 'completed', hangup_cause: 'NORMAL_CLEARING' })
    expect(await call.events('call.ivr_collected')).to.deep.equal(collected)
    const told = customer.at('/keys').filter(({ body }) => body.data.call_id === call.id)
    expect(told.map(({ body }) => ({ digits: body.data.digits, status: body.data.status }))).to.deep.equal(
      collected,
    )
    if (heard) expect(call.tones).to.deep.equal(heard)
  }

  it('nothing of what is pressed while it is joined with somebody, who gets those keys', async () => {
    const { phone, from } = await bench.operator()
    const call = await bench.run('inbound', [
      { action: 'to_operator', params: { phone_number: '+12025550106', from } },
      ivr({ timeout: 1 }),
    ])
    await call.hears(1500)
    call.press('47')
    await eventually(
      async () => phone.ear.heard().map(({ keys }) => keys),
      (all) => all.includes('47'),
      { what: 'keys at the operator' },
    )
    await phone.incoming[0]!.hangUp()
    await call.over()
    expect(await call.events('call.ivr_collected')).to.deep.equal([{ digits: '', status: 'timeout' }])
  })

  describe('as tones in the sound', () => {
    /** A call with a far end that has no telephone-event, and is silent otherwise. */
    const run = async (direction: Direction, script: TestAction[], describes = withoutEvents) => {
      const actions = script.map((one) =>
        one.action === 'ivr' ? { ...one, params: { ...one.params, webhook_url } } : one,
      )
      if (direction === 'inbound') return bench.callIn(asFlow(actions), { describes })
      bench.customer.describes = describes
      return bench.callOut(actions)
    }
    const says = (call: TestCall, keys: string, ms?: number) => {
      call.dialog.phone.ear.hush()
      call.dialog.phone.ear.say(keysAsTones(keys, ms))
    }
    afterEach(() => {
      bench.customer.describes = (sdp) => sdp
      bench.customer.ear.speak()
    })

    for (const direction of directions) {
      it(`${direction}: each once of a far end without telephone-event, also beside what it hears`, async () => {
        const call = await run(direction, [await bench.tone(hz.low, 9), ivr({ max_digits: 10 })])
        await call.hears(hz.low)
        says(call, '1357')
        await sleep(1_000)
        says(call, '90*82266', 60)
        await call.over()
        expect(await call.events('call.ivr_collected')).to.deep.equal([
          { digits: '135790*822', status: 'completed' },
        ])
      })
    }

    it('none of a far end with telephone-event, which sends events', async () => {
      const call = await run('inbound', [ivr({ timeout: 2, max_digits: 4 })], (sdp) => sdp)
      says(call, '12')
      await sleep(600)
      call.press('34')
      await call.over()
      expect(await call.events('call.ivr_collected')).to.deep.equal([{ digits: '34', status: 'timeout' }])
    })

    it('each once that comes as a tone and by INFO', async () => {
      const call = await run('inbound', [ivr({ max_digits: 4 })])
      for (const key of '12') {
        says(call, key)
        call.press(key, 'info')
        await sleep(400)
      }
      // The edge may reorder requests that are under way at once.
      for (const key of '23') expect(await call.dialog.phone.pressByInfo(call.dialog, key)).to.equal(200)
      await call.over()
      expect(await call.events('call.ivr_collected')).to.deep.equal([{ digits: '1223', status: 'completed' }])
    })

    it('are tones alone for somebody whom it is joined with, and are counted again after that', async () => {
      const { phone, from } = await bench.operator()
      const call = await run('inbound', [
        { action: 'to_operator', params: { phone_number: '+12025550106', from } },
        ivr(),
      ])
      await call.hears(1500)
      const [far] = phone.incoming
      await sleep(300)
      says(call, '5', 800)
      await eventually(
        async () => Math.min(...keyTones('5').map((tone) => hears(far!, tone, 2_000))),
        (level) => level > 0.4,
        { what: 'both tones of the key' },
      )
      await sleep(600)
      expect(phone.ear.heard().map(({ keys }) => keys)).to.deep.equal([''])
      await far!.hangUp()
      await sleep(300)
      says(call, '6')
      await call.over()
      expect(await call.events('call.ivr_collected')).to.deep.equal([{ digits: '6', status: 'completed' }])
    })

    it('are what a far end without telephone-event hears of those that the other side sends as events', async () => {
      const { phone, from } = await bench.operator({ describes: withoutEvents })
      const call = await bench.run('inbound', [
        { action: 'to_operator', params: { phone_number: '+12025550106', from } },
        ivr({ timeout: 1 }),
      ])
      await call.hears(1500)
      call.dialog.phone.ear.hush()
      await sleep(300)
      call.press('8')
      const heard = () => {
        const pcm = heardIn(phone.incoming[0]!)
        const blocks = Array.from({ length: pcm.length / 400 }, (_, at) =>
          pcm.slice(at * 400, at * 400 + 400),
        )
        return blocks.filter((block) => keyTones('8').every((tone) => toneLevel(block, tone) > 0.25)).length
      }
      await eventually(
        async () => heard(),
        (blocks) => blocks > 0,
        { what: 'both tones of the key' },
      )
      expect(phone.incoming[0]!.received.join('')).to.not.include('INFO sip:')
      await phone.incoming[0]!.hangUp()
      await call.over()
      expect(await call.events('call.ivr_collected')).to.deep.equal([{ digits: '', status: 'timeout' }])
    })
  })
})
