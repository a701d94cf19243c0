/** What a channel keeps of a flow. */
import { expect } from 'chai'
import {
  type FlowState,
  decodeState,
  encodeState,
  firstState,
  fitVariables,
  maxKeptLength,
  withContact,
} from '../../src/features/call-flows/flow-state.js'

const first = firstState({ node: 'start', caller_number: '+12025550100', called_number: '+12025550199' })

describe('the state of a flow', () => {
  it('begins with nothing but numbers', () => {
    expect(first).to.deep.equal({
      node: 'start',
      caller_number: '+12025550100',
      called_number: '+12025550199',
      digits: '',
      variables: {},
      contact: null,
      contact_name: null,
    })
  })

  const states: Record<string, FlowState> = {
    'at its beginning': first,
    'with all there is': {
      ...withContact(first, null, 'Ørsted 😀'),
      node: 'menu-2',
      digits: '12*#',
      variables: { language: 'dänisch', empty: '' },
    },
    'of an anonymous caller': { ...first, caller_number: 'anonymous' },
  }
  for (const [name, state] of Object.entries(states)) {
    it(`is kept ${name}`, () => {
      const text = encodeState(state)
      expect(text).to.match(/^[A-Za-z0-9_-]+$/)
      expect(decodeState(text)).to.deep.equal({ state, hasContact: false })
    })
  }

  it('leaves out the contact, and says so', () => {
    const known = withContact(first, { notes: 'x'.repeat(maxKeptLength) }, 'Ada')
    const kept = decodeState(encodeState(known))
    expect(kept).to.deep.equal({ state: { ...known, contact: null }, hasContact: true })
  })

  it('fits whatever callers and customers write', () => {
    const worst = '\u0001'.repeat(1_000)
    const numbers = firstState({ node: 'n'.repeat(64), caller_number: worst, called_number: worst })
    const variables = { v: '€'.repeat(1_360) }
    expect(fitVariables(variables)).to.equal(true)
    const full = { ...withContact(numbers, { worst }, worst), variables, digits: '0'.repeat(10) }
    expect(encodeState(full).length).to.be.at.most(maxKeptLength)
    expect(decodeState(encodeState(full))?.state.variables).to.deep.equal(variables)
  })

  it('takes variables up to 4 kB', () => {
    expect(fitVariables({ v: 'x'.repeat(4_096 - '{"v":""}'.length) })).to.equal(true)
    expect(fitVariables({ v: 'x'.repeat(4_097 - '{"v":""}'.length) })).to.equal(false)
  })

  it('is none when the text was not written by it', () => {
    const texts = ['', 'x', Buffer.from('null').toString('base64url'), encodeState(first).slice(0, -8)]
    for (const text of texts) expect(decodeState(text), text).to.equal(null)
    expect(decodeState(Buffer.from('{"state":{}}').toString('base64url'))).to.equal(null)
  })
})
