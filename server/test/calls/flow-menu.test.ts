/** The node `menu`, at the wire: how often it is said, what is said instead, and where keys lead. */
import { expect } from 'chai'
import { ActionsBench, type TestCall, hz } from '../support/actions-bench.js'
import { findFreeswitch } from '../support/freeswitch.js'

interface Row {
  title: string
  params: object
  next?: Record<string, string>
  caller?: (call: TestCall) => Promise<void>
  heard: number[]
  /** How long the menu is said in all, milliseconds. */
  saidMs?: [least: number, most: number]
  path: string[]
}

const keys = [...'1234567890*#']

const rows: Row[] = [
  {
    title: 'that is said three times to who presses nothing',
    params: { timeout: 1 },
    ...{ heard: [hz.low], saidMs: [1_200, 1_800], path: ['menu:timeout'] },
  },
  {
    title: 'that is said once without retries, and waits five seconds',
    params: { retries: 0 },
    next: { timeout: 'high' },
    caller: async (call) => {
      await call.hears(hz.low)
      const since = Date.now()
      await call.hears(hz.high)
      expect(Date.now() - since).to.be.above(4_500)
    },
    ...{ heard: [hz.low, hz.high], saidMs: [300, 700], path: ['menu:timeout', 'high:completed'] },
  },
  {
    title: 'that has another audio for keys which lead nowhere',
    params: { retries: 1, timeout: 10 },
    next: { invalid: 'high' },
    caller: async (call) => {
      await call.hears(hz.low)
      call.press('9')
      await call.hears(hz.middle)
      await call.hears(hz.low)
      call.press('8', 'info')
    },
    heard: [hz.low, hz.middle, hz.low, hz.high],
    path: ['menu:invalid', 'high:completed'],
  },
  {
    title: 'that is cut short by its key, each of the twelve, also those pressed ahead',
    params: { timeout: 2, retries: 0 },
    next: Object.fromEntries(keys.map((key) => [key, 'menu'])),
    caller: async (call) => call.press(keys.join('')),
    heard: [hz.low],
    path: [...keys.map((key) => `menu:${key}`), 'menu:timeout'],
  },
  {
    title: 'that takes a key by its edge before the default one',
    params: { timeout: 10 },
    next: { 5: 'high', default: 'menu' },
    caller: async (call) => {
      await call.hears(hz.low)
      call.press('5', 'info')
    },
    heard: [hz.low, hz.high],
    path: ['menu:5', 'high:completed'],
  },
]

describe('menus on the freeswitch', function () {
  this.timeout(60_000)
  let bench: ActionsBench

  before(async function () {
    if (!(await findFreeswitch())) this.skip()
    bench = await ActionsBench.start()
  })
  after(async () => bench?.stop())

  for (const { title, params, next = {}, caller, heard, saidMs, path } of rows) {
    it(title, async () => {
      const audios = {
        audio_id: await bench.audio(hz.low, 0.5),
        invalid_audio_id: await bench.audio(hz.middle, 0.5),
      }
      const high = { id: 'high', type: 'play', params: { audio_id: await bench.audio(hz.high, 0.5) } }
      const edges = { '1': 'high', ...next }
      const call = await bench.callIn([
        { id: 'menu', type: 'menu', params: { ...audios, ...params }, next: edges },
        ...(Object.values(edges).includes('high') ? [high] : []),
      ])
      await caller?.(call)
      await call.over()
      expect(await bench.inbound.path(call.id)).to.deep.equal(path)
      expect(call.tones).to.deep.equal(heard)
      if (saidMs) expect(call.heard[0]!.ms).to.be.within(...saidMs)
    })
  }
})
