/** Decisions of call flows: conditions, hours, variables, chance, and the edges that they take. */
import { expect } from 'chai'
import { nextNode } from '../../src/features/call-flows/edges.js'
import { type FlowState, firstState } from '../../src/features/call-flows/flow-state.js'
import { nodeTypes } from '../../src/features/call-flows/nodes/index.js'
import { menuAttempt } from '../../src/features/call-flows/nodes/menu.js'

const state: FlowState = {
  ...firstState({ node: 'it', caller_number: '+4930123456', called_number: '+12025550199' }),
  digits: '12#',
  variables: { tries: '2', empty: '' },
  contact: {
    name: 'Ada',
    vip: true,
    age: 36,
    none: null,
    blank: '',
    account: { tier: 'gold', tags: ['a', 'b'], deep: { er: { and: { deeper: 'x' } } } },
    half: 'a\ud800',
  },
}

function decide(
  type: string,
  params: object,
  { now = '2026-01-01T00:00:00Z', random = 0, from = state, country = 'US' } = {},
) {
  const circumstances = { now: new Date(now), random: () => random, country }
  const decided = nodeTypes.get(type)!.decide!(params, from, circumstances)
  return { state: from, ...decided }
}

describe('a condition', () => {
  const table: [subject: string, operator: string, value: string | undefined, holds: boolean][] = [
    ['caller_number', 'equals', '+4930123456', true],
    ['caller_number', 'equals', '4930123456', true],
    ['caller_number', 'equals', '30123456', false],
    ['caller_number', 'not_equals', '4930123456', false],
    ['caller_number', 'not_equals', '+4930123457', true],
    ['caller_number', 'starts_with', '+49', true],
    ['caller_number', 'starts_with', '49', true],
    ['caller_number', 'starts_with', '+1', false],
    ['caller_number', 'ends_with', '456', true],
    ['caller_number', 'contains', '0123', true],
    ['caller_number', 'contains', '+493', true],
    ['caller_number', 'is_set', undefined, true],
    ['called_number', 'equals', '12025550199', true],
    ['called_number', 'equals', '(202) 555-0199', true],
    ['called_number', 'not_equals', '202.555.0199', false],
    ['called_number', 'starts_with', '+1 202', true],
    ['called_number', 'starts_with', '202', true],
    ['caller_number', 'starts_with', '030', false],
    ['digits', 'equals', '1-2#', false],
    ['digits', 'equals', '12#', true],
    ['digits', 'starts_with', '1', true],
    ['digits', 'is_not_set', undefined, false],
    ['contact.name', 'equals', 'Ada', true],
    ['contact.name', 'equals', 'ada', false],
    ['contact.vip', 'equals', 'true', true],
    ['contact.age', 'equals', '36', true],
    ['contact.none', 'is_set', undefined, false],
    ['contact.blank', 'is_not_set', undefined, true],
    ['contact.missing', 'is_set', undefined, false],
    ['contact.missing', 'not_equals', 'x', true],
    ['contact.missing', 'equals', 'x', false],
    ['contact.missing', 'starts_with', 'x', false],
    ['contact.account.tier', 'equals', 'gold', true],
    ['contact.account.tags', 'equals', '["a","b"]', true],
    ['contact.account.tags', 'contains', '"b"', true],
    ['contact.account.tags.1', 'equals', 'b', true],
    ['contact.account.tags.length', 'equals', '2', true],
    ['contact.account.deep.er.and', 'equals', '{"deeper":"x"}', true],
    ['contact.name.length', 'is_set', undefined, false],
    ['contact.constructor', 'is_set', undefined, false],
    ['contact.__proto__', 'is_set', undefined, false],
    ['contact.account.toString', 'is_set', undefined, false],
    ['variable.tries', 'equals', '2', true],
    ['variable.empty', 'is_set', undefined, false],
    ['variable.other', 'is_not_set', undefined, true],
    ['variable.constructor', 'is_set', undefined, false],
  ]
  for (const [subject, operator, value, holds] of table) {
    it(`${subject} ${operator} ${value ?? ''} is ${holds}`, () => {
      const { outcome } = decide('condition', { conditions: [{ subject, operator, value }] })
      expect(outcome).to.equal(String(holds))
    })
  }

  it('reads numbers in the country of the workspace alone', () => {
    const holds = (value: string, country: string) => {
      const conditions = [{ subject: 'caller_number', operator: 'starts_with', value }]
      return decide('condition', { conditions }, { country }).outcome
    }
    expect(holds('030 / 123', 'DE')).to.equal('true')
    expect(holds('030 / 123', 'US')).to.equal('false')
    expect(holds('+49 (30)', 'US')).to.equal('true')
  })

  it('looks for the contact of a call without one', () => {
    const conditions = [{ subject: 'contact.name', operator: 'is_not_set' }]
    expect(decide('condition', { conditions }, { from: { ...state, contact: null } }).outcome).to.equal(
      'true',
    )
  })

  it('takes an anonymous caller by the word', () => {
    const conditions = [{ subject: 'caller_number', operator: 'equals', value: 'anonymous' }]
    const from = { ...state, caller_number: 'anonymous' }
    expect(decide('condition', { conditions }, { from }).outcome).to.equal('true')
  })

  const yes = { subject: 'digits', operator: 'is_set' }
  const no = { subject: 'digits', operator: 'is_not_set' }
  const matches: [match: string | undefined, conditions: object[], outcome: string][] = [
    [undefined, [yes, yes], 'true'],
    [undefined, [yes, no], 'false'],
    ['all', [no, yes], 'false'],
    ['any', [no, yes], 'true'],
    ['any', [no, no], 'false'],
  ]
  for (const [match, conditions, outcome] of matches) {
    it(`matches ${match ?? 'all by default'} of ${conditions.length}: ${outcome}`, () => {
      expect(decide('condition', { ...(match && { match }), conditions }).outcome).to.equal(outcome)
    })
  }

  it('tells what it found', () => {
    const conditions = [{ subject: 'contact.half', operator: 'equals', value: 'a' }]
    expect(decide('condition', { conditions }).details).to.deep.equal({
      match: 'all',
      conditions: [{ ...conditions[0], found: 'a\ufffd', holds: false }],
    })
  })
})

describe('business hours', () => {
  const week = ['mon', 'tue', 'wed', 'thu', 'fri']
  const office = [
    { days: week, from: '09:00', to: '12:30' },
    { days: week, from: '13:30', to: '18:00' },
    { days: ['sat'], from: '00:00', to: '24:00' },
  ]
  const holidays = [{ date: '2026-12-25', title: 'Christmas' }, { date: '2028-02-29' }]
  const berlin = { time_zone: 'Europe/Berlin', hours: office, holidays }
  const newYork = { ...berlin, time_zone: 'America/New_York' }
  const kathmandu = { ...berlin, time_zone: 'Asia/Kathmandu' }
  const night = {
    time_zone: 'Europe/Berlin',
    hours: [{ days: ['sun'], from: '02:00', to: '03:00' }],
  }

  const table: [what: string, params: object, now: string, outcome: string][] = [
    ['a minute before it opens', berlin, '2026-11-20T07:59:59.999Z', 'closed'],
    ['when it opens', berlin, '2026-11-20T08:00:00Z', 'open'],
    ['in the last minute of the morning', berlin, '2026-11-20T11:29:59.999Z', 'open'],
    ['at the lunch break', berlin, '2026-11-20T11:30:00Z', 'closed'],
    ['after the lunch break', berlin, '2026-11-20T12:30:00Z', 'open'],
    ['when it closes', berlin, '2026-11-20T17:00:00Z', 'closed'],
    ['in summer time, an hour earlier', berlin, '2026-07-10T07:00:00Z', 'open'],
    ['in summer time, before', berlin, '2026-07-10T06:59:59Z', 'closed'],
    ['at the last minute of Friday', berlin, '2026-11-20T22:59:59Z', 'closed'],
    ['at midnight, as Saturday begins', berlin, '2026-11-20T23:00:00Z', 'open'],
    ['in the last minute of Saturday', berlin, '2026-11-21T22:59:59Z', 'open'],
    ['at midnight, as Sunday begins', berlin, '2026-11-21T23:00:00Z', 'closed'],
    ['in New York at the same moment', newYork, '2026-11-20T17:30:00Z', 'closed'],
    ['in New York in the morning', newYork, '2026-11-20T14:00:00Z', 'open'],
    ['where the clock is 5:45 ahead', kathmandu, '2026-11-20T03:15:00Z', 'open'],
    ['where the clock is 5:45 ahead, before', kathmandu, '2026-11-20T03:14:59Z', 'closed'],
    ['on a holiday', berlin, '2026-12-25T10:00:00Z', 'holiday'],
    ['on a holiday by the local date: not yet', berlin, '2026-12-24T22:59:59Z', 'closed'],
    ['on a holiday by the local date: already', berlin, '2026-12-24T23:00:00Z', 'holiday'],
    ['on a holiday by the local date: no more', berlin, '2026-12-25T23:00:00Z', 'open'],
    ['on a holiday in New York: not yet', newYork, '2026-12-25T04:59:59Z', 'closed'],
    ['on a leap day', berlin, '2028-02-29T10:00:00Z', 'holiday'],
    ['the day before a leap day', berlin, '2028-02-28T10:00:00Z', 'open'],
    ['on the day after it in a year without', berlin, '2027-03-01T10:00:00Z', 'open'],
    ['in the hour that summer time repeats, first', night, '2026-10-25T00:30:00Z', 'open'],
    ['in the hour that summer time repeats, again', night, '2026-10-25T01:30:00Z', 'open'],
    ['after the hour that summer time repeats', night, '2026-10-25T02:00:00Z', 'closed'],
    ['before the hour that summer time skips', night, '2026-03-29T00:59:59Z', 'closed'],
    ['after the hour that summer time skips', night, '2026-03-29T01:00:00Z', 'closed'],
    ['without any hours', { time_zone: 'UTC', hours: [] }, '2026-11-20T10:00:00Z', 'closed'],
  ]
  for (const [what, params, now, outcome] of table) {
    it(`${what}: ${outcome}`, () => {
      expect(decide('business_hours', params, { now }).outcome).to.equal(outcome)
    })
  }

  it('tell which hours or holiday it was', () => {
    const details = (now: string) => decide('business_hours', berlin, { now }).details
    const zone = { time_zone: 'Europe/Berlin' }
    expect(details('2026-11-20T08:05:00Z')).to.deep.equal({
      ...zone,
      local_time: 'fri 2026-11-20 09:05',
      hours: office[0],
    })
    expect(details('2026-12-24T23:00:00Z')).to.deep.equal({
      ...zone,
      local_time: 'fri 2026-12-25 00:00',
      holiday: holidays[0],
    })
    expect(details('2026-11-22T12:00:00Z')).to.deep.equal({ ...zone, local_time: 'sun 2026-11-22 13:00' })
  })
})

describe('setting a variable', () => {
  const table: [value: string, is: string][] = [
    ['', ''],
    ['gold', 'gold'],
    ['{{caller_number}}', '+4930123456'],
    ['{{ called_number }} of {{caller_number}}', '+12025550199 of +4930123456'],
    ['[{{digits}}]', '[12#]'],
    ['{{contact.account.tier}}, {{contact.age}}, {{contact.vip}}', 'gold, 36, true'],
    ['<{{contact.missing}}{{variable.other}}>', '<>'],
    ['{{variable.tries}}{{variable.tries}}', '22'],
    ['{{contact.constructor}}', ''],
    ['$& {digits} {{', '$& {digits} {{'],
  ]
  for (const [value, is] of table) {
    it(`to ${JSON.stringify(value)}`, () => {
      const decided = decide('set_variable', { name: 'x', value })
      expect(decided).to.deep.equal({
        outcome: 'default',
        state: { ...state, variables: { ...state.variables, x: is } },
        details: { name: 'x', value: is },
      })
    })
  }

  it('does not fill in what was filled in', () => {
    const from = { ...state, variables: { tries: '{{digits}}' } }
    expect(
      decide('set_variable', { name: 'x', value: '{{variable.tries}}' }, { from }).details,
    ).to.deep.equal({
      name: 'x',
      value: '{{digits}}',
    })
  })

  it('takes the place of the value before, and leaves the state before alone', () => {
    const decided = decide('set_variable', { name: 'tries', value: '3' })
    expect(decided.state.variables).to.deep.equal({ tries: '3', empty: '' })
    expect(state.variables['tries']).to.equal('2')
  })

  it('cuts a value at 500 characters, none of them in half', () => {
    const from = { ...state, contact: { long: `x${'😀'.repeat(600)}` } }
    const decided = decide('set_variable', { name: 'x', value: '{{contact.long}}' }, { from })
    expect(decided.state.variables['x']).to.equal(`x${'😀'.repeat(499)}`)
  })

  it('sets nothing when the variables of the call are full', () => {
    let from = state
    for (let index = 0; index < 8; index++) {
      from = decide('set_variable', { name: `v${index}`, value: 'x'.repeat(500) }, { from }).state
    }
    const full = decide('set_variable', { name: 'v8', value: 'x'.repeat(500) }, { from })
    expect(full.state).to.equal(from)
    expect(full.details).to.deep.equal({ name: 'v8', problem: 'the variables of the call are full' })
    expect(decide('set_variable', { name: 'v6', value: '' }, { from }).state.variables['v6']).to.equal('')
  })
})

describe('a split', () => {
  const branches = [
    { outcome: 'a', percent: 1 },
    { outcome: 'b', percent: 49 },
    { outcome: 'c', percent: 50 },
  ]
  const table: [random: number, outcome: string][] = [
    [0, 'a'],
    [0.009_999, 'a'],
    [0.01, 'b'],
    [0.499_999, 'b'],
    [0.5, 'c'],
    [1 - Number.EPSILON / 2, 'c'],
  ]
  for (const [random, outcome] of table) {
    it(`goes to ${outcome} at ${random}`, () => {
      expect(decide('split', { branches }, { random }).outcome).to.equal(outcome)
    })
  }

  it('takes each branch as often as it says', () => {
    const taken = { a: 0, b: 0, c: 0 }
    for (let index = 0; index < 1_000; index++) {
      const { outcome } = decide('split', { branches }, { random: (index + 0.5) / 1_000 })
      taken[outcome as 'a' | 'b' | 'c']++
    }
    expect(taken).to.deep.equal({ a: 10, b: 490, c: 500 })
  })
})

describe('an edge', () => {
  const next = { busy: 'x', default: 'y' }
  const table: [outcome: string, next: Record<string, string>, node: string | null][] = [
    ['busy', next, 'x'],
    ['failed', next, 'y'],
    ['default', next, 'y'],
    ['failed', { busy: 'x' }, null],
    ['default', {}, null],
    ['constructor', {}, null],
    ['toString', next, 'y'],
  ]
  for (const [outcome, edges, node] of table) {
    it(`of ${outcome} among ${Object.keys(edges).join(', ')} leads to ${node}`, () => {
      expect(nextNode({ next: edges }, outcome)).to.equal(node)
    })
  }
})

describe('a menu', () => {
  const next = { 1: 'sales', '#': 'x', default: 'bye' }
  const again = (invalid: boolean) => ({ again: true, invalid })
  type Row = [key: string | null, attempts: number, retries: number | undefined, comes: object]
  const table: Row[] = [
    ['1', 0, undefined, { outcome: '1' }],
    ['#', 2, undefined, { outcome: '#' }],
    ['9', 0, undefined, again(true)],
    ['9', 1, undefined, again(true)],
    ['9', 2, undefined, { outcome: 'invalid' }],
    [null, 0, undefined, again(false)],
    [null, 2, undefined, { outcome: 'timeout' }],
    ['9', 0, 0, { outcome: 'invalid' }],
    [null, 0, 0, { outcome: 'timeout' }],
    ['9', 9, 10, again(true)],
    ['default', 0, 0, { outcome: 'invalid' }],
    ['A', 0, 0, { outcome: 'invalid' }],
  ]
  for (const [key, attempts, retries, comes] of table) {
    it(`after ${attempts} attempts of ${retries ?? 'two'} retries, ${key ?? 'no key'}: ${JSON.stringify(comes)}`, () => {
      expect(menuAttempt({ ...(retries !== undefined && { retries }) }, next, key, attempts)).to.deep.equal(
        comes,
      )
    })
  }
})
