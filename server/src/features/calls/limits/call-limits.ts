/**
 * Limits on a workspace's calls, against toll fraud: concurrent calls, calls per second, and countries. Calls of the
 * API, of phones and over trunks count alike.
 *
 * The number of live calls has a row of its own, which one statement changes at the end of the transaction that
 * writes or ends a call. So it stays exact when requests race, on one server or several, and after a crash; and the
 * row is locked only while the commit takes place.
 */
import type { EntityManager } from 'typeorm'
import { later, mustChange } from '../../../infrastructure/database/combined.js'
import type { Owner } from '../../../infrastructure/database/workspace-table.js'
import type { AllowedCountries, NotReached, Reached } from '../../phone-numbers/allowed-countries.js'
import { internationalNumber } from '../../../lib/numbering/e164.js'
import type { CallsPerSecond } from './calls-per-second.js'
import { LiveCallCount } from '../model/live-call-count.entity.js'
import { isShortNumber, numbersOf } from '../model/sip-uri.js'

/** The limit that a call would exceed. */
export type BrokenLimit = 'concurrent' | 'rate' | 'country'

/** Limits of one workspace; null: the operator's setting. */
interface WorkspaceLimits {
  max_calls_per_second: number | null
  call_signing: boolean
}

/** The operator's settings. */
interface Defaults {
  maxConcurrent: number
  maxPerSecond: number
  /** Calls that the phones of one SIP account may make at once. */
  maxPerAccount: number
}

interface Options {
  /** May be some seconds old; null when there is no such workspace. */
  limitsOf(workspaceId: string): Promise<WorkspaceLimits | null>
  countries: AllowedCountries
  defaults: Defaults
  perSecond: CallsPerSecond
  refused: Refused
}

/** Called for each refused call. */
export type Refused = (workspaceId: string, why: BrokenLimit | 'spend') => void

/** Rolls back the transaction that would have written one call too many. */
export class TooManyCallsError extends Error {
  constructor(isSuspended: boolean) {
    super(isSuspended ? 'The workspace is suspended' : 'The workspace has as many calls at once as it may')
  }
}

export class CallLimits {
  constructor(private readonly options: Options) {}

  /**
   * Counts a call that is about to begin; to be called once for each.
   * @returns the limit of calls per second if the call exceeds it; else null
   */
  async overRate(workspace: Owner): Promise<number | null> {
    const limits = await this.options.limitsOf(workspace.id)
    const perSecond = limits?.max_calls_per_second ?? this.options.defaults.maxPerSecond
    if (await this.options.perSecond.take(workspace.id, perSecond)) return null
    this.options.refused(workspace.id, 'rate')
    return perSecond
  }

  /** Whether its calls may be signed with the operator's certificate. */
  async maySign(workspace: Owner): Promise<boolean> {
    return (await this.options.limitsOf(workspace.id))?.call_signing ?? false
  }

  /** Why a telephone number may not be called; null when it may. */
  async refusalOf(workspace: Owner, number: Reached): Promise<NotReached | null> {
    const refusal = await this.options.countries.refusal(workspace, number)
    if (refusal) this.options.refused(workspace.id, 'country')
    return refusal
  }

  /** Counts a call that is refused because its prefix is blocked. */
  refused(workspace: Owner): void {
    this.options.refused(workspace.id, 'country')
  }

  /**
   * Why an outside SIP URI may not be called. If its user part is a telephone number, the country of that number
   * counts: a carrier's host may well pass the call into the telephone network. A short number has no country.
   * @param country of the caller id; null for none
   * @returns null when the URI may be called
   */
  async refusalOfUri(workspace: Owner, user: string, country: string | null): Promise<NotReached | null> {
    const numbers = numbersOf(user, country)
    if (numbers.length === 0) return isShortNumber(user) ? this.refusalOf(workspace, { countries: [] }) : null
    const known = numbers.map(internationalNumber).filter((number) => number !== null)
    for (const number of known.length > 0 ? known : [{ countries: [] }]) {
      const refusal = await this.refusalOf(workspace, number)
      if (refusal) return refusal
    }
    return null
  }

  /** How many calls a SIP account's phones may make at once. @param own the account's own limit */
  maxOfAccount(own: number | null): number {
    return own ?? this.options.defaults.maxPerAccount
  }

  /**
   * Counts calls that a transaction has written. It is the transaction's last statement, as other transactions wait for
   * the row.
   * @throws {RefusedError} over the limit, or suspended: now or at the commit
   */
  async occupyAll(
    tx: EntityManager,
    workspace: Owner,
    { ordinary, emergencies }: { readonly ordinary: number; readonly emergencies: number },
  ): Promise<void> {
    if (ordinary > 0) await mustChange(tx, ...this.occupying(workspace, ordinary))
    if (emergencies > 0)
      await later(tx, 'UPDATE live_call_counts SET live_calls = live_calls + ? WHERE workspace_id = ?', [
        ...[emergencies, workspace.id],
      ])
  }

  /**
   * As {@link occupyAll}, for one call.
   * @param isEmergency counts the call whatever the limit
   * @throws {TooManyCallsError} over the limit, or suspended: the transaction must be rolled back
   */
  async occupy(tx: EntityManager, workspace: Owner, isEmergency = false): Promise<void> {
    if (isEmergency) return this.occupyAll(tx, workspace, { ordinary: 0, emergencies: 1 })
    const { affectedRows } = await tx.query<{ affectedRows: number }>(...this.occupying(workspace, 1))
    if (affectedRows) return
    const [row] = await tx.query<{ is_suspended: number }[]>(
      'SELECT is_suspended FROM workspaces WHERE id = ?',
      [workspace.id],
    )
    const isSuspended = Boolean(row?.is_suspended)
    if (!isSuspended) this.options.refused(workspace.id, 'concurrent')
    throw new TooManyCallsError(isSuspended)
  }

  private occupying({ id }: Owner, calls: number): [sql: string, values: unknown[]] {
    return [
      `UPDATE live_call_counts SET live_calls = live_calls + ? WHERE workspace_id = ?
       AND live_calls + ? <= COALESCE(
         (SELECT IF(is_suspended, 0, max_concurrent_calls) FROM workspaces WHERE id = ?), ?)`,
      [calls, id, calls, id, this.options.defaults.maxConcurrent],
    ]
  }

  /** Stops counting calls that a transaction has ended; its last statement, too. */
  async vacate(tx: EntityManager, workspace: Owner, calls: number): Promise<void> {
    await later(
      tx,
      'UPDATE live_call_counts SET live_calls = live_calls - LEAST(live_calls, ?) WHERE workspace_id = ?',
      [calls, workspace.id],
    )
  }

  /** Begins to count the calls of a new workspace. */
  async open(tx: EntityManager, workspace: Owner): Promise<void> {
    await tx.insert(LiveCallCount, { workspace_id: workspace.id, live_calls: 0 })
  }
}
