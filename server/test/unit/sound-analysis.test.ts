/** The thread that judges the sound of calls: when it is not there, or ends. */
import { expect } from 'chai'
import { SoundAnalysis, type SoundListener } from '../../src/adapters/speech/sound/sound-analysis.js'
import { SpeechModelError } from '../../src/adapters/speech/speech-model.js'

const program = (text: string) => new URL(`data:text/javascript,${encodeURIComponent(text)}`)

/** Ready at once; ends with the first frame. */
const fragile = `
  import { parentPort } from 'node:worker_threads'
  parentPort.on('message', ({ kind }) => { if (kind === 'frames') throw new Error('out of memory') })
  parentPort.postMessage({ kind: 'ready' })`

function listening(failed: (error: SpeechModelError) => void): SoundListener {
  return { judged: () => undefined, cleaned: () => undefined, failed }
}

const ignoring = listening(() => undefined)

async function refusalOf(analysis: SoundAnalysis): Promise<SpeechModelError> {
  return analysis.open(24_000, ignoring).then(
    async () => Promise.reject(new Error('it was opened')),
    (error: unknown) => error as SpeechModelError,
  )
}

describe('the thread that judges sound', () => {
  it('is no thread when its model cannot be loaded: no call is kept waiting', async () => {
    const analysis = new SoundAnalysis(program("throw new Error('no model')"))
    for (const _ of [1, 2]) {
      const error = await refusalOf(analysis)
      expect(error).to.be.instanceOf(SpeechModelError)
      expect([error.kind, error.message.includes('no model')]).to.deep.equal(['unreachable', true])
    }
  })

  it('keeps no call waiting when it does not start', async () => {
    const analysis = new SoundAnalysis(program('setInterval(() => undefined, 1_000)'), 100)
    const error = await refusalOf(analysis)
    expect(error.message).to.equal('speech detection has failed: Error: it has not started in time')
  })

  it('tells all calls of its end, once, and the next call gets another one', async () => {
    const analysis = new SoundAnalysis(program(fragile))
    const failures: string[] = []
    const both = ['one', 'other'].map(async (name) => {
      let failed: () => void = () => undefined
      const isOver = new Promise<void>((resolve) => (failed = resolve))
      const stream = await analysis.open(
        24_000,
        listening(({ kind }) => {
          failures.push(`${name}: ${kind}`)
          failed()
        }),
      )
      return { stream, isOver }
    })
    const [one, other] = await Promise.all(both)
    one!.stream.hear(new Int16Array(480), new Int16Array(480))
    await Promise.all([one!.isOver, other!.isOver])
    expect(failures).to.have.members(['one: unreachable', 'other: unreachable'])
    other!.stream.hear(new Int16Array(480), new Int16Array(480))
    other!.stream.close()
    const next = await analysis.open(24_000, ignoring)
    next.close()
    expect(failures).to.have.length(2)
  })
})
