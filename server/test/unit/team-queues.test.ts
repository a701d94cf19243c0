/** Whose work a queue of a team is: all callers share it. */
import { EventEmitter } from 'node:events'
import { expect } from 'chai'
import { pino } from 'pino'
import type { AgentClaims } from '../../src/calls/agent-claims.js'
import type { Call } from '../../src/calls/call.entity.js'
import type { QueueStore } from '../../src/calls/queue/queue-store.js'
import { TeamQueues } from '../../src/calls/queue/team-queues.js'
import type { TeamMembers } from '../../src/calls/team-members.js'
import { type Spot, currentSpot, works } from '../../src/works.js'
import { eventually } from '../support/api-client.js'

describe('a queue of a team', () => {
  it('is no part of the work of the caller who happened to be first', async () => {
    const seen: (Spot | undefined)[] = []
    const claims = Object.assign(new EventEmitter(), { isFree: () => true }) as unknown as AgentClaims
    const members = {
      reachable: async () => {
        seen.push(currentSpot())
        return Promise.resolve([])
      },
    } as unknown as TeamMembers
    const store = { add: async () => Promise.resolve() } as unknown as QueueStore
    const queues = new TeamQueues({ store, members, claims, isAlone: true, log: pino({ level: 'silent' }) })
    const spot: Spot = { traceId: '1'.repeat(32), spanId: '2'.repeat(16), shown: null, isOver: false }
    const untrace = works.call.trace(() => spot)
    const call = { id: 'call_1', workspace_id: 'acme' } as Call
    try {
      await works.call.run({ callId: call.id }, async () => {
        const place = await queues.enter(call, 'team_1', { strategy: 'ring-all', maxLength: 10 })
        void place?.next(new AbortController().signal)
        expect(currentSpot()).to.equal(spot)
      })
      // At once, and each time that it looks again.
      await eventually(
        async () => Promise.resolve(seen.length),
        (count) => count >= 2,
        { what: 'two looks' },
      )
    } finally {
      untrace()
      queues.stop()
    }
    expect(new Set(seen)).to.deep.equal(new Set([undefined]))
  })
})
