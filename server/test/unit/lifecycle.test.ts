/** What starts in which order, and that a stop ends by its deadlines. */
import { setImmediate as othersTurn } from 'node:timers/promises'
import { expect } from 'chai'
import { type Logger, pino } from 'pino'
import { Lifecycle } from '../../src/app/lifecycle.js'

describe('the lifecycle of a server', () => {
  const lines: { event: string; parts?: string[]; part?: string }[] = []
  const log: Logger = pino({ level: 'warn' }, { write: (line: string) => void lines.push(JSON.parse(line)) })
  const done: string[] = []
  const step =
    (name: string, turns = 0) =>
    async () => {
      for (let turn = 0; turn < turns; turn++) await othersTurn()
      done.push(name)
    }
  const failing = (problem: string) => async () => {
    await othersTurn()
    throw new Error(problem)
  }
  const hanging = async () => new Promise<void>(() => undefined)
  const phases = { start: ['ground', 'doors'], stop: { doors: 60, ground: 1_000 } } as const
  const made = () => new Lifecycle<'ground' | 'doors', 'doors' | 'ground'>(phases, log)

  beforeEach(() => {
    lines.length = 0
    done.length = 0
  })

  it('starts phase after phase, and parts as they were added', async () => {
    await made()
      .add('http', { start: ['doors', step('http')] })
      .add('database', { start: ['ground', step('database', 3)] })
      .add('tables', { start: ['ground', step('tables')] })
      .start()
    expect(done).to.deep.equal(['database', 'tables', 'http'])
  })

  it('starts nothing after a part that cannot start', async () => {
    const lifecycle = made()
      .add('database', { start: ['ground', failing('refused')] })
      .add('http', { start: ['doors', step('http')] })
    const problem = await lifecycle.start().catch((error: unknown) => error)
    expect(problem).to.be.an('error').with.property('message', 'refused')
    expect(done).to.deep.equal([])
  })

  it('stops the parts of a phase at once, and a phase after the one before it', async () => {
    await made()
      .add('database', { stop: ['ground', step('database')] })
      .add('http', { stop: ['doors', step('http', 5)] })
      .add('sockets', { stop: ['doors', step('sockets', 2)] })
      .stop()
    expect(done).to.deep.equal(['sockets', 'http', 'database'])
    expect(lines).to.deep.equal([])
  })

  it('goes on without a part that is late or fails, and names it', async () => {
    await made()
      .add('http', { stop: ['doors', hanging] })
      .add('sockets', { stop: ['doors', failing('gone')] })
      .add('database', { stop: ['ground', step('database')] })
      .stop()
    expect(done).to.deep.equal(['database'])
    expect(lines.map(({ event, part, parts }) => [event, part ?? parts])).to.deep.equal([
      ['server.stop_failed', 'sockets'],
      ['server.stop_overdue', ['http']],
    ])
  })
})
