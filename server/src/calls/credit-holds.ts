/**
 * Credit that is held for calls while they live: what others may spend is the balance without it, so that calls which
 * run at once, on whatever server, cannot together spend what is not there. What a call holds stands in its own row and
 * goes with its end, in the transaction that charges it (`CallStore.ended`): no hold outlives its call.
 */
import type { EntityManager } from 'typeorm'
import type { Database } from '../database/database.js'
import type { Owner } from '../database/workspace-table.js'
import { type Rate, affordableSeconds, costOf, isFree, microsOf, sumOf } from '../rates/rating.js'
import type { Refused } from './call-limits.js'
import type { CreditService, SpendLimit } from '../workspaces/credit.service.js'
import type { Call } from './call.entity.js'

/** What a call holds when it begins. USD. */
export interface FirstHold {
  /** Its first period. */
  readonly amount: number
  /** The least that it can begin with: a moment in which more can be held. */
  readonly least: number
}

/** Seconds that a call can begin with when others take the rest of the credit in the same instant. */
const leastSeconds = 3

export const noHold: FirstHold = { amount: 0, least: 0 }

/** A call that cannot be paid; what it says is what people are told. */
export abstract class CannotPayError extends Error {
  abstract readonly reason: 'no_credit' | 'spend_limit'
}

/** As much is spent as may be, in this hour or day. */
export class SpendLimitError extends CannotPayError {
  readonly reason = 'spend_limit'

  constructor({ name, max }: SpendLimit) {
    super(`The workspace has reached its limit ${name} of ${max} USD`)
  }
}

/** There is not enough for a moment of the call. */
export class NoCreditError extends CannotPayError {
  readonly reason = 'no_credit'
  override message = 'The workspace has no credit left for this call'
}

export class CreditHolds {
  constructor(
    private readonly database: Database,
    private readonly credit: CreditService,
    /** Seconds of a call for which credit is held ahead. */
    readonly seconds: number,
    private readonly refused: Refused,
  ) {}

  /**
   * How long a call may be at a rate, and what it holds first.
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
   * Holds credit for a call that the transaction has written; among its last statements, as others wait for it.
   * @throws {CannotPayError} others have taken what was there: nothing of the transaction may stay
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
   * Raises what a live call holds, for a further leg of it: which begins as a call does, within the limits of spending.
   * @param wanted USD that the call is to hold
   * @returns USD that it holds; null when as much is spent and held as may be, or it has ended
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
   * Raises what live calls of one workspace hold, as far as credit goes; where it does not go far enough, each is given
   * its share of what there is.
   * @param wanted USD that each is to hold, by the call's id
   * @param admit asked once nobody else can spend, where they do not hold as much already: that was admitted with what they
   * began with; what it throws leaves all as it was
   * @returns USD that each holds; those that have ended are left out
   */
  async raise(
    { id: workspaceId }: Owner,
    wanted: ReadonlyMap<string, number>,
    admit: (tx: EntityManager) => Promise<void> = async () => undefined,
  ): Promise<ReadonlyMap<string, number>> {
    return this.database.transaction(async (tx) => {
      // Calls before the balance, as where they end; by their own index, or the rows of others would be locked, too.
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
   * Gives what one call holds to another one, in a transaction that has locked both.
   * @param spent USD that the first holds on
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
