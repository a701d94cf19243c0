/**
 * Which connections the statements of the work under way go over. Calls and changes have the ordinary pool; reads of the API
 * and background work have pools of their own, in which workspaces take turns.
 */
import { AsyncLocalStorage } from 'node:async_hooks'

export type SidePool = 'reads' | 'background'

/** Who uses a pool of those beside the ordinary one. */
export interface PoolUse {
  readonly pool: SidePool
  /** The workspace whose turn it takes; empty for the platform's own work. */
  readonly owner: string
  /** Whether that work is done: what it started and what still runs uses the ordinary pool. */
  isOver: boolean
}

const uses = new AsyncLocalStorage<PoolUse | null>()

/** Runs a read of the API: its statements go over the connections of reads. */
export async function reading<T>(workspaceId: string, work: () => Promise<T>): Promise<T> {
  return using('reads', workspaceId, work)
}

/** Runs what no call and no request waits for (sweeps, deliveries, jobs) over the connections of background work. */
export async function inBackground<T>(workspaceId: string, work: () => Promise<T>): Promise<T> {
  return using('background', workspaceId, work)
}

/**
 * Runs work that needs another connection while the work under way holds one. Background work gets an ordinary connection
 * then: jobs that together hold all background connections would wait for each other.
 */
export async function whileHolding<T>(work: () => Promise<T>): Promise<T> {
  return currentUse()?.pool === 'background' ? ordinarily(work) : work()
}

/** Runs work over the ordinary connections, whatever it is a part of. */
export function ordinarily<T>(work: () => T): T {
  return uses.run(null, work)
}

/** Null for calls and changes. */
export function currentUse(): PoolUse | null {
  const use = uses.getStore()
  return use && !use.isOver ? use : null
}

async function using<T>(pool: SidePool, owner: string, work: () => Promise<T>): Promise<T> {
  const use: PoolUse = { pool, owner, isOver: false }
  try {
    return await uses.run(use, work)
  } finally {
    use.isOver = true
  }
}
