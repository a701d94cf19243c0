/** What a server's memory and event loop do: read from its metrics, and from its inspector after a garbage collection. */
import { WebSocket } from 'ws'
import { residentKb } from '../cpu.js'

export interface Sample {
  atMs: number
  residentMb: number
  heapMb: number
  /** Of the time since the last look, milliseconds. */
  loopP99: number
}

/** Reads one sample. The server's look at its event loop begins again with each. */
export async function sampleOf(pid: number, metricsPort: number, beganAt: number): Promise<Sample> {
  const answer = await fetch(`http://127.0.0.1:${metricsPort}/metrics`, {
    signal: AbortSignal.timeout(20_000),
  })
  const text = await answer.text()
  const of = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? NaN)
  return {
    atMs: performance.now() - beganAt,
    residentMb: (await residentKb(pid)) / 1_024,
    heapMb: of('nodejs_heap_size_used_bytes') / 2 ** 20,
    loopP99: of('nodejs_eventloop_lag_p99_seconds') * 1_000,
  }
}

const patienceMs = 60_000

/** MB that are in use once the garbage has been collected. */
export interface Kept {
  heapMb: number
  residentMb: number
}

/** Has a server collect its garbage. */
export async function keptAfterCollection(pid: number, inspectorPort: number): Promise<Kept> {
  const list = await fetch(`http://127.0.0.1:${inspectorPort}/json/list`, {
    signal: AbortSignal.timeout(patienceMs),
  })
  const [target] = (await list.json()) as { webSocketDebuggerUrl: string }[]
  if (!target) throw new Error('the server has no inspector')
  const socket = new WebSocket(target.webSocketDebuggerUrl)
  try {
    await asked(socket, 'open', () => undefined)
    // What only finalizers hold goes with the second one.
    for (const id of [1, 2]) await command(socket, id, 'HeapProfiler.collectGarbage')
    const { usedSize } = await command(socket, 3, 'Runtime.getHeapUsage')
    return { heapMb: Number(usedSize) / 2 ** 20, residentMb: (await residentKb(pid)) / 1_024 }
  } finally {
    socket.close()
  }
}

async function command(socket: WebSocket, id: number, method: string): Promise<Record<string, unknown>> {
  const answered = asked(socket, 'message', (data) => {
    const message = JSON.parse(String(data)) as { id?: number; result?: Record<string, unknown> }
    return message.id === id ? (message.result ?? {}) : undefined
  })
  socket.send(JSON.stringify({ id, method }))
  return (await answered) ?? {}
}

/** Waits for an event of a socket, and for the first one that has a value where it is a message. */
async function asked<T>(
  socket: WebSocket,
  event: 'open' | 'message',
  value: (data: unknown) => T | undefined,
): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => end(new Error(`the inspector said nothing for ${patienceMs} ms`)),
      patienceMs,
    )
    const take = (data?: unknown) => {
      const found = value(data)
      if (event === 'open' || found !== undefined) end(undefined, found)
    }
    const fail = (error: Error) => end(error)
    const end = (error?: Error, found?: T) => {
      clearTimeout(timer)
      socket.off(event, take)
      socket.off('error', fail)
      if (error) reject(error)
      else resolve(found)
    }
    socket.on(event, take)
    socket.on('error', fail)
  })
}
