/** Messages that callers leave: what is in them, what ends them, and that none is lost. */
import { access, rm, stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { query } from '../api/database.js'
import { insertRecording, rawFile, switchCommand } from '../api/recording-fixtures.js'
import { mailSettings, newPerson, succeed } from '../api/fixtures.js'
import { chatProvider } from '../api/voice-agent-fixtures.js'
import { type ApiClient, eventually } from '../support/api-client.js'
import { EventReader } from '../support/event-reader.js'
import { findFreeswitch } from '../support/freeswitch.js'
import type { OpenAiHttpServer } from '../support/openai-http.js'
import { InboundBench } from '../support/inbound-bench.js'
import { type PhoneDialog, hears } from '../support/phone-dialog.js'
import { SmtpReceiver } from '../support/smtp-receiver.js'
import type { Telephone } from '../support/telephone.js'
import { toneLevel } from '../support/tone.js'
import { WebhookReceiver } from '../support/webhook-receiver.js'
import { recordingIs, recordingsOf, soundOf, uploadTone } from './recorded.js'

const callerHz = 700
const greetingHz = 1700
const beepHz = 1000

/** Of 8 kHz and 16 bits. */
const halfSecondBytes = 8_000

describe('voicemail on the freeswitch', function () {
  this.timeout(60_000)
  let bench: InboundBench
  let greeting: string
  const receiver = new WebhookReceiver()
  let mail: SmtpReceiver
  let speech: OpenAiHttpServer

  before(async function () {
    if (!(await findFreeswitch())) this.skip()
    await receiver.start()
    mail = await SmtpReceiver.start()
    bench = await InboundBench.start({
      settings: { JACKFIELD_HTTP_CLIENT_ALLOWED_NETWORKS: '127.0.0.0/8', ...mailSettings(mail.port) },
    })
    greeting = await uploadTone(bench.api, greetingHz, 0.3)
    await bench.api.post('/webhooks', { url: receiver.url(), events: ['voicemail.received'] })
  })
  after(async () => {
    await bench?.stop()
    await receiver?.stop()
    await mail?.stop()
    await speech?.stop()
  })

  async function takes(params: object = {}): Promise<void> {
    await bench.runs([
      {
        ...{ id: 'message', type: 'voicemail', params: { greeting_audio_id: greeting, ...params } },
        next: { default: 'bye' },
      },
      { id: 'bye', type: 'tts', params: { text: 'Good bye.' } },
    ])
  }

  interface Speaker {
    phone: Telephone
    dialog: PhoneDialog
    callId: string
  }

  /** A caller who has heard the tone, and whose message is being recorded. */
  async function speaker(toneHz = callerHz): Promise<Speaker> {
    const phone = await bench.caller({ toneHz })
    const dialog = await bench.answeredCall(phone)
    const callId = await bench.lastCallId()
    const { id } = await recordingIs(bench.api, callId, 'recording')
    // The row comes first; there is a file as soon as the switch has begun.
    await eventually(
      async () => access(rawFile(bench.bench.appliance, id)).then(Boolean, String),
      (error) => typeof error !== 'string',
      { what: 'file of the switch' },
    )
    return { phone, dialog, callId }
  }

  it('holds what the caller says after the tone, and goes on at #', async () => {
    await takes()
    const { phone, dialog, callId } = await speaker()
    expect(hears(dialog, greetingHz), 'the greeting').to.be.above(0.1)
    expect(hears(dialog, beepHz), 'the tone').to.be.above(0.1)
    await sleep(1_500)
    phone.press(dialog, '#')
    await dialog.over()
    expect(await bench.path(callId)).to.deep.equal(['message:completed', 'bye:completed'])
    const message = await recordingIs(bench.api, callId, 'ready')
    expect(message).to.include({ kind: 'voicemail', format: 'wav', channels: 1 })
    const { channels, seconds } = await soundOf(bench.api, message)
    const [pcm = new Int16Array()] = channels
    expect(seconds).to.be.within(1.4, 4)
    expect(toneLevel(pcm.subarray(0, 10_000), callerHz)).to.be.above(0.9)
    for (const hz of [greetingHz, beepHz]) expect(toneLevel(pcm, hz), `${hz} Hz`).to.be.below(0.1)
    expect((await bench.timeline(callId)).map(({ event }) => event)).to.include('call.voicemail_ready')
    const told = await eventually(
      async () => receiver.received.filter(({ body }) => body.data.call_id === callId),
      (list) => list.length > 0,
      { what: 'webhook' },
    )
    expect(told).to.have.length(1)
    expect(told[0]!.body.data).to.include({ recording_id: message.id, from: '+12125550123' })
  })

  it('is kept when the caller hangs up', async () => {
    await takes({ beep: false })
    const { dialog, callId } = await speaker()
    await sleep(1_200)
    expect(hears(dialog, beepHz), 'no tone').to.be.below(0.05)
    await dialog.hangUp()
    const { channels, seconds } = await soundOf(bench.api, await recordingIs(bench.api, callId, 'ready'))
    expect(seconds).to.be.at.least(1)
    expect(toneLevel(channels[0]!, callerHz)).to.be.above(0.9)
  })

  it('ends after its longest time', async () => {
    await takes({ max_duration: 2 })
    const { dialog, callId } = await speaker()
    await dialog.over()
    expect(await bench.path(callId)).to.deep.equal(['message:completed', 'bye:completed'])
    expect((await recordingIs(bench.api, callId, 'ready')).duration).to.be.within(1.5, 3)
  })

  it('is none when nothing is said, and the call goes on', async () => {
    await takes()
    const { dialog, callId } = await speaker(0)
    const message = await recordingIs(bench.api, callId, 'failed', 30_000)
    expect(message.error).to.equal('The caller said nothing')
    await dialog.over()
    expect(await bench.path(callId)).to.deep.equal(['message:completed', 'bye:completed'])
    expect(receiver.received.filter(({ body }) => body.data.call_id === callId)).to.deep.equal([])
  })

  it('is none when nothing of it was recorded, and its call is one that the caller left', async () => {
    await takes()
    const { dialog, callId } = await speaker()
    const { id } = await recordingIs(bench.api, callId, 'recording')
    // A caller who hangs up before the switch has heard them has left no message at all.
    const file = rawFile(bench.bench.appliance, id)
    await eventually(
      async () => (await stat(file)).size,
      (bytes) => bytes > halfSecondBytes,
      { what: 'half a second of the message' },
    )
    await rm(file)
    await dialog.hangUp()
    expect(await recordingIs(bench.api, callId, 'failed')).to.include({ error: 'Nothing was recorded' })
    const call = await eventually(
      async () => (await bench.api.get(`/calls/${callId}`)).body as { outcome: string; abandoned_in: string },
      ({ outcome }) => outcome === 'abandoned',
      { what: 'outcome' },
    )
    expect(call.abandoned_in).to.equal('menu')
    const found = await bench.api.get('/calls?outcome=voicemail')
    expect(found.body.data.map(({ call_id }: { call_id: string }) => call_id)).to.not.include(callId)
  })

  it('is none when the server was killed, and nothing of it is there afterwards', async () => {
    await takes()
    const { appliance } = bench.bench
    const { dialog, callId } = await speaker()
    const { id } = await recordingIs(bench.api, callId, 'recording')
    await appliance.killServer()
    await rm(rawFile(appliance, id))
    await dialog.hangUp()
    await appliance.startServer()
    expect((await recordingIs(bench.api, callId, 'failed', 40_000)).error).to.not.equal(null)
    await eventually(
      async () => (await bench.api.get(`/calls/${callId}`)).body as { outcome: string | null },
      ({ outcome }) => outcome !== null && outcome !== 'voicemail',
      { what: 'outcome', withinMs: 20_000 },
    )
  })

  it('is one and whole when the server is killed in the middle', async () => {
    await takes()
    const { appliance } = bench.bench
    const { phone, dialog, callId } = await speaker()
    await appliance.killServer()
    await sleep(1_000)
    await appliance.startServer()
    // A key that is pressed before the call is taken up again is not heard.
    await eventually(
      async () => {
        phone.press(dialog, '#')
        await sleep(500)
        return dialog.state
      },
      (state) => state === 'ended',
      { what: 'end of the call' },
    )
    const message = await recordingIs(bench.api, callId, 'ready')
    expect(message.duration).to.be.at.least(2)
    expect(await bench.path(callId)).to.deep.equal(['message:completed', 'bye:completed'])
    expect(await recordingsOf(bench.api, callId)).to.have.length(1)
  })

  it('is taken when the server was killed before the switch began to record', async () => {
    const audio_id = await uploadTone(bench.api, greetingHz, 0.1)
    await bench.runs([
      {
        ...{ id: 'choose', type: 'menu', params: { audio_id, timeout: 30 } },
        next: { '1': 'message' },
      },
      { id: 'message', type: 'voicemail', params: { max_duration: 2 } },
    ])
    const { appliance, workspace } = bench.bench
    const phone = await bench.caller({ toneHz: callerHz })
    const dialog = await bench.answeredCall(phone)
    const call_id = await bench.lastCallId()
    const [leg] = await query(appliance, 'SELECT channel_id FROM call_legs WHERE call_id = ?', [call_id])
    // What such a server leaves behind: a row, and the mark of the channel.
    const left = await insertRecording(appliance, workspace, {
      ...{ call_id, channel_id: leg.channel_id as string, kind: 'voicemail', status: 'recording' },
      ...{ storage: null, storage_key: null, size_bytes: null, duration_ms: null, ended_at: null },
    })
    await switchCommand(appliance, `uuid_setvar ${leg.channel_id as string} jackfield_message ${left.id}`)
    phone.press(dialog, '1')
    await dialog.over()
    const kept = await eventually(
      async () => recordingsOf(bench.api, call_id),
      (list) => list.some(({ status }) => status === 'ready'),
      { what: 'message' },
    )
    expect(kept.map(({ status }) => status).sort()).to.deep.equal(['failed', 'ready'])
    expect(kept.find(({ status }) => status === 'ready')?.duration).to.be.at.least(1.5)
  })

  it('is kept when the caller hangs up while the server is dead', async () => {
    await takes()
    const { appliance } = bench.bench
    const { dialog, callId } = await speaker()
    await sleep(1_000)
    await appliance.killServer()
    await dialog.hangUp()
    await appliance.startServer()
    const message = await recordingIs(bench.api, callId, 'ready', 40_000)
    const { channels } = await soundOf(bench.api, message)
    expect(toneLevel(channels[0]!, callerHz)).to.be.above(0.9)
  })

  it('greets in words where no greeting is chosen', async () => {
    await bench.runs([{ id: 'message', type: 'voicemail', params: { max_duration: 1 } }])
    const phone = await bench.caller({ toneHz: callerHz })
    const dialog = await bench.answeredCall(phone)
    await dialog.over()
    const { call_id } = await bench.lastCall()
    await recordingIs(bench.api, call_id, 'ready')
    const loudest = phone.ear.heard().flatMap(({ pcm }) => [...pcm].map(Math.abs))
    expect(Math.max(0, ...loudest.slice(0, 8_000)), 'speech').to.be.above(1_000)
  })

  describe('of a workspace whose provider has speech to text', () => {
    let lea: ApiClient

    before(async () => {
      const { appliance, workspace } = bench.bench
      speech = await chatProvider(appliance)
      const max = await newPerson(workspace, 'supervisor')
      await bench.api.patch(`/agents/${max.id}`, { email: 'max@example.com' })
      const wishes = { email: 'lea@example.com', voicemail_by_email: true }
      const { id, api } = await newPerson(workspace, 'supervisor')
      await succeed(bench.api.patch(`/agents/${id}`, wishes))
      lea = api
      await bench.api.post('/contacts', { name: 'Zoe Quint', numbers: ['+12125550123'] })
    })
    afterEach(() => speech.recover())

    const left = async () => {
      await takes()
      const { dialog, callId } = await speaker()
      await sleep(1_000)
      await dialog.hangUp()
      await recordingIs(bench.api, callId, 'ready')
      return callId
    }
    const voicemail = async (callId: string, query = '') =>
      ((await lea.get(`/call-center/voicemails?state=all&limit=50${query}`)).body.data as Voicemail[]).find(
        ({ call }) => call.call_id === callId,
      )
    const transcribed = async (callId: string) =>
      eventually(
        async () => (await voicemail(callId))?.transcript ?? null,
        (text) => text !== null,
        { withinMs: 30_000, what: 'transcript' },
      )
    const mailed = async (count: number) =>
      eventually(
        async () => mail.mails,
        (mails) => mails.length >= count,
        { withinMs: 30_000, what: `${count} mails` },
      )

    it('is transcribed, found by its words, and mailed to those who want that', async () => {
      const before = mail.mails.length
      speech.transcripts.push('Please call me back about the blue sofa.')
      const stream = await EventReader.open(lea)
      const callId = await left()
      expect(await transcribed(callId)).to.equal('Please call me back about the blue sofa.')
      // It came, and has its transcript.
      await eventually(
        async () =>
          stream.events.filter(({ event, data }) => event === 'waiting.changed' && isOf(data, callId)),
        (told) => told.length === 2,
        { what: 'two changes of what waits' },
      )
      stream.close()
      const heard = speech.heard.at(-1)
      expect(heard?.rate).to.equal(16_000)
      expect(toneLevel(heard!.samples.subarray(0, 12_000), callerHz, 16_000)).to.be.above(0.9)
      expect(await voicemail(callId, '&search=BLUE%20SOFA')).to.not.equal(undefined)
      expect(await voicemail(callId, '&search=quint')).to.not.equal(undefined)
      expect(await voicemail(callId, '&search=red%20sofa')).to.equal(undefined)
      const [received] = (await mailed(before + 1)).slice(before)
      expect(received?.to).to.deep.equal(['lea@example.com'])
      expect(received?.headers).to.include('Subject: Voicemail: Zoe Quint')
      expect(received?.content).to.include('Zoe Quint (+12125550123) left a message of 0:0')
      expect(received?.content).to.include('“Please call me back about the blue sofa.”')
      expect(received?.content).to.match(/Content-Type: audio\/wav;[^]+?filename=\S+\.wav/)
    })

    it('is transcribed after a failure of the provider and a kill of the server', async () => {
      const before = mail.mails.length
      speech.fail('transcriptions', { status: 503 }, Infinity)
      const asked = speech.requests.length
      const callId = await left()
      await eventually(
        async () => speech.requests.length,
        (count) => count > asked,
        { what: 'a request that fails' },
      )
      await bench.bench.appliance.killServer()
      speech.recover()
      speech.transcripts.push('It is me again.')
      await bench.bench.appliance.startServer()
      expect(await transcribed(callId)).to.equal('It is me again.')
      const received = (await mailed(before + 1)).slice(before)
      expect(received.map(({ to }) => to)).to.deep.equal([['lea@example.com']])
    })

    it('is mailed without a transcript where the key is refused, and is not sent where it is not wanted', async () => {
      const before = mail.mails.length
      speech.fail('transcriptions', { status: 401 }, Infinity)
      await left()
      const [received] = (await mailed(before + 1)).slice(before)
      expect(received?.content).not.to.include('“')
      speech.recover()
      const asked = speech.heard.length
      await bench.api.patch('/profile', { voicemail_transcription: false })
      await left()
      await mailed(before + 2)
      expect(speech.heard.length, 'nothing is sent to the provider').to.equal(asked)
    })
  })
})

function isOf(data: Record<string, unknown>, callId: string): boolean {
  return data['changed'] === 'voicemails' && data['call_id'] === callId
}

interface Voicemail {
  call: { call_id: string }
  transcript: string | null
}
