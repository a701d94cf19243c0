/** Who has answered, by the sound that comes after it. */
import { expect } from 'chai'
import type { Answered } from '../../src/features/calls/model/script-results.js'
import { AnswerDetector } from '../../src/features/calls/script/machines/answer-detector.js'
import { joinedSamples } from '../../src/lib/sound/joined-samples.js'
import { framesOf, judged } from '../support/judged.js'
import { spoken } from '../support/spoken.js'

const rate = 8_000

const mailbox =
  'You have reached the mailbox of Ada. I cannot take your call now. Please leave a message after the tone.'

function silence(ms: number): Int16Array {
  return new Int16Array((rate * ms) / 1_000)
}

function tone(hz: number, ms: number): Int16Array {
  return Int16Array.from({ length: (rate * ms) / 1_000 }, (_, at) =>
    Math.round(8_000 * Math.sin((2 * Math.PI * hz * at) / rate)),
  )
}

/** @returns what is told, and after which time; null: nothing */
async function heard(toEnd: boolean, ...parts: Int16Array[]): Promise<(Answered & { ms: number }) | null> {
  const samples = joinedSamples(parts)
  const probabilities = await judged(samples, rate)
  const detector = new AnswerDetector(rate, toEnd)
  for (const [index, frame] of framesOf(samples, rate).entries()) {
    const answered = detector.hear(frame, probabilities[index]?.probability ?? 0)
    if (answered) return { ...answered, ms: (index + 1) * 20 }
  }
  return null
}

describe('who has answered', function () {
  this.timeout(30_000)

  for (const [text, voice] of [
    ['Hello?', 'en-us'],
    ['Hello, this is Ada.', 'en-us+f3'],
    ['Guten Tag, Müller.', 'de'],
    ['Pronto!', 'it'],
  ] as const)
    it(`is a person who says “${text}” and waits`, async () => {
      const found = await heard(true, silence(600), spoken(text, rate, voice), silence(3_000))
      expect(found).to.include({ answered_by: 'human', message_end: null })
    })

  it('is a machine that goes on: it is told after 2.4 s of its greeting', async () => {
    const found = await heard(false, silence(500), spoken(mailbox, rate), silence(5_000))
    expect(found).to.include({ answered_by: 'machine', message_end: null })
    expect(found?.ms).to.be.within(2_600, 3_400)
  })

  for (const hz of [440, 1_000, 1_400, 2_000])
    it(`is a machine, whose greeting is over with a beep of ${hz} Hz`, async () => {
      const greeting = spoken(mailbox, rate)
      const parts = [silence(500), greeting, silence(700), tone(hz, 400)]
      const found = await heard(true, ...parts, silence(5_000))
      expect(found).to.include({ answered_by: 'machine', message_end: 'beep' })
      const beepEnds = (joinedSamples(parts).length / rate) * 1_000
      expect(found?.ms).to.be.within(beepEnds, beepEnds + 100)
    })

  it('is a machine, whose greeting is over after two seconds of silence', async () => {
    const found = await heard(true, silence(500), spoken(mailbox, rate), silence(5_000))
    expect(found).to.include({ answered_by: 'machine', message_end: 'silence' })
  })

  it('is a fax, after half a second of its tone', async () => {
    const found = await heard(false, silence(300), tone(2_100, 3_000))
    expect(found).to.include({ answered_by: 'fax' })
    expect(found?.ms).to.be.within(700, 1_000)
  })

  it('is unknown after five seconds of silence, or when there is no more time', async () => {
    expect(await heard(false, silence(6_000))).to.deep.equal({
      ...{ answered_by: 'unknown', message_end: null, ms: 5_000 },
    })
    expect(new AnswerDetector(rate, true).timedOut()).to.deep.equal({
      ...{ answered_by: 'unknown', message_end: null },
    })
  })

  it('is no machine for a click before a person speaks, and no voice is a beep', async () => {
    const click = joinedSamples([silence(400), tone(900, 40), silence(1_500)])
    const found = await heard(false, click, spoken('Yes?', rate, 'en-us'), silence(2_000))
    expect(found).to.include({ answered_by: 'human' })
    for (const voice of ['en-us', 'en-us+f3', 'de+f2', 'fr', 'it+m3']) {
      const answered = await heard(true, spoken(mailbox, rate, voice), silence(3_000))
      expect(answered, voice).to.include({ answered_by: 'machine', message_end: 'silence' })
    }
  })
})
