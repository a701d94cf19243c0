/** Whose work a queue of a team is: all callers share it. */
import { EventEmitter } from 'node:events'
import { expect } from 'chai'
import { pino } from 'pino'
import type { AgentClaims } from '../../src/features/calls/dialling/agent-claims.js'
import type { Call } from '../../src/features/calls/model/call.entity.js'
import type { QueueStore } from '../../src/features/calls/queue/queue-store.js'
import { TeamQueues } from '../../src/features/calls/queue/team-queues.js'
import type { TeamMembers } from '../../src/features/calls/dialling/team-members.js'
import {
  type SpanContext,
  currentSpan,
  tracingContexts,
} from '../../src/infrastructure/observability/tracing-contexts.js'
import { eventually } from '../support/api-client.js'

describe('a queue of a team', () => {
  it('tells positions among the callers of all cells, also while nobody is free', async () => {
    const claims = Object.assign(new EventEmitter(), { isFree: () => false }) as unknown as AgentClaims
    const members = {
      reachable: async () => Promise.resolve([{ agent_id: 'ag_1' }]),
    } as unknown as TeamMembers
    const came = (call_id: string, ms: number) => ({ call_id, entered_at: new Date(Date.now() + ms) })
    let elsewhere = [came('call_a', -2_000), came('call_b', -1_000)]
    const store = {
      add: async () => Promise.resolve(),
      elsewhere: async () => Promise.resolve(elsewhere),
    } as unknown as QueueStore
    const queues = new TeamQueues({ store, members, claims, isAlone: false, log: pino({ level: 'silent' }) })
    try {
      const enter = async (id: string) =>
        (await queues.enter({ id, workspace_id: 'acme' } as Call, 'team_1', {
          ...{ strategy: 'ring-all', maxLength: 10 },
        }))!
      const first = await enter('call_1')
      expect(first.position).to.equal(3)
      void first.next(new AbortController().signal)
      elsewhere = [...elsewhere, came('call_c', 50)]
      await new Promise((resolve) => setTimeout(resolve, 100))
      const second = await enter('call_2')
      expect([first.position, second.position], 'one came between them').to.deep.equal([3, 5])
      elsewhere = elsewhere.slice(1)
      let moves = 0
      second.on('moved', () => (moves += 1))
      await eventually(
        async () => Promise.resolve([first.position, second.position].join()),
        (positions) => positions === '2,4',
        { what: 'one less before them' },
      )
      expect(moves).to.be.above(0)
    } finally {
      queues.stop()
    }
  })

  it('is no part of the work of the caller who happened to be first', async () => {
    const seen: (SpanContext | undefined)[] = []
    const claims = Object.assign(new EventEmitter(), { isFree: () => true }) as unknown as AgentClaims
    const members = {
      reachable: async () => {
        seen.push(currentSpan())
        return Promise.resolve([])
      },
    } as unknown as TeamMembers
    const store = { add: async () => Promise.resolve() } as unknown as QueueStore
    const queues = new TeamQueues({ store, members, claims, isAlone: true, log: pino({ level: 'silent' }) })
    const spot: SpanContext = { traceId: '1'.repeat(32), spanId: '2'.repeat(16), shown: null, isOver: false }
    const untrace = tracingContexts.call.trace(() => spot)
    const call = { id: 'call_1', workspace_id: 'acme' } as Call
    try {
      await tracingContexts.call.run({ callId: call.id }, async () => {
        const place = await queues.enter(call, 'team_1', { strategy: 'ring-all', maxLength: 10 })
        void place?.next(new AbortController().signal)
        expect(currentSpan()).to.equal(spot)
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
