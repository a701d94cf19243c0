/** A chain whose ears and voice are real programs of Debian: pocketsphinx recognises, and espeak-ng speaks. */
import { expect } from 'chai'
import { CascadedModel } from '../../src/adapters/speech/cascaded/cascaded-model.js'
import { joinedSamples } from '../../src/lib/sound/joined-samples.js'
import { Listening, key, rate, services, usual } from '../support/cascaded-caller.js'
import { OpenAiHttpServer } from '../support/openai-http.js'
import { Recogniser } from '../support/recogniser.js'
import { spoken } from '../support/spoken.js'

describe('a chain of real programs', function () {
  this.timeout(90_000)
  let recogniser: Recogniser | null
  let server: OpenAiHttpServer
  let caller: Listening

  before(async function () {
    recogniser = await Recogniser.find([
      'what time do you (open | close) [on (monday | friday)]',
      'my order number is (one | four | seven)+',
      'we (open | close) at (six | nine) in the (morning | evening)',
    ])
    if (!recogniser) this.skip()
    server = new OpenAiHttpServer(key)
    await server.start()
    server.transcribing = async ({ samples, rate: heardRate }) =>
      (await recogniser?.recognise(samples, heardRate)) ?? ''
    server.speaking = (text) => spoken(text, rate, 'en-us')
    server.answering = ({ messages }) => {
      const asked = String(messages.at(-1)?.content)
      return /what time do you open/.test(asked)
        ? { text: 'We open at nine in the morning.' }
        : { text: 'We close at six in the evening.' }
    }
    caller = new Listening(new CascadedModel(services(server), { ...usual, noiseReduction: true }))
    await caller.model.open(new AbortController().signal)
  })
  after(async () => {
    caller?.model.close()
    await server?.stop()
    await recogniser?.close()
  })

  it('recognises a spoken question, and answers it in words that can be recognised', async () => {
    await caller.hears(spoken('What time do you open on Friday?', rate, 'en-us+f3'))
    await caller.until('audioDone')
    expect(caller.heard).to.deep.equal(['what time do you open on friday'])
    expect(caller.said).to.deep.equal(['We open at nine in the morning.'])
    const answer = joinedSamples([...caller.audio.values()].map((samples) => Int16Array.from(samples)))
    expect(await recogniser?.recognise(answer, rate)).to.equal('we open at nine in the morning')
    expect(server.violations).to.deep.equal([])
  })
})
