/**
 * Credit held for live calls. The spendable balance excludes it, so that concurrent calls, on whatever server, cannot
 * together overspend. A call's hold is in its own row and is released in the transaction that charges the call
 * (`CallStore.ended`): no hold outlives its call.
 */
import type { FirstHold } from '../model/admission.js'
import type { EntityManager } from 'typeorm'
import type { Database } from '../../../infrastructure/database/database.js'
import type { Owner } from '../../../infrastructure/database/workspace-table.js'
import { type Rate, affordableSeconds, costOf, isFree } from '../../rates/rating.js'
import { microsOf, sumOf } from '../../../lib/money.js'
import type { Refused } from './call-limits.js'
import type { CreditService, SpendLimit } from '../../workspaces/credit.service.js'
import type { Call } from '../model/call.entity.js'

/** Seconds that a call can start with when others take the rest of the credit at the same time. */
const leastSeconds = 3

export const noHold: FirstHold = { amount: 0, least: 0 }

/** A call that cannot be paid; its message is shown to users. */
export abstract class CannotPayError extends Error {
  abstract readonly reason: 'no_credit' | 'spend_limit'
}

/** The hourly or daily spend limit is reached. */
export class SpendLimitError extends CannotPayError {
  readonly reason = 'spend_limit'

  constructor({ name, max }: SpendLimit) {
    super(`The workspace has reached its limit ${name} of ${max} USD`)
  }
}

/** The credit does not cover the first moment of the call. */
export class NoCreditError extends CannotPayError {
  readonly reason = 'no_credit'
  override message = 'The workspace has no credit left for this call'
}

export class CreditHolds {
  constructor(
    private readonly database: Database,
    private readonly credit: CreditService,
    /** Seconds of a call for which credit is held in advance. */
    readonly seconds: number,
    private readonly refused: Refused,
  ) {}

  /**
   * How long a call may last at a rate, and its first hold.
   * @throws {CannotPayError}
   */
  async plan(workspace: Owner, rate: Rate): Promise<{ affordable: number; hold: FirstHold }> {
    if (isFree(rate)) return { affordable: Infinity, hold: noHold }
    const { available, broken } = await this.credit.spendable(workspace)
    if (broken) throw this.atLimit(workspace, broken)
    const affordable = affordableSeconds(available, rate)
    if (affordable < 1) throw new NoCreditError()
    const amount = Math.min(available, costOf(this.seconds, rate))
    return { affordable, hold: { amount, least: Math.min(amount, costOf(leastSeconds, rate)) } }
  }

  /**
   * Holds credit for calls that begin together. Call it among the last statements: it blocks others.
   * @param amounts USD
   * @throws {RefusedError} there is less, or as much is spent and held as may be spent: now or at the commit
   */
  async beginAll(tx: EntityManager, workspace: Owner, amounts: readonly number[]): Promise<void> {
    const held = amounts.filter((amount) => amount > 0)
    if (held.length > 0) await this.credit.holdAll(tx, workspace, held)
  }

  /**
   * Holds credit for a call that the transaction has written. Call it among the last statements: it blocks others.
   * @throws {CannotPayError} others have taken the credit: the transaction must be rolled back
   */
  async begin(tx: EntityManager, call: Call, { amount, least }: FirstHold): Promise<void> {
    if (amount === 0) return
    const workspace = { id: call.workspace_id }
    if (await this.credit.hold(tx, workspace, amount)) return
    if (!(await this.credit.hold(tx, workspace, least))) {
      const broken = await this.credit.brokenLimit(workspace, tx)
      throw broken ? this.atLimit(workspace, broken) : new NoCreditError()
    }
    call.credit_held = least
    await tx.query('UPDATE calls SET credit_held = ? WHERE id = ?', [least, call.id])
  }

  /**
   * Raises the hold of a live call for a further leg, within the spend limits, as for a new call.
   * @param wanted USD that the call is to hold
   * @returns USD that it holds; null at the spend limit, or when the call has ended
   */
  async raiseForLeg(workspace: Owner, callId: string, wanted: number): Promise<number | null> {
    try {
      const held = await this.raise(workspace, new Map([[callId, wanted]]), async (tx) => {
        const broken = await this.credit.brokenLimit(workspace, tx)
        if (broken) throw this.atLimit(workspace, broken)
      })
      return held.get(callId) ?? null
    } catch (error) {
      if (error instanceof SpendLimitError) return null
      throw error
    }
  }

  /**
   * Raises the holds of live calls of one workspace as far as credit allows; if it does not suffice, each gets its
   * share.
   * @param wanted USD that each is to hold, by the call's id
   * @param admit runs once the balance is locked, and only if the calls hold less than `wanted`: holds up to that were
   * admitted before; if it throws, nothing changes
   * @returns USD that each holds; ended calls are left out
   */
  async raise(
    { id: workspaceId }: Owner,
    wanted: ReadonlyMap<string, number>,
    admit: (tx: EntityManager) => Promise<void> = async () => undefined,
  ): Promise<ReadonlyMap<string, number>> {
    return this.database.transaction(async (tx) => {
      // Lock calls before the balance, as the end of a call does; by primary key, or other calls' rows would be locked,
      // too.
      const rows = await tx.query<{ id: string; credit_held: string; live: 1 | null }[]>(
        'SELECT id, credit_held, live FROM calls FORCE INDEX (PRIMARY) WHERE id IN (?) ORDER BY id FOR UPDATE',
        [[...wanted.keys()]],
      )
      const calls = rows.filter(({ live }) => live)
      const available = microsOf(await this.credit.lockAvailable(tx, { id: workspaceId }))
      const lacking = calls.map(({ id, credit_held }) =>
        Math.max(0, microsOf(wanted.get(id) ?? 0) - microsOf(Number(credit_held))),
      )
      const all = lacking.reduce((sum, one) => sum + one, 0)
      if (all > 0) await admit(tx)
      const share = all > 0 ? Math.min(1, Math.max(0, available) / all) : 0
      const granted = lacking.map((one) => Math.floor(one * share) / 1e6)
      const held = calls.map(({ id, credit_held }, index) => {
        return [id, sumOf([Number(credit_held), granted[index] ?? 0])] as const
      })
      const sum = sumOf(granted)
      if (sum > 0) {
        await tx.query(
          `UPDATE calls SET credit_held = CASE id ${'WHEN ? THEN ? '.repeat(held.length)}END WHERE id IN (?)`,
          [...held.flatMap(([id, usd]) => [id, usd.toFixed(6)]), held.map(([id]) => id)],
        )
        await this.credit.holdMore(tx, { id: workspaceId }, sum)
      }
      return new Map(held)
    })
  }

  /**
   * Moves a call's hold to another call, in a transaction that has locked both.
   * @param spent USD that the first keeps
   * @returns USD that the other one holds
   */
  async move(tx: EntityManager, from: string, to: string, spent: number): Promise<number> {
    const rows = await tx.query<{ id: string; credit_held: string }[]>(
      'SELECT id, credit_held FROM calls WHERE id IN (?)',
      [[from, to]],
    )
    const heldBy = (call: string) => Number(rows.find(({ id }) => id === call)?.credit_held ?? 0)
    const given = Math.max(0, heldBy(from) - spent)
    const held = { [from]: sumOf([heldBy(from), -given]), [to]: sumOf([heldBy(to), given]) }
    for (const [id, usd] of Object.entries(held)) {
      await tx.query('UPDATE calls SET credit_held = ? WHERE id = ?', [usd.toFixed(6), id])
    }
    return held[to] ?? 0
  }

  private atLimit(workspace: Owner, broken: SpendLimit): SpendLimitError {
    this.refused(workspace.id, 'spend')
    return new SpendLimitError(broken)
  }
}
