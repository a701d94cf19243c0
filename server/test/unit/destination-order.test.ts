/** The order in which destinations are found. */
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { byRelevance } from '../../src/features/calls/api/destination-order.js'
import type { Destination } from '../../src/features/calls/api/destinations.schema.js'

const entry = (kind: Destination['kind'], name: string, more: Partial<Destination> = {}): Destination => ({
  ...{ kind, id: name, name, target: name, username: null, extension: null, number: null, state: null },
  ...{ is_registered: null, free_agents: null, waiting_callers: null, refusal: null },
  ...more,
})

const order = (found: readonly Destination[], search: string) =>
  byRelevance(found, search).map(({ name }) => name)

describe('the order of destinations', () => {
  it('has who is available before who rings, talks, is busy or offline, and these before other kinds', () => {
    const found = [
      entry('team', 'Sales', { free_agents: 0 }),
      entry('team', 'Service', { free_agents: 2 }),
      entry('agent', 'offline', { state: 'offline' }),
      entry('agent', 'busy', { state: 'busy' }),
      entry('agent', 'available', { state: 'available' }),
      entry('agent', 'incall', { state: 'incall' }),
      entry('agent', 'ringing', { state: 'ringing' }),
    ]
    const states = ['available', 'ringing', 'incall', 'busy', 'offline']
    expect(order(found, '')).to.deep.equal([...states, 'Service', 'Sales'])
  })

  it('begins with exact matches of any kind, whatever their case, accents and separators', () => {
    const agent = entry('agent', 'Salesman', { state: 'available' })
    const team = entry('team', 'Sálés')
    expect(order([agent, team], ' sales')).to.deep.equal(['Sálés', 'Salesman'])
    const desk = entry('sip_account', 'Desk', { extension: '302' })
    expect(order([agent, desk], '302')).to.deep.equal(['Desk', 'Salesman'])
    const contact = entry('contact', 'Ann', { number: '+12025550100' })
    expect(order([agent, contact], '+1 (202) 555-0100')).to.deep.equal(['Ann', 'Salesman'])
  })

  it('ends with the number that was typed', () => {
    const typed = entry('outside_number', '', { number: '+12025550100' })
    const contact = entry('contact', 'Ann', { number: '+12025550100' })
    expect(order([typed, contact], '+12025550100')).to.deep.equal(['Ann', ''])
  })
})
