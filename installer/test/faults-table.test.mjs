import { expect } from 'chai'
import { describe, it } from 'mocha'

/** Of the benches' build, which is no part of this one. @param {string} name */
const built = async (name) => import(new URL(`../../bench/dist/faults/${name}.js`, import.meta.url).href)
const { farCall } = await built('far-call')
const { chargeable, wrongs } = await built('reckoning')
const { ledgerProblems, lostRecordings, lostTexts, lostTopUps, saysUnrecorded, unrecorded } =
  await built('losses')
const { merged, written } = await built('page')
const { recoverySeconds } = await built('recovery')
const { endingOf } = await built('served')

const number = '+13032000001'
const second = 1000

/** FreeSWITCH ended with all calls; in seconds. @param {number} begin @param {number} end @param {number} [seenAt] */
const ofSwitch = (begin, end, seenAt = begin + 0.1) => ({
  switchEnded: [{ begin: begin * second, seenAt: seenAt * second, end: end * second }],
  edgeHeldUp: [],
})
/** Kamailio passed nothing on. @param {number} begin @param {number} end */
const ofEdge = (begin, end) => ({
  switchEnded: [],
  edgeHeldUp: [{ begin: begin * second, end: end * second }],
})
/** Of the server, MariaDB, a disk: calls go on. */
const other = { switchEnded: [], edgeHeldUp: [] }

/**
 * Its far end hung up, and was told so.
 * @param {number} seconds
 * @param {number} status
 * @param {number} [afterSeconds]
 * @param {object} [more]
 */
const left = (seconds, status, afterSeconds = 0, more = {}) =>
  seen(seconds, {
    byeBy: 'far',
    byeAnsweredAt: (seconds + afterSeconds) * second,
    byeStatus: status,
    ...more,
  })

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

  const offered = [{ number, at: 0, callId: 'call_1', isRecorded: false }]
  const refused = seen(0, { answeredAt: null, acknowledgedAt: null })

  it('finds a call that was accepted and is not there, or has no end', () => {
    expect(wrongs(offered, [seen(5)], [kept(5)], other)).to.deep.equal([])
    expect(wrongs(offered, [], [], other)).to.deep.equal([
      `call_1 to ${number} was accepted and is not there`,
    ])
    expect(wrongs(offered, [seen(5)], [kept(5, { ended_at: null })], other)).to.have.length(1)
    expect(wrongs([{ ...offered[0], callId: undefined }], [], [], other), 'it was not').to.deep.equal([])
  })

  it('finds a call that is charged and was never connected', () => {
    expect(wrongs(offered, [], [kept(5)], other)).to.deep.equal([
      `${number}, call_1: charged and not answered`,
    ])
    expect(wrongs(offered, [refused], [kept(5)], other)).to.have.length(1)
    expect(wrongs(offered, [refused], [kept(0, { status: 'failed' })], other)).to.deep.equal([])
  })

  it('finds a call that was connected and is not charged', () => {
    expect(wrongs(offered, [seen(5)], [kept(0)], other)).to.have.length(1)
    expect(wrongs([], [seen(5)], [], other), 'nobody here knows of it').to.have.length(1)
  })

  it('finds a call that is charged twice', () => {
    expect(wrongs(offered, [seen(5)], [kept(5), kept(5, { call_id: 'call_2' })], other)).to.deep.equal([
      `${number}, call_1 call_2: charged 2 times`,
    ])
    expect(wrongs(offered, [seen(5)], [kept(5), kept(0, { call_id: 'call_2' })], other)).to.deep.equal([])
  })

  it('finds charged seconds that are more than two off', () => {
    for (const duration of [3, 7]) {
      expect(wrongs(offered, [seen(5)], [kept(duration)], other), `${duration} s`).to.deep.equal([])
    }
    for (const duration of [2, 8]) {
      expect(wrongs(offered, [seen(5)], [kept(duration)], other), `${duration} s`).to.have.length(1)
    }
  })

  it('finds texts and top-ups that are lost', () => {
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
  })

  it('finds recordings that are lost', () => {
    const asked = [{ ...offered[0], isRecorded: true }]
    const failed = { id: 'rec_1', call_id: 'call_1', status: 'failed' }
    expect(unrecorded(asked, [seen(5)], [failed])).to.deep.equal([])
    expect(unrecorded(asked, [seen(5)], [])).to.have.length(1)
    expect(unrecorded(asked, [seen(2)], []), 'it was cut').to.deep.equal([])
    const action = (/** @type {string} */ outcome) => ({
      event: 'call.action',
      details: { action: 'recording', outcome },
    })
    expect(saysUnrecorded([{ event: 'call.answered' }, action('failed')])).to.equal(true)
    expect(saysUnrecorded([{ event: 'call.answered' }, action('completed')])).to.equal(false)
    const ready = { ...failed, status: 'ready' }
    /** @param {number} status @param {number} bytes */
    const content = (status, bytes) => new Map([['rec_1', { status, bytes }]])
    expect(lostRecordings([failed], new Map()), 'it says why').to.deep.equal([])
    expect(lostRecordings([ready], content(200, 80_044))).to.deep.equal([])
    expect(lostRecordings([ready], content(404, 0))).to.have.length(1)
    expect(lostRecordings([ready], content(200, 44)), 'no audio').to.have.length(1)
    expect(lostRecordings([ready], new Map())).to.have.length(1)
    expect(lostRecordings([{ ...failed, status: 'processing' }], new Map())).to.have.length(1)
  })

  it('finds a ledger that does not add up', () => {
    expect(ledgerProblems({ problems: [] })).to.deep.equal([])
    const problem = { kind: 'balance', id: 'faults', expected: 2, found: 1 }
    expect(ledgerProblems({ problems: [problem] })).to.have.length(1)
  })

  it('excuses no call that FreeSWITCH had to its end, whatever was struck meanwhile', () => {
    for (const trace of [other, ofSwitch(-5, 20), ofSwitch(2, 20), ofSwitch(6, 20)]) {
      const lost = [
        wrongs([], [seen(5)], [], trace),
        wrongs([], [seen(5)], [kept(0)], trace),
        wrongs([], [seen(5)], [kept(2)], trace),
        wrongs([], [seen(5)], [kept(8)], trace),
        wrongs([], [left(3, 200)], [kept(0)], trace),
      ]
      for (const one of lost) expect(one, JSON.stringify(trace)).to.have.length(1)
      expect(wrongs([], [seen(5)], [kept(5)], trace)).to.deep.equal([])
    }
    expect(wrongs([], [left(20, 481)], [kept(5)], other), 'nobody had ended it').to.have.length(1)
  })

  it('lets a call that was cut have ended with FreeSWITCH, and no later than that was back', () => {
    const cut = left(20, 481, 1)
    expect(chargeable(cut, ofSwitch(4, 12))).to.deep.equal({ least: 3.9, most: 12, isFree: false })
    expect(chargeable(cut, other)).to.deep.equal({ least: 19.9, most: 21, isFree: false })
    expect(wrongs([], [cut], [kept(5)], ofSwitch(4, 12))).to.deep.equal([])
    expect(wrongs([], [cut], [kept(1)], ofSwitch(4, 12)), 'FreeSWITCH lived then').to.have.length(1)
    expect(wrongs([], [cut], [kept(20)], ofSwitch(4, 12)), 'the far end alone stayed').to.have.length(1)
    expect(wrongs([], [cut], [kept(0)], ofSwitch(4, 12)), 'it was known').to.have.length(1)
    expect(wrongs([], [cut], [kept(0)], ofSwitch(1, 12)), 'it was just answered').to.deep.equal([])
    expect(wrongs([], [cut], [kept(0)], ofSwitch(-9, -1)), 'it began after the fault').to.have.length(1)
    const next = left(20, 481, 1, { answeredAt: 9000, acknowledgedAt: 9100 })
    expect(wrongs([], [next], [kept(1)], ofSwitch(4, 12)), 'of the FreeSWITCH that came').to.have.length(1)
    expect(wrongs([], [cut], [kept(5)], ofSwitch(22, 30)), 'it was over before').to.have.length(1)
  })

  it('knows of each time that FreeSWITCH ended', () => {
    const [first] = ofSwitch(-9, -5).switchEnded
    const [second] = ofSwitch(4, 12).switchEnded
    const twice = { switchEnded: [first, second], edgeHeldUp: [] }
    expect(chargeable(left(20, 481), twice)).to.include({ least: 3.9, most: 12 })
  })

  it('lets an end that Kamailio held up have been sent since the fault began', () => {
    expect(chargeable(seen(12), ofEdge(4, 11))).to.include({ least: 3.9, most: 12 })
    expect(wrongs([], [seen(12)], [kept(5)], ofEdge(4, 11))).to.deep.equal([])
    expect(wrongs([], [seen(12)], [kept(1)], ofEdge(4, 11)), 'it was not held up yet').to.have.length(1)
    expect(wrongs([], [seen(12)], [kept(5)], ofEdge(4, 7)), 'it came long after').to.have.length(1)
    expect(wrongs([], [seen(12)], [kept(5)], ofEdge(13, 20)), 'it came before').to.have.length(1)
    expect(wrongs([], [seen(12)], [kept(0)], ofEdge(-4, 11)), 'it was known').to.have.length(1)
  })

  it('lets an end that Kamailio did not pass on have been sent since the fault began', () => {
    expect(wrongs([], [left(20, 481)], [kept(9)], ofEdge(8, 11)), 'its end was never heard').to.deep.equal([])
    expect(wrongs([], [left(20, 481)], [kept(5)], ofEdge(8, 11)), 'it ended before').to.have.length(1)
    expect(wrongs([], [left(20, 481)], [kept(9)], ofEdge(-9, -1)), 'it began after').to.have.length(1)
    expect(wrongs([], [left(20, 481)], [kept(9)], ofEdge(21, 25)), 'it was over before').to.have.length(1)
    expect(wrongs([], [left(20, 200)], [kept(9)], ofEdge(8, 11)), 'FreeSWITCH took its end').to.have.length(1)
  })

  it('lets a call whose far end hung up unheard go on until we hang up', () => {
    expect(wrongs([], [left(3, 503)], [kept(6)], ofEdge(1, 11))).to.deep.equal([])
    expect(wrongs([], [left(3, 503)], [kept(6)], other), 'nothing kept it').to.have.length(1)
    expect(wrongs([], [left(3, 200)], [kept(6)], ofEdge(1, 11)), 'FreeSWITCH took its end').to.have.length(1)
    expect(wrongs([], [left(3, 503)], [kept(8)], ofEdge(1, 11)), 'longer than we talk').to.have.length(1)
  })

  it('lets a carrier’s answer that crossed our giving up cost nothing', () => {
    expect(wrongs([], [seen(0.2)], [kept(0)], other)).to.deep.equal([])
    expect(wrongs([], [seen(2)], [kept(0)], other), 'it was connected').to.have.length(1)
    expect(wrongs([], [seen(0.2, { side: 'caller' })], [kept(0)], other), 'ours was meant').to.have.length(1)
  })

  it('lets an answer that Kamailio held up have been sent since the fault began', () => {
    const caller = { side: 'caller', invitedAt: -9 * second }
    expect(chargeable(seen(5, caller), ofEdge(-9, 1)).most).to.equal(14)
    expect(chargeable(seen(5, caller), ofEdge(-3, 1)).most, 'before, it would have come').to.equal(8)
    expect(chargeable(seen(5, caller), ofEdge(-9, -5)).most, 'it came long after').to.equal(5)
    expect(chargeable(seen(5, caller), other).most).to.equal(5)
    expect(chargeable(seen(5, { invitedAt: -9 * second }), ofEdge(-9, 1)).most, 'a carrier’s own').to.equal(5)
  })

  it('lets a caller whose answer Kamailio held up until our BYE pay nothing', () => {
    const late = { side: 'caller', answeredAt: 7 * second, acknowledgedAt: 7.1 * second }
    expect(chargeable(seen(6, late), ofEdge(1, 6.5))).to.include({ least: 0, isFree: true })
    expect(chargeable(seen(6, late), other).isFree, 'not held up').to.equal(false)
    expect(chargeable(seen(7.2, late), ofEdge(1, 6.5)), 'passed on together').to.include({ isFree: true })
    expect(chargeable(seen(9, late), ofEdge(1, 6.5)).isFree, 'hung up later').to.equal(false)
    expect(chargeable(left(6, 200, 0, late), ofEdge(1, 6.5)).isFree, 'hung up itself').to.equal(false)
  })

  it('knows of a call without an ACK when it has answered that itself', () => {
    const open = { acknowledgedAt: null, byeBy: null, byeAt: null }
    expect(chargeable(seen(5, open), other)).to.deep.equal({ least: 0, most: 32, isFree: true })
    expect(chargeable(seen(5, { ...open, side: 'caller' }), other).isFree).to.equal(false)
  })

  it('keeps what is known of rows that were not run, and rows that it does not know', () => {
    const run = { day: '2026-11-24', commit: '12345678', machine: 'one', rate: 20 }
    /** @param {string} name @param {object} [more] */
    const row = (name, more = {}) => ({
      ...{ name, part: name, what: 'struck', seconds: 10, calls: 1, refused: 0, cut: 0, requests: 1, ...run },
      ...{ requestsFailed: 0, failures: {}, recoverySeconds: 0, lost: [], evidence: [], notes: [], ...more },
    })
    const before = [row('one'), row('former'), row('three', { calls: 7 })]
    const rows = merged(before, [row('two'), row('one', { commit: '9abcdef0' })], ['one', 'two', 'three'])
    expect(rows.map((/** @type {{name: string}} */ { name }) => name)).to.deep.equal([
      ...['one', 'two', 'three', 'former'],
    ])
    expect(rows[2]).to.include({ calls: 7 })
    const page = written('# Faults', rows)
    for (const name of ['one', 'two', 'three', 'former'])
      expect(page).to.match(new RegExp(`^\\| ${name} `, 'm'))
    expect(page)
      .to.include('- Run 1: 2026-11-24, commit 9abcdef0')
      .and.include('- Run 2: 2026-11-24, commit 12345678')
  })
})
