import { expect } from 'chai'
import { describe, it } from 'mocha'

/** Of the benches' build, which is no part of this one. @param {string} name */
const built = async (name) => import(new URL(`../../bench/dist/faults/${name}.js`, import.meta.url).href)
const { farCall } = await built('far-call')
const { chargeable, wrongs } = await built('reckoning')
const { lostTexts, lostTopUps, unrecorded } = await built('losses')
const { recoverySeconds } = await built('recovery')
const { endingOf } = await built('served')

const number = '+13032000001'
const second = 1000

/** A fault of the server, in seconds: calls go on. @param {number} begin @param {number} end @param {object} [more] */
const fault = (begin, end, more = {}) => ({
  ...{ begin: begin * second, end: end * second, hasEndedCalls: false, hasHeldUpSip: false },
  ...more,
})
const later = fault(900, 910)
/** @param {number} begin @param {number} end */
const ofSwitch = (begin, end) => fault(begin, end, { hasEndedCalls: true })
/** @param {number} begin @param {number} end */
const ofEdge = (begin, end) => fault(begin, end, { hasHeldUpSip: true })

/** Its far end hung up, and was told so. @param {number} seconds @param {number} status @param {number} [afterSeconds] */
const left = (seconds, status, afterSeconds = 0) =>
  seen(seconds, { byeBy: 'far', byeAnsweredAt: (seconds + afterSeconds) * second, byeStatus: status })

/**
 * A call that is answered at once, for so many seconds.
 * @param {number} seconds
 * @param {object} [more]
 */
const seen = (seconds, more = {}) => ({
  ...{ side: 'carrier', number, invitedAt: 0, refusedWith: null, answeredAt: 0, acknowledgedAt: 100 },
  ...{ byeBy: 'jackfield', byeAt: seconds * second, byeAnsweredAt: null, byeStatus: null },
  ...more,
})

/** @param {number} duration @param {object} [more] */
const kept = (duration, more = {}) => ({
  ...{ call_id: 'call_1', direction: 'outbound', from: '+12025550199', to: number, status: 'completed' },
  ...{ duration, cost: duration / 100, answered_at: '', ended_at: '' },
  ...more,
})

/** @param {string} method @param {number} status @param {'sent' | 'received'} direction @param {number} at */
const message = (method, status, direction, at) => ({
  ...{ method, status, direction, at, callId: '1' },
  text: `${method} sip:${number}@127.0.0.1 SIP/2.0\r\nFrom: <sip:+12025550199@127.0.0.1>;tag=1\r\n\r\n`,
})

describe('the fault table', () => {
  it('is recovered from with the first of five seconds in a row in which something was asked and all was well', () => {
    /** @param {number} at @param {boolean} isWell */
    const asked = (at, isWell) => ({ at: at * second + 500, isWell })
    const well = [0, 1, 2, 3, 4, 5, 6, 7].map((at) => asked(at, true))
    expect(recoverySeconds(well, 0, 8 * second)).to.equal(0)
    expect(recoverySeconds([...well, asked(1, false)], 0, 8 * second)).to.equal(2)
    expect(recoverySeconds([...well, asked(3, false)], 0, 8 * second), 'four seconds are too few').to.equal(
      null,
    )
    expect(recoverySeconds(well.slice(0, 4), 0, 8 * second), 'nothing was asked').to.equal(null)
  })

  it('takes from the messages of a call when it was up and who ended it', () => {
    const messages = [
      message('INVITE', 0, 'received', 1),
      message('INVITE', 200, 'sent', 2),
      message('INVITE', 200, 'sent', 3),
      message('ACK', 0, 'received', 4),
      message('BYE', 0, 'sent', 5),
      message('BYE', 0, 'sent', 6),
      message('BYE', 481, 'received', 7),
    ]
    expect(farCall('carrier', messages)).to.include({
      ...{
        number,
        answeredAt: 2,
        acknowledgedAt: 4,
        byeBy: 'far',
        byeAt: 5,
        byeAnsweredAt: 7,
        byeStatus: 481,
      },
    })
    const refused = [message('INVITE', 0, 'sent', 1), message('INVITE', 503, 'received', 2)]
    const caller = { number: '+12025550199', refusedWith: 503, answeredAt: null, acknowledgedAt: null }
    expect(farCall('caller', [...refused, message('ACK', 0, 'sent', 3)])).to.include(caller)
  })

  it('tells calls that were served from those refused and cut', () => {
    expect(endingOf(seen(5))).to.equal('served')
    expect(endingOf(seen(4))).to.equal('cut')
    expect(endingOf(seen(3, { byeBy: 'far', byeAnsweredAt: 3050, byeStatus: 200 }))).to.equal('served')
    expect(endingOf(seen(20, { byeBy: 'far', byeAnsweredAt: 20_050, byeStatus: 481 }))).to.equal('cut')
    expect(endingOf(seen(0, { answeredAt: null, acknowledgedAt: null }))).to.equal('refused')
    expect(endingOf(undefined)).to.equal('refused')
  })

  it('finds what was accepted and is lost, and what is charged wrongly', () => {
    const offered = [{ number, at: 0, callId: 'call_1', isRecorded: false }]
    expect(wrongs(offered, [seen(5)], [kept(5)], later)).to.deep.equal([])
    expect(wrongs(offered, [], [], later)).to.have.length(1)
    expect(wrongs(offered, [seen(5)], [kept(5, { ended_at: null })], later)).to.have.length(1)
    expect(wrongs(offered, [seen(5)], [kept(0)], later), 'not charged').to.have.length(1)
    expect(wrongs(offered, [seen(5)], [kept(2)], later), 'too little').to.have.length(1)
    expect(wrongs(offered, [seen(5)], [kept(8)], later), 'too much').to.have.length(1)
    expect(wrongs(offered, [seen(5)], [kept(5), kept(5)], later), 'twice').to.have.length(1)
    expect(wrongs(offered, [], [kept(5)], later), 'nobody answered').to.have.length(1)
    const refused = seen(0, { answeredAt: null, acknowledgedAt: null })
    expect(wrongs(offered, [refused], [kept(0, { status: 'failed' })], later)).to.deep.equal([])
  })

  it('finds texts, credit and recordings that are lost', () => {
    const text = { id: 'msg_1', to: number }
    const taken = new Set([number.slice(1)])
    expect(lostTexts([text], [{ id: 'msg_1', status: 'delivered' }], taken)).to.deep.equal([])
    expect(lostTexts([text], [], taken)).to.deep.equal([
      `text msg_1 to ${number} was accepted and is not there`,
    ])
    expect(lostTexts([text], [{ id: 'msg_1', status: 'sent' }], taken)).to.have.length(1)
    expect(lostTexts([text], [{ id: 'msg_1', status: 'delivered' }], new Set())).to.have.length(1)
    expect(lostTopUps(['entry_1'], 1, [{ id: 'entry_1', amount: 1 }])).to.deep.equal([])
    expect(lostTopUps(['entry_1'], 1, [{ id: 'entry_1', amount: 2 }])).to.have.length(1)
    expect(lostTopUps(['entry_1'], 1, [])).to.have.length(1)
    const offered = [{ number, at: 0, callId: 'call_1', isRecorded: true }]
    const recording = { id: 'rec_1', call_id: 'call_1', status: 'failed' }
    expect(unrecorded(offered, [seen(5)], [recording])).to.deep.equal([])
    expect(unrecorded(offered, [seen(5)], [])).to.have.length(1)
    expect(unrecorded(offered, [seen(2)], []), 'it was cut').to.deep.equal([])
  })

  it('excuses no call that FreeSWITCH had to its end, whatever else was struck meanwhile', () => {
    /** @param {object} trace */
    const lostIn = (trace) => [
      wrongs([], [seen(5)], [], trace),
      wrongs([], [seen(5)], [kept(0)], trace),
      wrongs([], [seen(5)], [kept(2)], trace),
      wrongs([], [seen(5)], [kept(8)], trace),
      wrongs([], [left(3, 200)], [kept(0)], trace),
    ]
    for (const trace of [fault(-5, 20), fault(2, 20), ofSwitch(-5, 20), ofSwitch(2, 20)]) {
      for (const lost of lostIn(trace)) expect(lost, JSON.stringify(trace)).to.have.length(1)
      expect(wrongs([], [seen(5)], [kept(5)], trace)).to.deep.equal([])
    }
    expect(wrongs([], [left(20, 481)], [kept(5)], fault(2, 20)), 'nobody had ended it').to.have.length(1)
  })

  it('lets a call that was cut have ended with FreeSWITCH, and no later than that was back', () => {
    const cut = left(20, 481, 1)
    expect(chargeable(cut, ofSwitch(4, 12))).to.include({ least: 3.9, most: 12, isFree: false })
    expect(chargeable(cut, later)).to.include({ least: 19.9, most: 21, isFree: false })
    expect(wrongs([], [cut], [kept(5)], ofSwitch(4, 12))).to.deep.equal([])
    expect(wrongs([], [cut], [kept(20)], ofSwitch(4, 12)), 'the far end alone stayed').to.have.length(1)
    expect(wrongs([], [cut], [kept(0)], ofSwitch(4, 12)), 'it was known').to.have.length(1)
    expect(wrongs([], [cut], [kept(0)], ofSwitch(1, 12)), 'it was just answered').to.deep.equal([])
    expect(wrongs([], [cut], [kept(0)], ofSwitch(-9, -1)), 'it began after the fault').to.have.length(1)
  })

  it('lets a message that Kamailio held up have been sent when the fault began, and no call be forgotten for it', () => {
    expect(chargeable(seen(12), ofEdge(4, 11))).to.include({ least: 3.9, most: 12 })
    expect(wrongs([], [seen(12)], [kept(5)], ofEdge(4, 11))).to.deep.equal([])
    expect(wrongs([], [seen(12)], [kept(5)], ofEdge(4, 7)), 'it came long after').to.have.length(1)
    expect(wrongs([], [seen(12)], [kept(0)], ofEdge(-4, 11)), 'it was known').to.have.length(1)
    expect(wrongs([], [left(20, 481)], [kept(9)], ofEdge(8, 11)), 'its end was never heard').to.deep.equal([])
    expect(wrongs([], [left(20, 481)], [kept(5)], ofEdge(8, 11)), 'it ended before').to.have.length(1)
    expect(wrongs([], [left(20, 481)], [kept(9)], ofEdge(-9, -6)), 'it began long after').to.have.length(1)
    const answered = { side: 'caller', invitedAt: -9 * second }
    expect(chargeable(seen(5, answered), ofEdge(-9, 1)).most).to.equal(14)
    expect(chargeable(seen(5, answered), fault(-9, 1)).most).to.equal(5)
  })

  it('knows of a call without an ACK when it has answered that itself', () => {
    const open = { acknowledgedAt: null, byeBy: null, byeAt: null }
    expect(chargeable(seen(5, open), later)).to.deep.equal({ least: 0, most: 32, isFree: true })
    expect(chargeable(seen(5, { ...open, side: 'caller' }), later).isFree).to.equal(false)
  })
})
