/** This server itself: what it holds in this moment. */
import type { Registry } from 'prom-client'
import type { UpkeepSeen } from '../platform/upkeep.js'
import { Reading } from './instruments.js'
import type { MeasuredPart } from './part.js'
import { upkeepReadings } from './upkeep-readings.js'

export interface ServerState {
  readonly version: string
  readonly drivesCalls: boolean
  readonly isLinked: boolean
  readonly streams: number
  readonly callSockets: number
  readonly pool: { readonly used: number; readonly open: number; readonly waiting: number }
  /** Whether Redis carries; null where none is configured. */
  readonly redis: boolean | null
  /** Whether no call may begin, for maintenance. */
  readonly draining: boolean
  /** When the certificate that calls are signed with ends; null without one. */
  readonly signsUntil: Date | null
  /** Captured SIP messages that could not be kept. */
  readonly captureDropped: number
  /** Spans of traces by what became of them, since the start; null where none are made. */
  readonly spans: Readonly<Record<'exported' | 'failed' | 'dropped', number>> | null
  readonly upkeep: UpkeepSeen
}

export function serverPart(registry: Registry, look: () => ServerState): MeasuredPart {
  const define = <L extends string>(name: string, help: string, ...labels: L[]) =>
    new Reading(registry, 'now', { name, help, labels })
  const build = define('build_info', 'Always 1: the version is in the label', 'version')
  const drives = define('drives_calls', '1 where this server drives the calls; one of several servers does')
  const linked = define('switch_linked', '1 while the Event Socket of the switch is connected')
  const streams = define('event_streams', 'Event streams (SSE) open on this server')
  const sockets = define('call_sockets', 'WebSockets of apps open on this server')
  const pool = define(
    'database_pool_connections',
    'Connections of this server’s database pool, by state',
    'state',
  )
  const waiting = define(
    'database_pool_waiting',
    'Statements that wait for a connection of the database pool',
  )
  const redis = define('redis_up', '1 while Redis connects the servers')
  const draining = define('draining', '1 while the platform accepts no new calls, for maintenance')
  const signsUntil = define(
    'signing_certificate_end_timestamp_seconds',
    'When the certificate that signs calls expires, in seconds since 1970',
  )
  const dropped = define(
    'sip_capture_dropped',
    'Captured SIP messages dropped since the start because the disk was too slow',
  )
  const spans = new Reading(registry, 'total', {
    ...{ name: 'trace_spans_total', labels: ['outcome'] },
    help: 'Spans of traces: exported, failed (the collector was down or refused them), dropped (the queue was full)',
  })
  const upkeep = upkeepReadings(registry)
  return {
    name: 'server',
    readings: [
      ...[
        build,
        drives,
        linked,
        streams,
        sockets,
        pool,
        waiting,
        redis,
        draining,
        signsUntil,
        dropped,
        spans,
        ...upkeep.readings,
      ],
    ],
    async ask() {
      const state = look()
      return Promise.resolve(() => {
        build.put(1, { version: state.version })
        drives.put(Number(state.drivesCalls))
        linked.put(Number(state.isLinked))
        streams.put(state.streams)
        sockets.put(state.callSockets)
        pool.put(state.pool.used, { state: 'used' })
        pool.put(state.pool.open - state.pool.used, { state: 'idle' })
        waiting.put(state.pool.waiting)
        draining.put(Number(state.draining))
        if (state.signsUntil) signsUntil.put(state.signsUntil.getTime() / 1000)
        dropped.put(state.captureDropped)
        for (const [outcome, count] of Object.entries(state.spans ?? {})) spans.put(count, { outcome })
        if (state.redis !== null) redis.put(Number(state.redis))
        upkeep.put(state.upkeep)
      })
    },
  }
}
