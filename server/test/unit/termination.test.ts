/** How calls end: the status, the cause, the SIP status, and who ended them. */
import { expect } from 'chai'
import type { CallLeg } from '../../src/features/calls/model/call-leg.entity.js'
import type { Call } from '../../src/features/calls/model/call.entity.js'
import {
  connectOutcomeOf,
  endOfBridgedCall,
  endOfCall,
  failures,
  rejected,
  unanswered,
} from '../../src/features/calls/model/termination.js'
import type { ChannelEnd } from '../../src/adapters/freeswitch/channel-end.js'

const at = new Date(1_700_000_000_000)
const leg = (role: CallLeg['role'], uri = 'sip:1@example.com') => ({ role, uri, agent_id: null }) as CallLeg
const call = (answered_at: Date | null) => ({ answered_at }) as Call
const end = (hangupCause: string, more: Partial<ChannelEnd> = {}): ChannelEnd => ({
  ...{ hangupCause, sipCode: null, answeredAt: null, endedAt: at },
  ...more,
})

describe('the end of an unanswered call', () => {
  it('is the called party’s when it answered for itself', () => {
    const busy = { hangupCause: 'USER_BUSY', sipCode: 486 }
    expect(unanswered(busy)).to.deep.equal({ ...busy, status: 'busy', endedBy: 'callee' })
    expect(unanswered({ hangupCause: 'CALL_REJECTED', sipCode: 603 })).to.include({
      ...{ status: 'failed', endedBy: 'callee' },
    })
  })

  it('is the carrier’s when the network refused it', () => {
    const refused = { hangupCause: 'NORMAL_TEMPORARY_FAILURE', sipCode: 503 }
    expect(unanswered(refused)).to.include({ status: 'failed', endedBy: 'carrier' })
  })

  it('is the server’s when there was no answer in time, or there is no route', () => {
    expect(unanswered({ hangupCause: 'NO_ANSWER', sipCode: 487 })).to.include({
      ...{ status: 'no_answer', endedBy: 'server' },
    })
    expect(unanswered(failures.noRoute)).to.include({ status: 'failed', endedBy: 'server', sipCode: null })
  })

  it('is the caller’s when they gave up', () => {
    const gone = endOfCall(call(null), leg('caller'), end('ORIGINATOR_CANCEL', { isByPeer: true }))
    expect(gone).to.include({ status: 'canceled', endedBy: 'caller', sipCode: 487 })
    const app = endOfCall(call(null), leg('caller', 'app:jo'), end('NORMAL_CLEARING'))
    expect(app).to.include({ status: 'canceled', endedBy: 'caller', hangupCause: 'ORIGINATOR_CANCEL' })
  })

  it('of two phones is that of the far end when the switch ended the caller with its answer', () => {
    const far = end('USER_BUSY', { sipCode: 486, isByPeer: true })
    const busy = endOfBridgedCall(null, end('USER_BUSY', { isByPeer: false }), far)
    expect(busy).to.include({ status: 'busy', endedBy: 'callee', sipCode: 486 })
  })
})

describe('the end of an answered call', () => {
  const ended = (role: CallLeg['role'], isByPeer?: boolean) =>
    endOfCall(call(at), leg(role), end('NORMAL_CLEARING', isByPeer === undefined ? {} : { isByPeer }))

  it('is that of the party that hung up', () => {
    expect(ended('caller', true)).to.include({ status: 'completed', sipCode: 200, endedBy: 'caller' })
    expect(ended('called', true)).to.include({ status: 'completed', sipCode: 200, endedBy: 'callee' })
    expect(ended('called', false)).to.include({ endedBy: 'server' })
  })

  it('is unknown when the switch did not report it', () => {
    expect(ended('called')).to.include({ status: 'completed', endedBy: 'unknown' })
  })

  it('of two phones is the far end’s when that one hung up', () => {
    const bye = end('NORMAL_CLEARING', { isByPeer: true })
    const hungUp = end('NORMAL_CLEARING', { isByPeer: false })
    expect(endOfBridgedCall(at, hungUp, bye)).to.include({ status: 'completed', endedBy: 'callee' })
    expect(endOfBridgedCall(at, bye, hungUp)).to.include({ status: 'completed', endedBy: 'caller' })
    expect(endOfBridgedCall(at, hungUp, hungUp)).to.include({ endedBy: 'server' })
  })

  it('does not count as answered when the caller never acknowledged the answer', () => {
    const lost = endOfCall(call(at), leg('caller'), end('NORMAL_UNSPECIFIED', { isUnacknowledged: true }))
    expect(lost).to.include({ status: 'canceled', sipCode: null, isUnconnected: true })
  })
})

describe('a rejected call', () => {
  it('has the SIP answer of its cause, or another one', () => {
    expect(rejected('USER_BUSY')).to.include({ status: 'busy', sipCode: 486, endedBy: 'server' })
    expect(rejected('INCOMING_CALL_BARRED', 402)).to.include({ status: 'failed', sipCode: 402 })
  })
})

describe('the outcome of a dial, for the script', () => {
  it('follows the far end’s status, or the cause where the switch ended the leg', () => {
    expect(connectOutcomeOf({ hangupCause: 'CALL_REJECTED', sipCode: 603 })).to.equal('busy')
    expect(connectOutcomeOf({ hangupCause: 'NO_ANSWER', sipCode: 487 })).to.equal('no_answer')
    expect(connectOutcomeOf(failures.offline)).to.equal('offline')
    expect(connectOutcomeOf({ hangupCause: 'NORMAL_TEMPORARY_FAILURE', sipCode: 503 })).to.equal('failed')
  })
})
