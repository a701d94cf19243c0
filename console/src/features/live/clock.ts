/** The server's clock, ticking once a second, for all counters of the board. */
import { useSyncExternalStore } from 'react'

const tickMs = 1_000

/** How far this machine's clock is ahead of the server's, in milliseconds. */
let ahead = 0
let now = Date.now()
let timer: number | undefined
const listeners = new Set<() => void>()

/** @param timestamp ISO 8601, from a response that has just arrived */
export function noteServerTime(timestamp: string): void {
  ahead = Date.now() - Date.parse(timestamp)
}

function tick(): void {
  now = Date.now()
  for (const listener of listeners) listener()
}

function listen(listener: () => void): () => void {
  listeners.add(listener)
  if (timer === undefined) {
    now = Date.now()
    timer = window.setInterval(tick, tickMs)
  }
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    window.clearInterval(timer)
    timer = undefined
  }
}

/** Whole seconds since a timestamp, counting. */
export function useSecondsSince(at: string): number {
  return useSyncExternalStore(listen, () => Math.max(0, Math.floor((now - ahead - Date.parse(at)) / 1000)))
}
