/** What the store needs to start, move and end calls within a workspace's limits and credit. */
import type { EntityManager } from 'typeorm'
import type { Owner } from '../../../infrastructure/database/workspace-table.js'
import type { Call } from './call.entity.js'

/** USD that a call holds when it starts. */
export interface FirstHold {
  /** For its first period. */
  readonly amount: number
  /** The least that it can start with: enough time to raise the hold. */
  readonly least: number
}

export interface Holds {
  /**
   * Holds the whole amounts for calls that begin together.
   * @param amounts USD
   * @throws {RefusedError} when that is more than there is, or than may be spent: now or at the commit
   */
  beginAll(tx: EntityManager, workspace: Owner, amounts: readonly number[]): Promise<void>
  /** @throws when the credit does not suffice: the transaction must be rolled back */
  begin(tx: EntityManager, call: Call, hold: FirstHold): Promise<void>
  /** Moves what a call holds beyond what it has spent. @returns USD that the other call holds now */
  move(tx: EntityManager, from: string, to: string, spent: number): Promise<number>
}

export interface LiveCallCounts {
  /** @throws {RefusedError} when they exceed the limit: now or at the commit */
  occupyAll(
    tx: EntityManager,
    workspace: Owner,
    calls: { readonly ordinary: number; readonly emergencies: number },
  ): Promise<void>
  /** @throws when the workspace is at its limit: the transaction must be rolled back */
  occupy(tx: EntityManager, workspace: Owner, isEmergency: boolean): Promise<void>
  /** @param calls that have ended */
  vacate(tx: EntityManager, workspace: Owner, calls: number): Promise<void>
}
