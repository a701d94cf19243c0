/** What was said, in its order, however late the texts of it come. */
import { expect } from 'chai'
import { Dialogue } from '../../src/features/voice-agents/sessions/dialogue.js'
import { type Said } from '../../src/features/voice-agent-sessions/said.js'
import { Silence } from '../../src/features/voice-agents/sessions/silence.js'

describe('dialogue of a voice agent', () => {
  let told: Said[]
  let dialogue: Dialogue
  const texts = () => told.map(({ speaker, text }) => `${speaker}: ${text}`)

  beforeEach(() => {
    told = []
    dialogue = new Dialogue((said) => told.push(said))
  })
  afterEach(() => dialogue.end())

  it('puts what the caller said before the answer, though its text comes later', () => {
    dialogue.callerSpeaks()
    dialogue.callerPauses()
    dialogue.voiceAgentSpeaks('a')
    dialogue.said('At nine.', 'a')
    dialogue.wasHeard('a')
    expect(told).to.deep.equal([])
    dialogue.heard('When do you open?')
    expect(texts()).to.deep.equal(['caller: When do you open?', 'voice_agent: At nine.'])
  })

  it('tells what was cut off, and leaves out what was never heard', () => {
    dialogue.voiceAgentSpeaks('a')
    dialogue.voiceAgentSpeaks('b')
    dialogue.said('We open at nine, and', 'a')
    dialogue.said('close at five.', 'b')
    dialogue.wasInterrupted('a', 700)
    dialogue.wasInterrupted('b', 0)
    expect(told).to.have.length(1)
    expect(told[0]).to.include({ text: 'We open at nine, and', isInterrupted: true })
  })

  it('keeps a text for which nobody was heard to speak', () => {
    dialogue.heard('Hello?')
    expect(texts()).to.deep.equal(['caller: Hello?'])
  })

  it('keeps two utterances of the caller in their order', () => {
    dialogue.callerSpeaks()
    dialogue.callerPauses()
    dialogue.callerSpeaks()
    dialogue.callerPauses()
    dialogue.heard('One.')
    dialogue.heard('Two.')
    expect(texts()).to.deep.equal(['caller: One.', 'caller: Two.'])
  })

  it('tells at the end what there is, and nothing of what has no text', () => {
    dialogue.callerSpeaks()
    dialogue.voiceAgentSpeaks('a')
    dialogue.said('Hello.', 'a')
    dialogue.end()
    expect(texts()).to.deep.equal(['voice_agent: Hello.'])
    expect(told[0]?.isInterrupted).to.equal(false)
  })
})

describe('silence with a voice agent', () => {
  const after = (silence: Silence, seconds: number) => {
    const all: (string | null)[] = []
    for (let passed = 0; passed < seconds * 50; passed += 1) all.push(silence.passed(20))
    return all.filter((one) => one !== null)
  }

  it('is asked about twice, and then left', () => {
    expect(after(new Silence(10), 29)).to.deep.equal(['ask', 'ask'])
    expect(after(new Silence(10), 30)).to.deep.equal(['ask', 'ask', 'leave'])
  })

  it('begins anew with every word of the caller', () => {
    const silence = new Silence(10)
    expect(after(silence, 20)).to.deep.equal(['ask', 'ask'])
    silence.callerSpoke()
    expect(after(silence, 20)).to.deep.equal(['ask', 'ask'])
  })

  it('does not pass while the voice agent speaks', () => {
    const silence = new Silence(10)
    expect(after(silence, 9)).to.deep.equal([])
    silence.broken()
    expect(after(silence, 9)).to.deep.equal([])
  })
})
