/** What a model that hears by itself is given of a line with an echo. */
import { expect } from 'chai'
import { joinedSamples } from '../../src/lib/sound/joined-samples.js'
import { EchoGate } from '../../src/adapters/speech/sound/echo-gate.js'
import { soundAnalysis } from '../../src/adapters/speech/sound/sound-analysis.js'
import { eventually } from '../support/api-client.js'
import { framesOf } from '../support/judged.js'
import { spoken } from '../support/spoken.js'

const rate = 24_000

const greeting = spoken('Hello, this is the shop. We open at nine in the morning, and close at six.', rate)
const caller = spoken('Wait a moment, I would like to order two loaves of rye bread.', rate, 'en-us+f3')

/** Sound as it comes back. */
function echo(sent: Int16Array, db: number, delayMs: number): Int16Array {
  const delay = (rate * delayMs) / 1_000
  const gain = 10 ** (db / 20)
  return Int16Array.from({ length: sent.length + delay }, (_, at) =>
    Math.round((sent[at - delay] ?? 0) * gain),
  )
}

function energy(samples: Int16Array): number {
  return samples.reduce((sum, sample) => sum + sample * sample, 0)
}

/** Of what is heard, what passes. */
async function passed(heard: Int16Array, sent: Int16Array): Promise<Int16Array> {
  const passing: Int16Array[] = []
  const warnings: unknown[] = []
  const gate = new EchoGate({
    ...{ analysis: soundAnalysis, rate, log: { warn: (told: unknown) => void warnings.push(told) } },
    pass: (frame) => passing.push(frame),
  })
  await gate.open()
  const frames = framesOf(heard, rate)
  const played = framesOf(sent, rate)
  for (const [index, frame] of frames.entries()) {
    gate.hear(frame, played[index] ?? new Int16Array(frame.length))
    // No more than the gate lets wait.
    if (index % 25 === 24)
      await eventually(
        async () => Promise.resolve(passing.length),
        (count) => count === index + 1,
        { what: 'judged frames' },
      )
  }
  await eventually(
    async () => Promise.resolve(passing.length),
    (count) => count === frames.length,
    { what: 'all frames' },
  )
  gate.close()
  expect(warnings).to.deep.equal([])
  return joinedSamples(passing)
}

describe('the echo gate', function () {
  this.timeout(30_000)

  for (const [db, delayMs] of [
    [-20, 150],
    [-20, 300],
    [-30, 150],
  ] as const)
    it(`lets nothing through of an echo of ${db} dB after ${delayMs} ms`, async () => {
      const heard = echo(greeting, db, delayMs)
      expect(energy(await passed(heard, greeting)) / energy(heard)).to.be.below(0.02)
    })

  it('lets a caller through above the echo, and all of one who speaks in silence', async () => {
    const back = echo(greeting, -20, 150)
    const after = rate * 2
    const both = back.map((sample, at) => sample + (caller[at - after] ?? 0))
    const through = await passed(both, greeting)
    const from = framesOf(through, rate).findIndex((frame) => energy(frame) > 0) * 0.02
    expect(from, 'seconds until the caller is heard').to.be.within(1.9, 2.4)
    const part = through.subarray(after, after + caller.length)
    expect(energy(part) / energy(caller)).to.be.above(0.7)
    const alone = await passed(caller, new Int16Array(0))
    expect(alone).to.deep.equal(caller.subarray(0, alone.length))
  })

  it('passes all as it comes when nothing can judge it', async () => {
    const passing: Int16Array[] = []
    const gate = new EchoGate({
      analysis: { open: async () => Promise.reject(new Error('no thread')) },
      ...{ rate, log: { warn: () => undefined }, pass: (frame: Int16Array) => passing.push(frame) },
    })
    await gate.open()
    gate.hear(caller.slice(0, 480), greeting.slice(0, 480))
    expect(passing).to.have.length(1)
  })
})
