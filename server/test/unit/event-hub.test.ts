import assert from 'node:assert/strict'
import { pino } from 'pino'
import type { Subscriber } from '../../src/features/realtime/audience.js'
import { LocalBus } from '../../src/features/realtime/bus.js'
import { EventHub } from '../../src/features/realtime/event-hub.js'
import type { LogBounds } from '../../src/features/realtime/event-log.js'
import { StreamReader as Reader } from '../support/stream-reader.js'

const workspace = { id: 'acme' }
const bounds: LogBounds = { maxEvents: 3, maxBytes: 10_000, maxAgeMs: 60_000 }
const hubWith = (given: LogBounds = bounds) =>
  new EventHub(new LocalBus(), pino({ level: 'silent' }), { bounds: given, aliveMs: 1_000, silenceMs: 1_000 })

function note(hub: EventHub, event: string, to: Parameters<EventHub['publish']>[0]['to'], call_id?: string) {
  hub.publish({ workspace_id: workspace.id, event, to, data: {}, ...(call_id && { call_id }) })
}

describe('the event hub', () => {
  it('tells those whom an event is for, and nobody else', () => {
    const hub = hubWith()
    const one = new Reader(hub, 'agent', 'ag_1', 's1').open()
    const two = new Reader(hub, 'agent', 'ag_2', 's2').open()
    const client = new Reader(hub, 'client', 'ag_1', 's3').open()
    note(hub, 'a', { agents: ['ag_1', 'ag_1'] })
    note(hub, 'b', { clients: ['ag_1'] })
    note(hub, 'c', { everyAgent: true })
    note(hub, 'd', { everyAgent: true, agents: ['ag_2'], clients: ['ag_1'] })
    hub.publish({ workspace_id: 'other', event: 'e', to: { everyAgent: true }, data: {} })
    assert.deepEqual(
      [one.names, two.names, client.names],
      [
        ['a', 'c', 'd'],
        ['c', 'd'],
        ['b', 'd'],
      ],
    )
  })

  it('tells a stream about a call of that call alone, and only what its reader may know', () => {
    const hub = hubWith()
    const watcher = new Reader(hub, 'agent', 'ag_1', 's1', 'call_1').open()
    const client = new Reader(hub, 'client', 'c', 's2', 'call_1').open()
    note(hub, 'mine', { agents: ['ag_1'] }, 'call_1')
    note(hub, 'for all', { watchers: 'all' }, 'call_1')
    note(hub, 'for agents', { agents: ['ag_1'], watchers: 'agents' }, 'call_1')
    note(hub, 'of another call', { agents: ['ag_1'], watchers: 'all' }, 'call_2')
    note(hub, 'of no call', { agents: ['ag_1'], everyAgent: true })
    const personal = { to: { agents: ['ag_1'] }, call_id: 'call_1', data: () => ({}) }
    hub.publish({ workspace_id: workspace.id, event: 'personal', ...personal })
    assert.deepEqual(watcher.names, ['mine', 'for all', 'for agents'])
    assert.deepEqual(client.names, ['for all'])
    assert.deepEqual(hub.sessions(workspace).agents, new Set())
    assert.ok(hub.isWatched(workspace.id, 'call_1'))
  })

  it('makes a personal event for each stream, and one that comes later gets its own', () => {
    const hub = hubWith()
    const first = new Reader(hub, 'agent', 'ag_1', 's1').open()
    const second = new Reader(hub, 'agent', 'ag_1', 's2').open()
    const data = ({ stream_id }: Subscriber) => ({ token: stream_id })
    hub.publish({ workspace_id: workspace.id, event: 'call.ring', to: { agents: ['ag_1'] }, data })
    const later = new Reader(hub, 'agent', 'ag_1', 's3').open(first.head)
    const tokens = [first, second, later].map(({ frames }) => frames.map((frame) => frame.data['token']))
    assert.deepEqual(tokens, [['s1'], ['s2'], ['s3']])
    assert.deepEqual(Object.keys(later.frames[0]?.data ?? {}), ['event', 'token', 'timestamp'])
  })

  it('goes on with what can be made where something cannot', () => {
    const hub = hubWith()
    const failed = new Reader(hub, 'agent', 'ag_1', 's1').open()
    const fine = new Reader(hub, 'agent', 'ag_2', 's2').open()
    const leftOut = new Reader(hub, 'agent', 'ag_3', 's3').open()
    const data = ({ id }: Subscriber) => {
      if (id === 'ag_1') throw new Error('cannot')
      return id === 'ag_2' ? {} : undefined
    }
    hub.publish({ workspace_id: workspace.id, event: 'a', to: { everyAgent: true }, data })
    assert.deepEqual([failed.names, fine.names, leftOut.names], [[], ['a'], []])
  })

  it('sends what was missed, in its order, and says where something is lost', () => {
    const hub = hubWith()
    const reader = new Reader(hub, 'agent', 'ag_1', 's1').open()
    note(hub, '1', { agents: ['ag_1'] })
    reader.end('cut')
    note(hub, '2', { agents: ['ag_1'] })
    note(hub, 'of another', { agents: ['ag_2'] })
    note(hub, '3', { everyAgent: true })
    const last = reader.frames[0]?.id
    const back = new Reader(hub, 'agent', 'ag_1', 's2').open(last)
    assert.deepEqual([back.names, back.isComplete], [['2', '3'], true])
    note(hub, '4', { agents: ['ag_1'] })
    const late = new Reader(hub, 'agent', 'ag_1', 's3').open(last)
    assert.deepEqual([late.names, late.isComplete], [[], false])
    const upToDate = new Reader(hub, 'agent', 'ag_1', 's4').open(back.frames.at(-1)?.id)
    assert.deepEqual([upToDate.names, upToDate.isComplete], [[], true])
    assert.equal(new Reader(hub, 'agent', 'ag_1', 's5').open('evt_never').isComplete, false)
  })

  it('keeps no more bytes and no longer than it may', () => {
    const small = hubWith({ ...bounds, maxBytes: 200 })
    const reader = new Reader(small, 'agent', 'ag_1', 's1').open()
    for (const event of ['1', '2', '3']) note(small, event, { agents: ['ag_1'] })
    const ids = reader.frames.map(({ id }) => id)
    assert.equal(new Reader(small, 'agent', 'ag_1', 's2').open(reader.head).isComplete, false)
    assert.deepEqual(new Reader(small, 'agent', 'ag_1', 's3').open(ids[1]).names, ['3'])
    const brief = hubWith({ ...bounds, maxAgeMs: -1 })
    const gone = new Reader(brief, 'agent', 'ag_1', 's1').open()
    note(brief, '1', { agents: ['ag_1'] })
    brief.sweep()
    assert.equal(new Reader(brief, 'agent', 'ag_1', 's2').open(gone.frames[0]?.id).isComplete, true)
    gone.end('cut')
    assert.ok(brief.isHeard(workspace.id))
  })

  it('forgets a workspace that nobody listens to', () => {
    const hub = hubWith({ ...bounds, maxAgeMs: -1 })
    assert.equal(hub.isHeard(workspace.id), false)
    const reader = new Reader(hub, 'agent', 'ag_1', 's1').open()
    hub.sweep()
    assert.equal(hub.isHeard(workspace.id), true)
    reader.end('cut')
    hub.sweep()
    assert.equal(hub.isHeard(workspace.id), false)
  })

  it('tells when the first stream of a subject opens and the last one closes', () => {
    const hub = hubWith()
    const told: string[] = []
    const off = hub.onPresence(({ kind, id, live }) => told.push(`${kind} ${id} ${live}`))
    const first = new Reader(hub, 'agent', 'ag_1', 's1').open()
    const second = new Reader(hub, 'agent', 'ag_1', 's2').open()
    const aboutCall = new Reader(hub, 'agent', 'ag_1', 's3', 'call_1').open()
    assert.deepEqual(hub.sessions(workspace), { agents: new Set(['ag_1']), clients: new Set() })
    first.end('cut')
    second.end('cut')
    aboutCall.end('cut')
    assert.deepEqual(told, ['agent ag_1 true', 'agent ag_1 false'])
    off()
    new Reader(hub, 'client', 'c', 's4').open()
    assert.equal(told.length, 2)
  })

  it('ends the streams of a subject, or of what their tokens come from', () => {
    const hub = hubWith()
    const [a, b, c, elsewhere] = [
      new Reader(hub, 'agent', 'ag_1', 's1', null, 'ses_1').open(),
      new Reader(hub, 'agent', 'ag_1', 's2', 'call_1', 'ses_2').open(),
      new Reader(hub, 'agent', 'ag_2', 's3', null, 'ses_3').open(),
      new Reader(hub, 'client', 'ag_1', 's4', null, 'sid-1').open(),
    ]
    hub.close({ workspace_id: workspace.id, credential: 'ses_1' }, 'session_revoked')
    assert.deepEqual([a.ended, b.ended], ['session_revoked', undefined])
    hub.close({ workspace_id: workspace.id, subject: { kind: 'agent', id: 'ag_1' } }, 'agent_deactivated')
    assert.deepEqual([b.ended, c.ended, elsewhere.ended], ['agent_deactivated', undefined, undefined])
  })
})
