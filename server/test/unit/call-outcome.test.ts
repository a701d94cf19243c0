/** Outcomes of calls, from the rows that a call leaves. */
import { expect } from 'chai'
import {
  type CallFacts,
  type EndFacts,
  type LegFacts,
  type OfferFacts,
  type WaitFacts,
  outcomeOf,
} from '../../src/features/calls/model/call-outcome.js'

/** A second of the call. */
const at = (second: number) => new Date(Date.UTC(2026, 0, 1) + second * 1_000)

const leg = (over: Partial<LegFacts>): LegFacts => ({
  ...{ id: 'leg_1', role: 'destination', agent_id: null, gateway_id: null, isMachine: false },
  ...{ created_at: at(0), answered_at: null, ended_at: null, is_ended_by_peer: null },
  ...over,
})
const caller = leg({ id: 'leg_caller', role: 'caller', answered_at: at(0) })
const offer = (over: Partial<OfferFacts>): OfferFacts => ({
  ...{ agent_id: 'ag_ann', team_id: null, since: at(0), until: null, result: null },
  ...over,
})
const wait = (over: Partial<WaitFacts>): WaitFacts => ({
  ...{ team_id: 'te_sales', since: at(0), until: null, result: null },
  ...over,
})
const inbound = (over: Partial<CallFacts>): CallFacts => ({
  ...{ line: 'caller', teamId: null, holdMs: 0, heldAt: null },
  ...{ offers: [], waits: [], hasVoicemail: false },
  ...over,
  legs: [caller, ...(over.legs ?? [])],
})
const end = (over: Partial<EndFacts> = {}): EndFacts => ({
  ...{ status: 'completed', endedBy: 'caller', hangupCause: 'NORMAL_CLEARING', endedAt: at(60) },
  ...over,
})
const byServer = { endedBy: 'server' } as const

describe('the outcome of a call', () => {
  it('is answered where a person did, with what they took', () => {
    const legs = [
      leg({ id: 'leg_early', created_at: at(5), ended_at: at(20) }),
      leg({ id: 'leg_ann', agent_id: 'ag_ann', created_at: at(20), answered_at: at(25), ended_at: at(60) }),
    ]
    const waits = [wait({ since: at(2), until: at(25), result: 'answered' })]
    expect(outcomeOf(inbound({ legs, waits, holdMs: 4_600 }), end())).to.deep.equal({
      ...{ outcome: 'answered', abandoned_in: null, ended_by: 'caller' },
      ...{ answered_leg_id: 'leg_ann', team_id: 'te_sales' },
      ...{ wait_seconds: 23, ring_seconds: 20, talk_seconds: 30, hold_seconds: 5 },
    })
  })

  it('is answered by the first of those who talked, and the seconds of all count once', () => {
    const legs = [
      leg({ id: 'leg_bob', created_at: at(0), answered_at: at(30), ended_at: at(60) }),
      leg({ id: 'leg_ann', created_at: at(0), answered_at: at(10), ended_at: at(32) }),
    ]
    expect(outcomeOf(inbound({ legs }), end())).to.include({ answered_leg_id: 'leg_ann', talk_seconds: 50 })
  })

  it('says that the far end left first, though the server ended the call', () => {
    const gone = leg({ answered_at: at(5), ended_at: at(59), is_ended_by_peer: true })
    expect(outcomeOf(inbound({ legs: [gone] }), end(byServer)).ended_by).to.equal('callee')
    const cut = { ...gone, is_ended_by_peer: false }
    expect(outcomeOf(inbound({ legs: [cut] }), end(byServer)).ended_by).to.equal('server')
  })

  it('is abandoned where the caller left: in a queue, while phones rang, in a menu', () => {
    const place = (over: Partial<CallFacts>, how = end()) => {
      const { outcome, abandoned_in } = outcomeOf(inbound(over), how)
      return [outcome, abandoned_in]
    }
    expect(place({ waits: [wait({})] })).to.deep.equal(['abandoned', 'queue'])
    const rang = offer({ since: at(50), until: at(60), result: 'caller_left' })
    expect(place({ waits: [wait({ until: at(60), result: 'left' })], offers: [rang] })).to.deep.equal([
      ...['abandoned', 'queue'],
    ])
    expect(place({ offers: [rang] })).to.deep.equal(['abandoned', 'ringing'])
    expect(place({ legs: [leg({ created_at: at(40) })] })).to.deep.equal(['abandoned', 'ringing'])
    expect(place({})).to.deep.equal(['abandoned', 'menu'])
    // They had waited before, and were in the menu again.
    const waited = [wait({ until: at(20), result: 'timed_out' })]
    const rangBefore = [offer({ since: at(5), until: at(20), result: 'no_answer' })]
    expect(place({ waits: waited, offers: rangBefore })).to.deep.equal(['abandoned', 'menu'])
    const unreported = end({ endedBy: 'unknown' })
    expect(place({ waits: [wait({})] }, unreported)).to.deep.equal(['abandoned', 'queue'])
    const canceled = end({ status: 'canceled', hangupCause: 'ORIGINATOR_CANCEL' })
    expect(place({ line: null, legs: [leg({ role: 'called' })] }, canceled)).to.deep.equal([
      ...['abandoned', 'ringing'],
    ])
  })

  it('is missed where no one answered, and the caller stayed', () => {
    const outcome = (over: Partial<CallFacts>, how: Partial<EndFacts> = byServer) =>
      outcomeOf(inbound(over), end(how)).outcome
    const rang = [offer({ until: at(20), result: 'no_answer' })]
    expect(outcome({ offers: rang })).to.equal('missed')
    expect(outcome({ teamId: 'te_sales' }), 'a team without anyone').to.equal('missed')
    const unanswered = { ...byServer, status: 'no_answer', hangupCause: 'NO_ANSWER' } as const
    expect(outcome({ offers: rang }, unanswered)).to.equal('missed')
    const busy = { ...byServer, status: 'busy', hangupCause: 'USER_BUSY' } as const
    expect(outcome({ offers: [offer({ until: at(0), result: 'busy' })] }, busy)).to.equal('missed')
  })

  it('is a voicemail, a voice agent’s or the script’s own where no person answered', () => {
    const outcome = (over: Partial<CallFacts>, how: Partial<EndFacts> = {}) =>
      outcomeOf(inbound(over), end(how))
    const rang = [offer({ until: at(20), result: 'no_answer' })]
    expect(outcome({ offers: rang, hasVoicemail: true }).outcome).to.equal('voicemail')
    const machine = leg({ id: 'leg_va', isMachine: true, answered_at: at(5), ended_at: at(60) })
    expect(outcome({ legs: [machine] })).to.include({
      ...{ outcome: 'voice_agent', answered_leg_id: 'leg_va', talk_seconds: 0, ring_seconds: 0 },
    })
    const person = leg({ id: 'leg_ann', answered_at: at(40), ended_at: at(60) })
    expect(outcome({ legs: [machine, person] })).to.include({
      ...{ outcome: 'answered', answered_leg_id: 'leg_ann' },
    })
    expect(outcome({}, byServer).outcome).to.equal('self_service')
  })

  it('is refused or failed where it could not be connected', () => {
    const outside = leg({ role: 'called', gateway_id: 'gw_1' })
    const call = (over: Partial<CallFacts>): CallFacts => ({ ...inbound(over), line: 'called' })
    const how = (status: EndFacts['status'], hangupCause: string, endedBy: EndFacts['endedBy']) =>
      outcomeOf(call({ legs: [outside] }), end({ status, hangupCause, endedBy })).outcome
    expect(how('busy', 'USER_BUSY', 'callee')).to.equal('refused')
    expect(how('failed', 'CALL_REJECTED', 'callee')).to.equal('refused')
    expect(how('no_answer', 'NO_ANSWER', 'server')).to.equal('missed')
    expect(how('failed', 'UNALLOCATED_NUMBER', 'carrier')).to.equal('failed')
    expect(how('canceled', 'ORIGINATOR_CANCEL', 'server')).to.equal('abandoned')
    const rejected = { ...end({ status: 'failed', hangupCause: 'INCOMING_CALL_BARRED' }), isRejected: true }
    expect(outcomeOf(inbound({}), rejected).outcome).to.equal('refused')
    const crashed = end({ ...byServer, hangupCause: 'CRASH' })
    expect(outcomeOf(inbound({}), crashed).outcome).to.equal('failed')
  })

  it('of an outbound call counts the talk with whom its script connected it', () => {
    const called = leg({ id: 'leg_called', role: 'called', answered_at: at(5), ended_at: at(60) })
    const alone = { ...inbound({ legs: [called] }), line: 'called' } as const
    expect(outcomeOf(alone, end())).to.include({ outcome: 'answered', talk_seconds: 55 })
    const agent = leg({ id: 'leg_ann', created_at: at(20), answered_at: at(30), ended_at: at(60) })
    expect(outcomeOf({ ...alone, legs: [...alone.legs, agent] }, end())).to.include({
      ...{ answered_leg_id: 'leg_called', talk_seconds: 30 },
    })
  })
})
