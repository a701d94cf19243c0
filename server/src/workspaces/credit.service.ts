/** Credit: a ledger, and its running sum beside it. */
import { type EntityManager, In } from 'typeorm'
import { recordChange } from '../database/audit.js'
import { type Database, isOutOfRange } from '../database/database.js'
import { newId } from '../database/ids.js'
import type { Owner } from '../database/workspace-table.js'
import { invalidField, notFound } from '../http/errors.js'
import type { ListRequest, Page } from '../http/lists.js'
import { microsOf } from '../rates/rating.js'
import { CreditEntry, type CreditReason } from './credit-entry.entity.js'
import { CreditBalance } from './credit-balance.entity.js'
import type { AddCredit } from './workspace.schema.js'

interface NewEntry {
  /** USD, negative for a charge. */
  readonly amount: number
  readonly reason: CreditReason
  /** What it is for, which is charged once only; the entry's own id by default. */
  readonly reference?: string
  readonly note: string
}

/** A workspace's credit. USD. */
export interface Account {
  balance: number
  /** What of it live calls hold. */
  held: number
  /** What of it may be spent. */
  available: number
}

export class CreditService {
  constructor(private readonly database: Database) {}

  /** Adds credit. @throws 400 when the balance would grow too large, 404 unknown workspace */
  async topUp(workspaceId: string, { amount, note = '' }: AddCredit): Promise<CreditEntry> {
    try {
      return await this.database.transaction(async (tx) => {
        const id = await this.book(tx, { id: workspaceId }, { amount, reason: 'top_up', note })
        const entry = await tx.findOneByOrFail(CreditEntry, { id })
        await recordChange(tx, {
          workspace_id: workspaceId,
          action: 'credit.create',
          target: { type: 'credit', id: entry.id, name: note || null },
          changes: { amount: { to: amount } },
        })
        return entry
      })
    } catch (error) {
      if (isOutOfRange(error)) throw invalidField('amount', 'amount makes the balance too large')
      throw error
    }
  }

  /**
   * Books an amount in a transaction; a charge may take the balance below zero, as what was used was used.
   * @param held USD that were held for it, and are no more
   * @returns the id of its entry
   */
  async book(tx: EntityManager, workspace: Owner, entry: NewEntry, held = 0): Promise<string> {
    const { affectedRows } = await tx.query<{ affectedRows: number }>(
      `UPDATE credit_balances SET balance = balance + ?, held = held - ?, entries = entries + 1
       WHERE workspace_id = ?`,
      [entry.amount.toFixed(6), held.toFixed(6), workspace.id],
    )
    if (!affectedRows) throw notFound(`Workspace ${workspace.id} not found`)
    return this.enter(tx, workspace, entry)
  }

  /** Charges a call that has ended, and lets go of what it held. @param held USD */
  async settle(tx: EntityManager, workspace: Owner, held: number, entry: NewEntry): Promise<void> {
    if (entry.amount !== 0) await this.book(tx, workspace, entry, held)
    else if (held > 0) {
      await tx.query('UPDATE credit_balances SET held = held - ? WHERE workspace_id = ?', [
        ...[held.toFixed(6), workspace.id],
      ])
    }
  }

  /** Holds a part of what is available. @param amount USD @returns false, and nothing is held, when there is less */
  async hold(tx: EntityManager, workspace: Owner, amount: number): Promise<boolean> {
    const { affectedRows } = await tx.query<{ affectedRows: number }>(
      'UPDATE credit_balances SET held = held + ? WHERE workspace_id = ? AND balance - held >= ?',
      [amount.toFixed(6), workspace.id, amount.toFixed(6)],
    )
    return affectedRows > 0
  }

  /** USD that may be held or spent, which nobody else does until the transaction ends. */
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
    const { affectedRows } = await tx.query<{ affectedRows: number }>(
      `UPDATE credit_balances SET balance = balance + ?, entries = entries + 1
       WHERE workspace_id = ? AND balance - held >= ?`,
      [entry.amount.toFixed(6), workspace.id, Math.max(-entry.amount, least).toFixed(6)],
    )
    if (affectedRows) await this.enter(tx, workspace, entry)
    return affectedRows > 0
  }

  /** Writes an entry whose amount is in the balance already. */
  private async enter(tx: EntityManager, workspace: Owner, entry: NewEntry): Promise<string> {
    const id = newId('cr')
    await tx.query(
      `INSERT INTO credit_entries
         (id, workspace_id, amount, balance, reason, reference, note, sequence, created_at)
       SELECT ?, workspace_id, ?, balance, ?, ?, ?, entries, ? FROM credit_balances WHERE workspace_id = ?`,
      [
        ...[id, entry.amount.toFixed(6), entry.reason, entry.reference ?? id, entry.note, new Date()],
        workspace.id,
      ],
    )
    return id
  }

  /** USD. */
  async balance(workspace: Owner): Promise<number> {
    return (await this.account(workspace)).balance
  }

  /** What there is, what of it live calls hold, and what is left to spend. USD. @throws 404 */
  async account(workspace: Owner): Promise<Account> {
    const row = await this.database.platformTable(CreditBalance).findOneBy({ workspace_id: workspace.id })
    if (!row) throw notFound(`Workspace ${workspace.id} not found`)
    return accountOf(row)
  }

  /** The ledger, newest first unless asked otherwise. */
  async list(workspace: Owner, request: ListRequest): Promise<Page<CreditEntry>> {
    const [rows, total] = await this.database.platformTable(CreditEntry).findAndCount({
      where: { workspace_id: workspace.id },
      order: { created_at: request.sort_order, id: request.sort_order },
      skip: (request.page - 1) * request.limit,
      take: request.limit,
    })
    return { rows, total }
  }

  /** Opens the account of a new workspace. */
  async open(tx: EntityManager, workspace: Owner): Promise<void> {
    await tx.insert(CreditBalance, { workspace_id: workspace.id, balance: 0, held: 0, entries: 0 })
  }

  /** By workspace. */
  async accounts(workspaces: readonly Owner[]): Promise<ReadonlyMap<string, Account>> {
    const ids = workspaces.map(({ id }) => id)
    const rows = await this.database.platformTable(CreditBalance).findBy({ workspace_id: In(ids) })
    return new Map(rows.map((row) => [row.workspace_id, accountOf(row)]))
  }
}

function accountOf({ balance, held }: CreditBalance): Account {
  return { balance, held, available: (microsOf(balance) - microsOf(held)) / 1e6 }
}
