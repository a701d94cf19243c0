/** What the operator books by hand: credit that a customer has paid for, and corrections of what was booked wrongly. */
import { recordChange } from '../../infrastructure/database/audit.js'
import { isOutOfRange } from '../../infrastructure/database/database.js'
import { type Idempotency, KeyReusedError, ownKey } from '../../infrastructure/database/idempotency.js'
import { conflict, invalidField } from '../../infrastructure/http/errors.js'
import { CreditEntry } from './credit-entry.entity.js'
import type { CreditService } from './credit.service.js'
import type { AddCredit } from './workspace.schema.js'

/** As the API answers, also to a repetition. */
interface Added {
  workspace_id: string
  /** USD. */
  balance: number
  entry: Omit<CreditEntry, 'created_at'> & { created_at: string }
}

export class CreditAdditions {
  constructor(
    private readonly credit: CreditService,
    private readonly idempotency: Idempotency,
  ) {}

  /**
   * Adds credit, or takes it back: a correction may take the balance below zero.
   * @param key of the request, which is done once however often it is sent
   * @throws 400 for an amount that will not do, 404 unknown workspace, 409 the key was used for another request
   */
  async add(workspaceId: string, input: AddCredit, key: string | undefined): Promise<Added> {
    const { amount, reason = 'top_up', note = '' } = input
    if (amount === 0 || (amount < 0 && reason === 'top_up'))
      throw invalidField('amount', 'amount must be more than 0, or less where the reason is correction')
    const workspace = { id: workspaceId }
    const own = key && ownKey('credit', 'operator', key)
    try {
      const { answer } = await this.idempotency.once(workspace, own, input, async () =>
        Promise.resolve(async (tx) => {
          const id = await this.credit.book(tx, workspace, { amount, reason, note })
          const { created_at, ...entry } = await tx.findOneByOrFail(CreditEntry, { id })
          await recordChange(tx, {
            workspace_id: workspaceId,
            action: 'credit.create',
            target: { type: 'credit', id, name: note || null },
            changes: { amount: { to: amount }, reason: { to: reason } },
          })
          return {
            ...{ workspace_id: workspaceId, balance: entry.balance },
            entry: { ...entry, created_at: created_at.toISOString() },
          }
        }),
      )
      return answer
    } catch (error) {
      if (error instanceof KeyReusedError) throw conflict('This Idempotency-Key was used for another request')
      if (isOutOfRange(error)) throw invalidField('amount', 'amount makes the balance too large')
      throw error
    }
  }
}
