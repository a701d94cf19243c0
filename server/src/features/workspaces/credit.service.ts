/** Credit: a ledger, and its running sum beside it. */
import { EventEmitter } from 'node:events'
import { type EntityManager, In } from 'typeorm'
import { later, mustChange } from '../../infrastructure/database/combined.js'
import { type Database, afterCommit } from '../../infrastructure/database/database.js'
import { listPlatformRows } from '../../infrastructure/database/platform-list.js'
import { newId } from '../../infrastructure/database/ids.js'
import type { Owner } from '../../infrastructure/database/workspace-table.js'
import { notFound } from '../../infrastructure/http/errors.js'
import type { ListRequest, Page } from '../../infrastructure/http/lists.js'
import { microsOf, sumOf } from '../../lib/money.js'
import { CreditEntry } from './credit-entry.entity.js'
import {
  type CallCharge,
  type NewEntry,
  booking,
  entering,
  entryOf,
  holding,
  spending,
} from './credit-statements.js'
import { beginnings } from './spend-periods.js'
import { CreditBalance } from './credit-balance.entity.js'

/** A limit of what a workspace may spend in an hour or a day. */
export interface SpendLimit {
  name: 'max_spend_per_hour' | 'max_spend_per_day'
  /** USD. */
  max: number
  /** USD that were charged in it. */
  spent: number
  /** USD that live calls hold. */
  held: number
  /** When the hour or day began. */
  began: Date
}

interface Spending {
  workspace_id: string
  /** USD that may be spent. */
  available: number
  limits: SpendLimit[]
}

interface SpendingRow {
  workspace_id: string
  held: string
  available: string
  max_spend_per_hour: string | null
  max_spend_per_day: string | null
  hour_spent: string
  day_spent: string
}

const nothingSpent = { hour_began: null, hour_spent: 0, day_began: null, day_spent: 0 }

/** A workspace's credit. USD. */
export interface Account {
  balance: number
  /** What of it live calls hold. */
  held: number
  /** What of it may be spent. */
  available: number
  /** What was charged in this hour and this day of UTC. */
  spentThisHour: number
  spentToday: number
}

interface CreditEvents {
  /** A workspace was charged, or a call of it holds credit. */
  spent: [workspaceId: string]
}

export class CreditService extends EventEmitter<CreditEvents> {
  constructor(private readonly database: Database) {
    super()
  }

  /**
   * Books an amount in a transaction; a charge may take the balance below zero, as what was used was used.
   * @param held USD that were held for it, and are no more
   * @returns the id of its entry
   */
  async book(tx: EntityManager, workspace: Owner, entry: NewEntry, held = 0): Promise<string> {
    const { affectedRows } = await tx.query<{ affectedRows: number }>(...booking(workspace, entry, held, 1))
    if (!affectedRows) throw notFound(`Workspace ${workspace.id} not found`)
    this.reportSpent(tx, workspace, entry)
    return this.enter(tx, workspace, entry)
  }

  /**
   * Charges calls that have ended, each with an entry, and releases the credit that they held.
   * @throws {RefusedError} there is no such workspace: now or at the commit
   */
  async settle(tx: EntityManager, workspace: Owner, calls: readonly CallCharge[]): Promise<void> {
    const held = sumOf(calls.map((call) => call.held))
    const charged = calls.filter(({ cost }) => cost > 0)
    if (charged.length === 0) {
      if (held > 0)
        await mustChange(tx, 'UPDATE credit_balances SET held = held - ? WHERE workspace_id = ?', [
          ...[held.toFixed(6), workspace.id],
        ])
      return
    }
    const amount = -sumOf(charged.map(({ cost }) => cost))
    await mustChange(tx, ...booking(workspace, { amount, reason: 'call' }, held, charged.length))
    this.reportSpent(tx, workspace, { amount })
    await later(tx, ...entering(workspace, charged.map(entryOf)))
  }

  /**
   * Holds a part of what is available for a call that begins.
   * @param amount USD
   * @returns false, and nothing is held, when there is less, or as much is spent and held as may be spent
   */
  async hold(tx: EntityManager, workspace: Owner, amount: number): Promise<boolean> {
    const { affectedRows } = await tx.query<{ affectedRows: number }>(...holding(workspace, [amount]))
    if (affectedRows > 0) afterCommit(tx, () => this.emit('spent', workspace.id))
    return affectedRows > 0
  }

  /**
   * As {@link hold}, for calls that begin together.
   * @param amounts USD, of each call
   * @throws {RefusedError} not all of them may be held: now or at the commit
   */
  async holdAll(tx: EntityManager, workspace: Owner, amounts: readonly number[]): Promise<void> {
    await mustChange(tx, ...holding(workspace, amounts))
    afterCommit(tx, () => this.emit('spent', workspace.id))
  }

  /** Holds more for calls that live, in a transaction that has locked what is available. @param amount USD */
  async holdMore(tx: EntityManager, workspace: Owner, amount: number): Promise<void> {
    await tx.query('UPDATE credit_balances SET held = held + ? WHERE workspace_id = ?', [
      ...[amount.toFixed(6), workspace.id],
    ])
    afterCommit(tx, () => this.emit('spent', workspace.id))
  }

  /** USD that may be held or spent, locked until the transaction ends. */
  async lockAvailable(tx: EntityManager, workspace: Owner): Promise<number> {
    const [row] = await tx.query<{ available: string }[]>(
      'SELECT balance - held AS available FROM credit_balances WHERE workspace_id = ? FOR UPDATE',
      [workspace.id],
    )
    return Number(row?.available ?? 0)
  }

  /**
   * Books a charge that may not take more than is available.
   * @param least USD that must be available before
   * @returns false, and nothing is booked, when there is less
   */
  async spend(tx: EntityManager, workspace: Owner, entry: NewEntry, least: number): Promise<boolean> {
    const { affectedRows } = await tx.query<{ affectedRows: number }>(...spending(workspace, entry, least))
    if (affectedRows) {
      this.reportSpent(tx, workspace, entry)
      await this.enter(tx, workspace, entry)
    }
    return affectedRows > 0
  }

  /** Writes an entry whose amount is in the balance already. */
  private async enter(tx: EntityManager, workspace: Owner, entry: NewEntry): Promise<string> {
    const id = newId('cr')
    await tx.query(...entering(workspace, [{ ...entry, id }]))
    return id
  }

  /** What there is, what of it live calls hold, and what is left to spend. USD. @throws 404 */
  async account(workspace: Owner): Promise<Account> {
    const row = await this.database.platformTable(CreditBalance).findOneBy({ workspace_id: workspace.id })
    if (!row) throw notFound(`Workspace ${workspace.id} not found`)
    return accountOf(row)
  }

  /**
   * The spending limit that is used up by what is spent and held; null when none is.
   * @param tx the caller's transaction, if there is one: waiting for a second connection could last for ever
   */
  async brokenLimit(
    workspace: Owner,
    tx: EntityManager = this.database.source.manager,
  ): Promise<SpendLimit | null> {
    const [found] = await this.limitedSpending([workspace.id], tx)
    return found ? brokenOf(found.limits) : null
  }

  /** What may be spent, and the limit of spending that is used up, as {@link brokenLimit}. */
  async spendable(workspace: Owner): Promise<{ available: number; broken: SpendLimit | null }> {
    const [row] = await this.spending('account.workspace_id = ?', [workspace.id])
    if (!row) throw notFound(`Workspace ${workspace.id} not found`)
    return { available: row.available, broken: brokenOf(row.limits) }
  }

  /** What workspaces have spent of what they may, of those that have a limit. */
  async limitedSpending(
    ids: readonly string[],
    tx: EntityManager = this.database.source.manager,
  ): Promise<Spending[]> {
    const hasLimit = '(workspaces.max_spend_per_hour IS NOT NULL OR workspaces.max_spend_per_day IS NOT NULL)'
    return this.spending(`account.workspace_id IN (?) AND ${hasLimit}`, [ids], tx)
  }

  private async spending(
    condition: string,
    values: readonly unknown[],
    tx: EntityManager = this.database.source.manager,
  ): Promise<Spending[]> {
    const { hour, day } = beginnings(new Date())
    const rows = await tx.query<SpendingRow[]>(
      `SELECT account.workspace_id, account.held, account.balance - account.held AS available,
         workspaces.max_spend_per_hour, workspaces.max_spend_per_day,
         IF(account.hour_began >= ?, account.hour_spent, 0) AS hour_spent,
         IF(account.day_began >= ?, account.day_spent, 0) AS day_spent
       FROM credit_balances account JOIN workspaces ON workspaces.id = account.workspace_id
       WHERE ${condition}`,
      [hour, day, ...values],
    )
    return rows.map(({ workspace_id, available, max_spend_per_hour, max_spend_per_day, ...row }) => {
      const held = Number(row.held)
      const limits = [
        { name: 'max_spend_per_day', max: max_spend_per_day, spent: Number(row.day_spent), began: day, held },
        {
          name: 'max_spend_per_hour',
          max: max_spend_per_hour,
          spent: Number(row.hour_spent),
          began: hour,
          held,
        },
      ] as const
      return {
        workspace_id,
        available: Number(available),
        limits: limits.flatMap((limit) => (limit.max === null ? [] : [{ ...limit, max: Number(limit.max) }])),
      }
    })
  }

  private reportSpent(tx: EntityManager, { id }: Owner, { amount }: Pick<NewEntry, 'amount'>): void {
    if (amount < 0) afterCommit(tx, () => this.emit('spent', id))
  }

  /** The ledger, newest first unless asked otherwise. */
  async list(workspace: Owner, request: ListRequest): Promise<Page<CreditEntry>> {
    return listPlatformRows(this.database.platformTable(CreditEntry), request, [], {
      workspace_id: workspace.id,
    })
  }

  /** Opens the account of a new workspace. */
  async open(tx: EntityManager, workspace: Owner): Promise<void> {
    await tx.insert(CreditBalance, {
      workspace_id: workspace.id,
      balance: 0,
      held: 0,
      entries: 0,
      ...nothingSpent,
    })
  }

  /** By workspace. */
  async accounts(workspaces: readonly Owner[]): Promise<ReadonlyMap<string, Account>> {
    const ids = workspaces.map(({ id }) => id)
    const rows = await this.database.platformTable(CreditBalance).findBy({ workspace_id: In(ids) })
    return new Map(rows.map((row) => [row.workspace_id, accountOf(row)]))
  }
}

function brokenOf(limits: readonly SpendLimit[]): SpendLimit | null {
  return limits.find(({ max, spent, held }) => microsOf(spent) + microsOf(held) >= microsOf(max)) ?? null
}

function accountOf({ balance, held, ...row }: CreditBalance): Account {
  const { hour, day } = beginnings(new Date())
  return {
    ...{ balance, held, available: (microsOf(balance) - microsOf(held)) / 1e6 },
    spentThisHour: row.hour_began && row.hour_began >= hour ? row.hour_spent : 0,
    spentToday: row.day_began && row.day_began >= day ? row.day_spent : 0,
  }
}
