/** This server itself: what it holds in this moment. */
import type { Registry } from 'prom-client'
import { Reading } from './instruments.js'
import type { MeasuredPart } from './part.js'

export interface ServerState {
  readonly version: string
  readonly drivesCalls: boolean
  readonly isLinked: boolean
  readonly streams: number
  readonly callSockets: number
  readonly pool: { readonly used: number; readonly open: number; readonly waiting: number }
  /** Whether Redis carries; null where none is configured. */
  readonly redis: boolean | null
}

export function serverPart(registry: Registry, look: () => ServerState): MeasuredPart {
  const define = <L extends string>(name: string, help: string, ...labels: L[]) =>
    new Reading(registry, 'now', { name, help, labels })
  const build = define('build_info', 'Always 1: the version stands in the label', 'version')
  const drives = define('drives_calls', '1 where this server drives the calls; of several servers one does')
  const linked = define('switch_linked', '1 while the Event Socket of the switch is connected')
  const streams = define('event_streams', 'Live streams of events (SSE) that this server serves')
  const sockets = define('call_sockets', 'WebSockets of apps that this server serves')
  const pool = define('database_pool_connections', 'Connections of this server’s pool, by state', 'state')
  const waiting = define('database_pool_waiting', 'Statements that wait for a connection of the pool')
  const redis = define('redis_up', '1 while Redis carries what servers tell each other')
  return {
    name: 'server',
    readings: [build, drives, linked, streams, sockets, pool, waiting, redis],
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
        if (state.redis !== null) redis.put(Number(state.redis))
      })
    },
  }
}
