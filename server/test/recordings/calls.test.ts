/** Recordings of real calls: who is heard on them, on which side, and for how long. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { eventually } from '../support/api-client.js'
import { findFreeswitch } from '../support/freeswitch.js'
import { InboundBench, type TestNode } from '../support/inbound-bench.js'
import { hears } from '../support/phone-dialog.js'
import { toneLevel } from '../support/tone.js'
import { WebhookReceiver } from '../support/webhook-receiver.js'
import { longestSilence, recordingIs, recordingsOf, soundOf, uploadTone } from './recorded.js'

const callerHz = 700
const carrierHz = 1000
const promptHz = 1700

describe('recordings of calls on the freeswitch', function () {
  this.timeout(60_000)
  let bench: InboundBench
  const receiver = new WebhookReceiver()

  before(async function () {
    if (!(await findFreeswitch())) this.skip()
    await receiver.start()
    bench = await InboundBench.start({
      carrier: { toneHz: carrierHz },
      settings: { JACKFIELD_HTTP_CLIENT_ALLOWED_NETWORKS: '127.0.0.0/8' },
    })
    const audio_id = await uploadTone(bench.api, promptHz, 0.02)
    waits = { id: 'wait', type: 'menu', params: { audio_id, timeout: 30 }, next: { '1': 'wait' } }
    await bench.api.post('/webhooks', { url: receiver.url(), events: ['recording.ready'] })
  })
  after(async () => {
    await bench?.stop()
    await receiver?.stop()
  })

  /** A caller who talks to the number while `during` lasts; returns the call's id. */
  async function talk(during: (callId: string) => Promise<unknown>): Promise<string> {
    const phone = await bench.caller({ toneHz: callerHz })
    const dialog = await bench.answeredCall(phone)
    const id = await bench.lastCallId()
    await during(id)
    await dialog.hangUp()
    return id
  }

  /** A node at which the call waits, after a click. */
  let waits: TestNode

  it('hold both sides, mixed, from the action to the hang-up', async () => {
    const audio_id = await uploadTone(bench.api, promptHz, 1)
    await bench.runs([
      { id: 'record', type: 'recording', next: { default: 'prompt' } },
      { id: 'prompt', type: 'play', params: { audio_id }, next: { default: 'wait' } },
      waits,
    ])
    const id = await talk(async () => sleep(2_500))
    const recording = await recordingIs(bench.api, id, 'ready')
    expect(recording).to.include({ kind: 'call', format: 'wav', channels: 1 })
    const { channels, seconds } = await soundOf(bench.api, recording)
    expect(seconds).to.be.closeTo(recording.duration ?? 0, 0.05)
    const call = await bench.bench.ended(id)
    const talked = (Date.parse(call.ended_at!) - Date.parse(call.answered_at!)) / 1000
    expect(seconds, `of ${talked} s`).to.be.within(talked - 1, talked + 0.1)
    const [first = new Int16Array()] = channels
    const prompt = first.subarray(1_000, 6_000)
    for (const hz of [callerHz, promptHz]) expect(toneLevel(prompt, hz), `${hz} Hz`).to.be.above(0.3)
    const later = first.subarray(-8_000)
    expect(toneLevel(later, callerHz), 'the caller alone').to.be.above(0.9)
    const names = (await bench.timeline(id)).map(({ event }) => event)
    expect(names).to.include.members(['call.recording_started', 'call.recording_ready'])
    const told = await eventually(
      async () => receiver.received.find(({ body }) => body.data.call_id === id),
      (one) => one !== undefined,
      { what: 'webhook' },
    )
    expect(told!.body).to.deep.include({ event: 'recording.ready' })
    expect(told!.body.data).to.deep.include({
      ...{ recording_id: recording.id, duration: recording.duration, size: recording.size },
      ...{ from: '+12125550123', to: '+12025550199', format: 'wav', channels: 1 },
    })
  })

  it('hold the caller on the left and whom they hear on the right, as MP3', async () => {
    await bench.runs([
      {
        ...{ id: 'record', type: 'recording', params: { format: 'mp3', stereo: true } },
        next: { default: 'out' },
      },
      { id: 'out', type: 'to_operator', params: { phone_number: '+12025550100' } },
    ])
    const phone = await bench.caller({ toneHz: callerHz })
    const dialog = await bench.answeredCall(phone)
    await eventually(
      async () => hears(dialog, carrierHz),
      (level) => level > 0.2,
      { what: 'the operator' },
    )
    await sleep(1_500)
    const id = await bench.lastCallId()
    await dialog.hangUp()
    const recording = await recordingIs(bench.api, id, 'ready')
    expect(recording).to.include({ format: 'mp3', channels: 2 })
    const { channels } = await soundOf(bench.api, recording)
    const [left = new Int16Array(), right = new Int16Array()] = channels.map((one) => one.subarray(-10_000))
    // A busy machine leaves gaps in what a phone sends: less of it, and nothing of the other party.
    expect(toneLevel(left, callerHz), 'caller on the left').to.be.above(0.8)
    expect(toneLevel(left, carrierHz), 'operator on the left').to.be.below(0.05)
    expect(toneLevel(right, carrierHz), 'operator on the right').to.be.above(0.8)
    expect(toneLevel(right, callerHz), 'caller on the right').to.be.below(0.05)
  })

  it('hold silence while they are paused', async () => {
    await bench.runs([{ id: 'record', type: 'recording', next: { default: 'wait' } }, waits])
    const id = await talk(async (callId) => {
      const { id: recordingId } = await recordingIs(bench.api, callId, 'recording')
      await sleep(1_000)
      expect((await bench.api.delete(`/recordings/${recordingId}`)).status, 'delete').to.equal(409)
      const paused = await bench.api.post(`/recordings/${recordingId}/pause`)
      expect(paused.body.status).to.equal('paused')
      expect((await bench.api.post(`/recordings/${recordingId}/pause`)).status, 'again').to.equal(200)
      await sleep(1_500)
      const resumed = await bench.api.post(`/recordings/${recordingId}/resume`)
      expect(resumed.body.status).to.equal('recording')
      await sleep(1_000)
    })
    const recording = await recordingIs(bench.api, id, 'ready')
    const { channels, seconds } = await soundOf(bench.api, recording)
    const [pcm = new Int16Array()] = channels
    expect(longestSilence(pcm)).to.be.within(1, seconds - 1.2)
    expect(toneLevel(pcm.subarray(2_400, 6_400), callerHz), 'before').to.be.above(0.9)
    expect(toneLevel(pcm.subarray(-5_600), callerHz), 'after').to.be.above(0.9)
    expect((await bench.api.post(`/recordings/${recording.id}/pause`)).status).to.equal(400)
  })

  it('are one, however often it is asked for', async () => {
    const record = (next: string, params = {}) => ({ type: 'recording', params, next: { default: next } })
    await bench.runs([
      { id: 'first', ...record('second') },
      { id: 'second', ...record('wait', { stereo: true }) },
      waits,
    ])
    const id = await talk(async () => sleep(1_000))
    expect(await recordingIs(bench.api, id, 'ready')).to.include({ channels: 1 })
  })

  it('go on while the server is dead, and are found when it is back', async () => {
    await bench.runs([{ id: 'record', type: 'recording', next: { default: 'wait' } }, waits])
    const { appliance } = bench.bench
    // Killed and back in the middle of one call, and at the end of another.
    const through = await talk(async () => {
      await sleep(500)
      await appliance.killServer()
      await appliance.startServer()
      await sleep(1_500)
    })
    const whole = await recordingIs(bench.api, through, 'ready')
    const phone = await bench.caller({ toneHz: callerHz })
    const dialog = await bench.answeredCall(phone)
    const id = await bench.lastCallId()
    await recordingIs(bench.api, id, 'recording')
    await appliance.killServer()
    await sleep(1_500)
    await dialog.hangUp()
    await appliance.startServer()
    const found = await recordingIs(bench.api, id, 'ready', 40_000)
    for (const recording of [whole, found]) {
      const { channels, seconds } = await soundOf(bench.api, recording)
      expect(seconds).to.be.at.least(1.5)
      expect(toneLevel(channels[0]!, callerHz)).to.be.above(0.9)
    }
  })

  it('are passed over where the workspace may not record, and the call goes on', async () => {
    const { appliance, workspace } = bench.bench
    const may = async (call_recording: boolean) =>
      appliance.operator.patch(`/workspaces/${workspace.id}`, { call_recording })
    await bench.runs([
      { id: 'record', type: 'recording', next: { default: 'bye' } },
      { id: 'bye', type: 'tts', params: { text: 'Good bye.' } },
    ])
    await may(false)
    try {
      const phone = await bench.caller()
      const dialog = await bench.answeredCall(phone)
      await dialog.over()
      const { call_id } = await bench.lastCall()
      expect(await bench.path(call_id)).to.deep.equal(['record:completed', 'bye:completed'])
      expect(await recordingsOf(bench.api, call_id)).to.deep.equal([])
    } finally {
      await may(true)
    }
  })
})
