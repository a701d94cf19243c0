/** What is known of legs whose end nobody heard, and what they are charged. */
import { expect } from 'chai'
import type { CallLeg } from '../../src/features/calls/model/call-leg.entity.js'
import { presumedEnd } from '../../src/features/calls/model/leg-ends.js'
import { chargesOf } from '../../src/features/calls/model/locked-legs.js'

const at = (second: number) => new Date(1_700_000_000_000 + second * 1_000)

describe('the end of a leg that nobody heard', () => {
  const leg = { created_at: at(0), answered_at: at(10) } as CallLeg
  const end = (history: { startedAt: Date; heardAt: Date | null; isKept?: boolean }, of = leg) => {
    const { isKept = true, ...moments } = history
    return presumedEnd(of, { ...moments, journal: { isKept, find: async () => Promise.resolve(null) } })
  }

  it('is when the switch was last heard of, not when its next run begins', () => {
    expect(end({ startedAt: at(5_000), heardAt: at(40) })).to.include({ hangupCause: 'CRASH' })
    expect(end({ startedAt: at(5_000), heardAt: at(40) })?.endedAt).to.deep.equal(at(40))
    expect(end({ startedAt: at(30), heardAt: at(40) })?.endedAt, 'a restart in between').to.deep.equal(at(30))
    expect(end({ startedAt: at(30), heardAt: null })?.endedAt).to.deep.equal(at(30))
  })

  it('is that also where the switch goes on and has no journal', () => {
    const running = { startedAt: at(-100), heardAt: at(40), isKept: false }
    expect(end(running)).to.deep.include({ answeredAt: at(10), endedAt: at(40) })
    expect(end(running, { ...leg, answered_at: null })).to.deep.include({ answeredAt: null, endedAt: at(40) })
  })

  it('is not before its answer', () => {
    expect(end({ startedAt: at(5_000), heardAt: at(5) })?.endedAt).to.deep.equal(at(10))
  })

  it('is none of a leg that was never dialled: its journal would tell', () => {
    expect(end({ startedAt: at(-100), heardAt: at(40) }, { ...leg, answered_at: null })).to.equal(null)
  })
})

describe('what the legs of a call are charged', () => {
  it('is for no longer than their call', () => {
    const rate = { fee_per_minute: '0.6', connection_fee: '0', minimum_seconds: 1, increment_seconds: 1 }
    const call = {
      live: 1,
      cell: 'one',
      credit_held: '0',
      call_answered_at: at(0),
      max_duration: 7_200,
    } as const
    const leg = { ...rate, id: 'leg_1', agent_id: null, role: 'called', answered_at: at(0) } as const
    const seconds = (ended_at: Date | null) => chargesOf([{ ...call, ...leg, ended_at }], at(20))[0]?.seconds
    expect(seconds(at(12))).to.equal(12)
    expect(seconds(at(4_000))).to.equal(20)
    expect(seconds(null)).to.equal(20)
  })
})
