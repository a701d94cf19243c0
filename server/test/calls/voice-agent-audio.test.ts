/** What callers and voice agents hear of each other, on a real FreeSWITCH; the provider is a server of the test. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { recordingIs, soundOf } from '../recordings/recorded.js'
import { type ApiClient, eventually } from '../support/api-client.js'
import { Baresip } from '../support/baresip.js'
import { findFreeswitch, hasModule } from '../support/freeswitch.js'
import { decodeG722, g722Alone, g722Type, wideRate, wideTone } from '../support/g722.js'
import { InboundBench, type TestNode } from '../support/inbound-bench.js'
import { OpenAiHttpServer } from '../support/openai-http.js'
import { PhoneBench, password } from '../support/phone-bench.js'
import { type PhoneDialog, heardIn, hears } from '../support/phone-dialog.js'
import { RealtimeServer } from '../support/realtime-server.js'
import { holds, speech } from '../support/spoken.js'
import { toneLevel, toneLevelInFrames } from '../support/tone.js'

const callerHz = 440
const agentHz = 660

/** Where the last of 10 ms is that are no silence; -1: nowhere. */
function lastSound(pcm: Int16Array): number {
  for (let start = pcm.length - 80; start >= 0; start -= 80) {
    if (pcm.subarray(start, start + 80).some((sample) => Math.abs(sample) > 1_000)) return start
  }
  return -1
}

describe('the sound of voice agents, on the freeswitch', function () {
  this.timeout(90_000)
  let bench: InboundBench
  let provider: RealtimeServer
  let chain: OpenAiHttpServer
  let ada: string

  before(async function () {
    if (!(await findFreeswitch())) this.skip()
    provider = await RealtimeServer.start()
    chain = new OpenAiHttpServer()
    await chain.start()
    chain.msPerCharacter = 200
    chain.toneOf = (text) => (text === 'Hello.' ? 600 : 800)
    bench = await InboundBench.start({ settings: { JACKFIELD_VOICE_AGENTS_SILENCE_SECONDS: '600' } })
    const { operator } = bench.bench.appliance
    const service = { base_url: chain.baseUrl, model: 'a-model', api_key: chain.apiKey }
    await made(operator, '/ai-providers', {
      ...{ name: 'realtime', kind: 'openai_realtime', models: [{ id: 'fast', name: 'Fast' }] },
      settings: { base_url: provider.baseUrl, api_key: provider.key },
    })
    await made(operator, '/ai-providers', {
      ...{ name: 'chain', kind: 'cascaded', models: [{ id: 'house', name: 'House' }] },
      settings: {
        ...{ speech_to_text: service, chat: { ...service, model: null } },
        text_to_speech: { ...service, voice: 'a-voice' },
      },
    })
    ada = await made(bench.api, '/voice-agents', { name: 'Ada', instructions: 'Answer questions.' })
    await speaksWith('fast')
  })
  beforeEach(() => Object.assign(provider, { hz: agentHz, answerMs: 20_000 }))
  after(async () => {
    await bench?.stop()
    await provider?.stop()
    await chain?.stop()
  })

  async function made(api: ApiClient, path: string, input: object): Promise<string> {
    const { status, body } = await api.post(path, input)
    if (status !== 201) throw new Error(JSON.stringify(body))
    return body.id as string
  }

  async function speaksWith(model_id: string): Promise<void> {
    const settings = { version: 1, greeting_message: 'Hello.', max_call_duration_seconds: 0, model_id }
    const { status, body } = await bench.api.patch(`/voice-agents/${ada}/settings`, settings)
    if (status !== 200) throw new Error(JSON.stringify(body))
  }

  /** A call in which the caller hears the voice agent, and says nothing. */
  async function greeted(before: TestNode[] = []): Promise<PhoneDialog> {
    const node = { id: 'ada', type: 'connect_voice_agent', params: { voice_agent_id: ada } }
    await bench.runs([...before, node])
    const phone = await bench.caller({ toneHz: callerHz })
    phone.ear.hush()
    const dialog = await bench.answeredCall(phone)
    await hearsAgent(dialog, agentHz)
    return dialog
  }

  const hearsAgent = async (dialog: PhoneDialog, hz: number) =>
    eventually(
      async () => hears(dialog, hz, 2_400),
      (level) => level > 0.9,
      { withinMs: 20_000, what: `voice agent of ${hz} Hz` },
    )

  const agentHears = async (hz: number) =>
    eventually(
      async () => toneLevel(provider.session.heard.subarray(-12_000), hz, 24_000),
      (level) => level > 0.9,
      { withinMs: 20_000, what: `${hz} Hz at the provider` },
    )

  it('is of the right pitch both ways, for telephones (PCMU)', async () => {
    const dialog = await greeted()
    dialog.phone.ear.speak()
    await agentHears(callerHz)
    await dialog.hangUp()
    expect(provider.violations).to.deep.equal([])
  })

  it('is of the right pitch both ways, for callers who speak G.722', async function () {
    if (!(await hasModule('mod_spandsp'))) this.skip()
    const node = { id: 'ada', type: 'connect_voice_agent', params: { voice_agent_id: ada } }
    await bench.runs([node])
    const phone = await bench.caller({ describes: g722Alone })
    // it says nothing at first, and then its tone
    phone.ear.useCodec(g722Type, wideTone(0))
    const dialog = await bench.answeredCall(phone)
    const encoded = () => phone.ear.encoded(dialog.media!.host, dialog.media!.port)
    await eventually(
      async () => encoded().length,
      (length) => length > 16_000,
      { what: '2 s of sound' },
    )
    expect(toneLevel(decodeG722(encoded()), agentHz, wideRate)).to.be.above(0.9)
    phone.ear.useCodec(g722Type, wideTone(callerHz))
    await agentHears(callerHz)
    await dialog.hangUp()
    expect(provider.violations).to.deep.equal([])
  })

  it('is of the right pitch both ways, for callers who speak Opus', async () => {
    const phones = PhoneBench.on(bench.bench)
    const account = await phones.account('opus')
    await made(bench.api, '/extensions', {
      ...{ title: 'Ada', extension_number: '700', destination: 'voice-agent', voice_agent_id: ada },
    })
    const { sipHost, sipPort } = bench.bench.appliance.kamailio!.options
    const proxy = `sip:${sipHost}:${sipPort};transport=udp`
    const sessions = provider.sessions.length
    const baresip = await Baresip.start(
      { ...account, password, proxy },
      // In turns: while the caller speaks, the voice agent does not.
      { codec: 'opus', dial: '700', toneHz: 900, byTurns: 4 },
    )
    try {
      await eventually(
        async () => provider.sessions.length,
        (count) => count > sessions,
        { withinMs: 20_000, what: 'session of the Opus caller' },
      )
      await Promise.all([agentHears(900), baresip.hears(agentHz, [900])])
    } finally {
      await baresip.stop()
      await phones.closePhones()
    }
  })

  it('stops at the caller’s ear when the caller begins to speak', async function () {
    const dialog = await greeted()
    const before = heardIn(dialog).length
    dialog.phone.ear.speak()
    await sleep(2_000)
    const last = lastSound(heardIn(dialog))
    const ms = Math.max(0, Math.round((last - before) / 8))
    this.test!.title += ` (${ms} ms)`
    expect(provider.session.truncated).to.have.length(1)
    expect(ms).to.be.lessThan(500)
    await dialog.hangUp()
  })

  it('is recorded, the caller on the left and the voice agent on the right', async () => {
    const params = { format: 'wav', stereo: true }
    const dialog = await greeted([{ id: 'record', type: 'recording', params, next: { default: 'ada' } }])
    const id = await bench.lastCallId()
    await sleep(1_000)
    const agentAlone = heardIn(dialog).length / 8_000
    dialog.phone.ear.speak()
    await agentHears(callerHz)
    await sleep(1_000)
    await dialog.hangUp()
    expect(agentAlone).to.be.greaterThan(1)
    const { channels } = await soundOf(bench.api, await recordingIs(bench.api, id, 'ready'))
    const [left = new Int16Array(), right = new Int16Array()] = channels
    expect(toneLevel(left.subarray(-8_000), callerHz), 'the caller').to.be.above(0.9)
    expect(toneLevel(left, agentHz), 'the voice agent on the left').to.be.below(0.05)
    // Before it the caller has heard that the call is recorded.
    expect(toneLevelInFrames(right, agentHz), 'the voice agent').to.be.above(0.9)
    // A gap breaks the tone of the agent, and leaves a little of every other one.
    expect(toneLevel(right, callerHz), 'the caller on the right').to.be.below(0.15)
  })

  it('comes from a chain of three servers as well, whom the caller is heard by', async () => {
    await speaksWith('house')
    try {
      chain.transcripts.push('What are your hours?')
      const answer = 'We open at nine in the morning every day of the week.'
      chain.answers.push({ text: answer })
      const node = { id: 'ada', type: 'connect_voice_agent', params: { voice_agent_id: ada } }
      await bench.runs([node])
      const phone = await bench.caller({ toneHz: callerHz })
      phone.ear.hush()
      const dialog = await bench.answeredCall(phone)
      await hearsAgent(dialog, chain.toneOf('Hello.'))
      await sleep(1_500)
      phone.ear.say(speech(1_000))
      await hearsAgent(dialog, chain.toneOf(answer))
      expect(holds(chain.heard[0]!.samples, speech(1_000, chain.heard[0]!.rate))).to.be.above(0.6)
      await dialog.hangUp()
      expect(chain.violations).to.deep.equal([])
    } finally {
      await speaksWith('fast')
    }
  })
})
