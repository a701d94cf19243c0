/** What a voice agent of three servers takes for its caller's words, on a real FreeSWITCH. */
import { expect } from 'chai'
import { type ApiClient, eventually } from '../support/api-client.js'
import { findFreeswitch } from '../support/freeswitch.js'
import { InboundBench } from '../support/inbound-bench.js'
import { OpenAiHttpServer } from '../support/openai-http.js'
import type { PhoneDialog } from '../support/phone-dialog.js'
import { Recogniser } from '../support/recogniser.js'
import { spoken } from '../support/spoken.js'

const greeting =
  'Hello, this is the shop. We open at nine in the morning from Monday to Friday, and on Saturdays we close at noon.'

/** A cough, as noise: 350 ms that rise at once and fade. */
function cough(): Int16Array {
  let state = 7
  return Int16Array.from({ length: 2_800 }, (_, index) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return (state / 1_073_741_824 - 1) * 16_000 * Math.min(1, index / 160, (2_800 - index) / 2_000)
  })
}

describe('what voice agents hear, on the freeswitch', function () {
  this.timeout(90_000)
  let bench: InboundBench
  let chain: OpenAiHttpServer
  let ada: string

  before(async function () {
    if (!(await findFreeswitch())) this.skip()
    chain = new OpenAiHttpServer()
    await chain.start()
    chain.speaking = (text) => spoken(text, 24_000, 'en-us')
    bench = await InboundBench.start({ settings: { JACKFIELD_VOICE_AGENTS_SILENCE_SECONDS: '600' } })
    const service = { base_url: chain.baseUrl, model: 'a-model', api_key: chain.apiKey }
    await made(bench.bench.appliance.operator, '/ai-providers', {
      ...{ name: 'chain', kind: 'cascaded', models: [{ id: 'house', name: 'House' }] },
      settings: {
        ...{ speech_to_text: service, chat: { ...service, model: null } },
        text_to_speech: { ...service, voice: 'a-voice' },
      },
    })
    ada = await made(bench.api, '/voice-agents', { name: 'Ada', instructions: 'Answer questions.' })
    const settings = { version: 1, greeting_message: greeting, model_id: 'house' }
    expect((await bench.api.patch(`/voice-agents/${ada}/settings`, settings)).status).to.equal(200)
    const node = { id: 'ada', type: 'connect_voice_agent', params: { voice_agent_id: ada } }
    await bench.runs([node])
  })
  beforeEach(() => {
    for (const list of [chain.heard, chain.chats, chain.spoken, chain.transcripts]) list.length = 0
  })
  afterEach(() => expect(chain.violations).to.deep.equal([]))
  after(async () => {
    await bench?.stop()
    await chain?.stop()
  })

  async function made(api: ApiClient, path: string, input: object): Promise<string> {
    const { status, body } = await api.post(path, input)
    if (status !== 201) throw new Error(JSON.stringify(body))
    return body.id as string
  }

  async function answered(prepare: (dialog: PhoneDialog) => void = () => undefined): Promise<PhoneDialog> {
    const phone = await bench.caller({ toneHz: 440 })
    phone.ear.hush()
    const dialog = await bench.answeredCall(phone)
    prepare(dialog)
    return dialog
  }

  /** What was said, when it was said to its end. */
  async function said(count: number) {
    const id = await bench.lastCallId()
    return eventually(
      async () =>
        (await bench.api.get(`/calls/${id}/transcript`)).body.data as {
          text: string
          is_interrupted: boolean
        }[],
      (lines) => lines.length >= count,
      { withinMs: 25_000, what: `${count} utterances` },
    )
  }

  async function isGreeted(dialog: PhoneDialog): Promise<void> {
    await eventually(
      async () => dialog.phone.ear.heard().some(({ pcm }) => pcm.some((sample) => Math.abs(sample) > 2_000)),
      Boolean,
      { withinMs: 20_000, what: 'the greeting' },
    )
  }

  it('is no cough: the greeting is heard to its end', async () => {
    const dialog = await answered()
    await isGreeted(dialog)
    dialog.phone.ear.say(cough())
    const [first] = await said(1)
    expect(first).to.deep.include({ text: greeting, is_interrupted: false })
    expect(chain.heard).to.deep.equal([])
    await dialog.hangUp()
  })

  for (const delayMs of [140, 300]) {
    it(`is no echo of -20 dB after ${delayMs} ms, but the caller above it`, async () => {
      const dialog = await answered(({ phone }) => phone.ear.echoes(0.1, delayMs))
      const [first] = await said(1)
      expect(first).to.deep.include({ text: greeting, is_interrupted: false })
      expect(chain.heard).to.deep.equal([])
      chain.transcripts.push('What do you sell?')
      chain.answers.push({ text: `We sell bread. ${greeting}` })
      dialog.phone.ear.say(spoken('What do you sell', 8_000))
      await eventually(
        async () => chain.spoken.length,
        (count) => count >= 4,
        { withinMs: 15_000, what: 'an answer' },
      )
      chain.transcribing = () => 'Wait a moment please.'
      chain.answers.push({ text: 'Yes?' })
      dialog.phone.ear.say(spoken('Wait a moment please, I have another question.', 8_000))
      const lines = await said(5)
      expect(lines[2]).to.deep.include({ is_interrupted: true })
      expect(lines.map(({ text }) => text).filter((text) => !text.includes(greeting))).to.deep.equal([
        ...['What do you sell?', 'Wait a moment please.', 'Yes?'],
      ])
      await dialog.hangUp()
    })
  }

  it('is one utterance, when the caller pauses in the middle of a number', async () => {
    const dialog = await answered()
    await said(1)
    chain.transcribing = ({ samples, rate }) =>
      samples.length / rate < 2.6 ? 'My order number is' : 'My order number is 4711.'
    const parts = [
      spoken('My order number is', 8_000),
      new Int16Array(6_400),
      spoken('four seven one one', 8_000),
    ]
    dialog.phone.ear.say(Int16Array.from(parts.flatMap((part) => [...part])))
    const lines = await said(2)
    expect(lines[1]!.text).to.equal('My order number is 4711.')
    expect(chain.chats).to.have.length(1)
    await dialog.hangUp()
  })

  it('is a spoken question that a real recogniser understands', async function () {
    const recogniser = await Recogniser.find(['what time do you (open | close) [on (monday | friday)]'])
    if (!recogniser) this.skip()
    try {
      chain.transcribing = async ({ samples, rate }) => recogniser.recognise(samples, rate)
      chain.answers.push({ text: 'We open at nine in the morning.' })
      const dialog = await answered()
      await said(1)
      dialog.phone.ear.say(spoken('What time do you open on Friday?', 8_000, 'en-us+m3'))
      const lines = await said(3)
      expect(lines.slice(1).map(({ text }) => text)).to.deep.equal([
        'what time do you open on friday',
        'We open at nine in the morning.',
      ])
      await dialog.hangUp()
    } finally {
      await recogniser.close()
    }
  })
})
