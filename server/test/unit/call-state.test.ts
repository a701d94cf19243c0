/** The states of a call: which lead where, and that one file writes them. */
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import {
  type CallStatus,
  changeStatus,
  statusAfter,
  transitions,
} from '../../src/features/calls/model/call-state.js'
import { pathOf } from '../support/paths.js'

const CALLS = pathOf('server/src/features/calls')

describe('the states of a call', () => {
  it('follow a call with a script', () => {
    expect(path('created', 'ring', 'answer', 'bridge', 'unbridge', 'bridge')).to.deep.equal([
      ...['ringing', 'started', 'active', 'started', 'active'],
    ])
  })

  it('follow a call that the switch bridges', () => {
    expect(path('created', 'ring', 'bridge')).to.deep.equal(['ringing', 'active'])
    expect(path('created', 'bridge')).to.deep.equal(['active'])
  })

  it('do not go back: a late ringing leaves an answered call as it is', () => {
    const call: { status: CallStatus } = { status: 'started' }
    expect(changeStatus(call, 'ring')).to.equal(false)
    expect(changeStatus(call, 'answer')).to.equal(false)
    expect(call.status).to.equal('started')
  })

  for (const status of ['completed', 'failed', 'busy', 'no_answer', 'canceled'] as const) {
    it(`end in ${status} for good`, () => {
      for (const transition of ['ring', 'answer', 'bridge', 'unbridge'] as const)
        expect(statusAfter(status, transition), transition).to.equal(null)
    })
  }

  it('are reached by one transition each', () => {
    for (const transition of ['ring', 'answer', 'bridge', 'unbridge'] as const) {
      const to = new Set(Object.values(transitions).flatMap((from) => from[transition] ?? []))
      expect([...to], transition).to.have.length(1)
    }
  })

  it('are written by one file', () => {
    const found = sourcesOf(CALLS).filter((file) => {
      const text = readFileSync(file, 'utf8')
      const writes =
        /\bcall\.status = |\bUPDATE calls\b(?:(?!WHERE|`)[^])*\bstatus = |\bupdateRows\(\s*\w+,\s*Call,[^]{0,120}\bstatus:/
      return !file.endsWith('/call-state.ts') && writes.test(text)
    })
    expect(found).to.deep.equal([])
  })
})

/** The statuses that a call goes through. */
function path(status: CallStatus, ...names: Parameters<typeof statusAfter>[1][]): CallStatus[] {
  const call = { status }
  return names.map((name) => {
    expect(changeStatus(call, name), `${name} from ${call.status}`).to.equal(true)
    return call.status
  })
}

function sourcesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name))
}
