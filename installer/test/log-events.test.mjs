/** Operators alert on the events of the log: each line has one, and each means one thing. */
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { logCalls } from '../reference/log-events.mjs'

describe('the log of the server', () => {
  const calls = logCalls()

  it('names an event in each call', () => {
    expect(calls).to.have.length.above(150)
    const unnamed = calls.filter(({ event }) => !/^[a-z]+(_[a-z]+)*\.[a-z]+(_[a-z]+)*$/.test(event ?? ''))
    expect(unnamed.map(({ at }) => at)).to.deep.equal([])
  })

  it('uses an event for one text alone', () => {
    /** @type {Map<string | undefined, Set<string | undefined>>} */
    const texts = new Map()
    for (const { event, text } of calls) texts.set(event, new Set([...(texts.get(event) ?? []), text]))
    const doubled = [...texts].filter(([, those]) => those.size > 1).map(([event]) => event)
    expect(doubled).to.deep.equal([])
  })
})
