/** Whether the server is reachable. While it is not, it is polled every few seconds and pages keep what they show. */
import { useSyncExternalStore } from 'react'

export type Connection = 'up' | 'lost'

const probeEveryMs = 3_000

let state: Connection = 'up'
let probing: number | undefined
const listeners = new Set<() => void>()

function set(next: Connection): void {
  if (next === state) return
  state = next
  for (const listener of listeners) listener()
}

/** A response arrived, whatever its status. */
export function serverAnswered(): void {
  window.clearInterval(probing)
  probing = undefined
  set('up')
}

/** No response arrived. */
export function serverIsLost(): void {
  set('lost')
  probing ??= window.setInterval(() => void probe(), probeEveryMs)
}

/** A request timed out: the server may be slow or gone. */
export async function serverIsSlow(): Promise<void> {
  if (state === 'up' && !(await isReached())) serverIsLost()
}

async function probe(): Promise<void> {
  if (await isReached()) serverAnswered()
}

/** True if the server itself answers; a proxy in front of a dead one answers 502, 503 or 504. */
export async function isReached(): Promise<boolean> {
  try {
    const answer = await fetch('/health/live', {
      signal: AbortSignal.timeout(probeEveryMs),
      cache: 'no-store',
    })
    return answer.status < 500
  } catch {
    return false
  }
}

window.addEventListener('offline', serverIsLost)
window.addEventListener('online', () => void probe())

export function connectionNow(): Connection {
  return state
}

export function onConnectionChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useConnection(): Connection {
  return useSyncExternalStore(onConnectionChange, connectionNow)
}
