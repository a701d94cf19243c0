/** The actions `recording` and `voicemail` with each of their parameters: what is on the file, and what the party hears. */
import { expect } from 'chai'
import {
  ActionsBench,
  type Direction,
  type TestAction,
  type TestCall,
  asFlow,
  hz,
  sleep,
} from '../support/actions-bench.js'
import { eventually } from '../support/api-client.js'
import { CustomerServer, answering } from '../support/customer-server.js'
import { findFreeswitch } from '../support/freeswitch.js'
import { PhoneBench } from '../support/phone-bench.js'
import { toneLevel } from '../support/tone.js'
import { recordingIs, recordingsOf, soundOf } from './recorded.js'

/** What the parties of the calls sound like, and the tone before a message. */
const partyHz = 440
const beepHz = 1000

describe('parameters of recordings on the freeswitch', function () {
  this.timeout(60_000)
  let bench: ActionsBench
  let customer: CustomerServer
  /** A caller who has stopped speaking: what becomes of them is looked at last. */
  let silent: TestCall

  before(async function () {
    if (!(await findFreeswitch())) this.skip()
    customer = await CustomerServer.start()
    bench = await ActionsBench.start({ settings: { JACKFIELD_HTTP_CLIENT_ALLOWED_NETWORKS: '127.0.0.1/32' } })
    silent = await bench.callIn(asFlow([await message(), await bench.tone(hz.high, 0.5)]))
    await begun(silent)
    silent.dialog.phone.ear.hush()
  })
  after(async () => {
    await bench?.stop()
    await customer?.stop()
  })

  const kept = async (id: string, withinMs?: number) => {
    const recording = await recordingIs(bench.api, id, 'ready', withinMs)
    return { recording, ...(await soundOf(bench.api, recording)) }
  }

  /** A caller who is not answered, and the actions that its flow is told. */
  const unanswered = async (actions: TestAction[]): Promise<TestCall> => {
    const url = customer.on('/actions', answering({ actions }))
    return bench.ring([{ id: 'ask', type: 'json_call_action', params: { url } }])
  }

  const formats: [direction: Direction, params: { format?: string; stereo?: boolean }][] = [
    ['outbound', {}],
    ['outbound', { format: 'mp3', stereo: true }],
    ['inbound', { format: 'wav', stereo: true }],
    ['inbound', { format: 'mp3', stereo: false }],
  ]
  for (const [direction, params] of formats) {
    it(`a recording, ${direction}, with ${JSON.stringify(params)}`, async () => {
      const script = [{ action: 'recording', params }, await bench.tone(hz.high, 1.5)]
      const call = await bench.run(direction, script)
      await call.over()
      expect(await call.outcomes()).to.deep.equal(['recording:completed', 'play:completed'])
      const { recording, channels, seconds } = await kept(call.id)
      const { format = 'wav', stereo = false } = params
      expect(recording).to.include({ kind: 'call', format, channels: stereo ? 2 : 1 })
      expect(seconds).to.be.within(1.2, 4)
      const heard = channels.map((one) => [partyHz, hz.high].map((tone) => loudest(one, tone)))
      const [[party = 0, prompt = 0] = []] = heard
      expect(party, 'the party').to.be.above(stereo ? 0.7 : 0.3)
      if (!stereo) expect(prompt, 'what it hears').to.be.above(0.3)
      else {
        expect(prompt, 'what it hears, on its side').to.be.below(0.1)
        expect(heard[1]![0], 'the party, on the other side').to.be.below(0.1)
        expect(heard[1]![1], 'what it hears').to.be.above(0.7)
      }
    })
  }

  it('a recording of a caller who is not answered', async () => {
    const call = await bench.ring(
      asFlow([
        { action: 'recording', params: { answer_call: false } },
        await bench.tone(hz.high, 2, { answer_call: false }),
        { action: 'hangup', params: { cause: 'USER_BUSY' } },
      ]),
    )
    expect(await call.dialog.answered()).to.equal(486)
    expect(call.dialog.statuses).to.not.include(200)
    const { channels, seconds } = await kept(call.id)
    expect(seconds).to.be.within(1.5, 4)
    expect(toneLevel(channels[0]!, hz.high)).to.be.above(0.3)
  })

  it('no recording of a call among the own people where that is not allowed, whatever else is', async () => {
    const phones = PhoneBench.on(bench.calls)
    const allow = async (call_recording: boolean, call_internal_recording: boolean) =>
      bench.calls.appliance.operator.patch(`/workspaces/${bench.calls.workspace.id}`, {
        ...{ call_recording, call_internal_recording },
      })
    try {
      const phone = await phones.phone(await phones.account('desk'))
      const script = [{ action: 'recording' }, await bench.tone(hz.high, 1.2)]
      for (const may of [false, true]) {
        await allow(!may, may)
        const id = await bench.calls.call('desk', script)
        expect((await bench.calls.ended(id)).status).to.equal('completed')
        if (may) expect((await kept(id)).seconds).to.be.above(0.7)
        else expect(await recordingsOf(bench.api, id)).to.deep.equal([])
      }
      expect(phone.incoming).to.have.length(2)
    } finally {
      await allow(true, true)
      await phones.closePhones()
    }
  })

  const messages: [direction: Direction, beep: boolean | undefined][] = [
    ['outbound', undefined],
    ['inbound', true],
    ['inbound', false],
  ]
  for (const [direction, beep] of messages) {
    it(`a message, ${direction}, ${beep === false ? 'without' : 'behind'} the tone${beep === undefined ? ' by default' : ''}`, async () => {
      const greeting_audio_id = await bench.audio(hz.low, 0.5)
      const call = await bench.run(direction, [
        { action: 'voicemail', params: { greeting_audio_id, max_duration: 1, beep } },
        await bench.tone(hz.high, 0.5),
      ])
      await call.over()
      expect(call.tones).to.deep.equal([hz.low, ...(beep === false ? [] : [beepHz]), hz.high])
      expect(await call.outcomes()).to.deep.equal(['voicemail:completed', 'play:completed'])
      const { recording, channels, seconds } = await kept(call.id)
      expect(recording).to.include({ kind: 'voicemail', format: 'wav', channels: 1 })
      expect(seconds).to.be.within(0.6, 2.5)
      expect(toneLevel(channels[0]!, partyHz)).to.be.above(0.7)
    })
  }

  const message = async (): Promise<TestAction> => ({
    action: 'voicemail',
    params: { greeting_audio_id: await bench.audio(hz.low, 0.5) },
  })
  const begun = async (call: TestCall) => {
    await recordingIs(bench.api, call.id, 'recording')
    await sleep(800)
  }

  it('a message that # ends by INFO', async () => {
    const call = await bench.run('inbound', [await message()])
    await begun(call)
    call.press('#', 'info')
    await call.over()
    expect((await kept(call.id)).seconds).to.be.within(0.6, 5)
  })

  it('a message of a caller who is not answered', async () => {
    const call = await unanswered([
      { ...(await message()), auto_answer: false },
      { action: 'hangup', params: { cause: 'USER_BUSY' } },
    ])
    await begun(call)
    call.press('#')
    expect(await call.dialog.answered()).to.equal(486)
    expect(call.dialog.statuses).to.include(183).and.not.include(200)
    const { channels, seconds } = await kept(call.id)
    expect(seconds).to.be.within(0.6, 5)
    expect(toneLevel(channels[0]!, partyHz)).to.be.above(0.7)
  })

  it('a message that other actions end, which is kept', async () => {
    const call = await bench.run('outbound', [await message()])
    await begun(call)
    const actions = [await bench.tone(hz.high, 1)]
    expect((await bench.api.put(`/calls/${call.id}/actions`, { actions })).status).to.equal(200)
    await call.over()
    expect(call.tones, JSON.stringify(call.heard)).to.deep.equal([hz.low, beepHz, hz.high])
    expect(await call.outcomes()).to.deep.equal(['voicemail:replaced', 'play:completed'])
    const { channels, seconds } = await kept(call.id)
    expect(seconds).to.be.within(0.6, 5)
    expect(toneLevel(channels[0]!, partyHz)).to.be.above(0.7)
  })

  it('a message that ends with ten seconds of silence', async () => {
    await eventually(
      async () => silent.dialog.state,
      (state) => state === 'ended',
      { withinMs: 30_000, what: 'end of the call' },
    )
    expect(await silent.outcomes()).to.deep.equal(['voicemail:completed', 'play:completed'])
    expect(silent.tones).to.deep.equal([hz.low, beepHz, hz.high])
    const { channels, seconds } = await kept(silent.id)
    expect(seconds).to.be.within(10, 20)
    expect(toneLevel(channels[0]!.subarray(0, 8_000), partyHz)).to.be.above(0.7)
  })
})

/** How much of a tone there is in the half second that has most of it: a machine that is busy delays what parties say. */
function loudest(pcm: Int16Array, tone: number): number {
  const starts = Array.from(
    { length: Math.max(1, Math.floor(pcm.length / 2_000) - 1) },
    (_, at) => at * 2_000,
  )
  return Math.max(...starts.map((start) => toneLevel(pcm.subarray(start, start + 4_000), tone)))
}
