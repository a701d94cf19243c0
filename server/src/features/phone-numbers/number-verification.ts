/**
 * A workspace proves that a number is its own: a call or a text brings a code to the number, and the workspace gives it back.
 * The code goes over the operator's line, never over a trunk of the customer, who would hear it there.
 */
import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import type { EntityManager } from 'typeorm'
import { recordChange } from '../../infrastructure/database/audit.js'
import { deleteInBatches } from '../../infrastructure/database/batches.js'
import type { Database } from '../../infrastructure/database/database.js'
import type { EventSink } from '../../infrastructure/database/events.js'
import { newId } from '../../infrastructure/database/ids.js'
import type { Owner } from '../../infrastructure/database/workspace-table.js'
import {
  type ApiError,
  RateLimitError,
  conflict,
  forbidden,
  invalidField,
} from '../../infrastructure/http/errors.js'
import { isOrdinaryNumber } from '../../lib/numbering/e164.js'
import type { SharedNumber } from './number-teams.js'
import {
  NumberCodeCount,
  NumberVerificationCode,
  type VerificationChannel,
} from './number-verification.entity.js'
import type { PhoneNumber } from './phone-number.entity.js'
import type { PhoneNumberService } from './phone-number.service.js'

const codeMs = 600_000
const maxAttempts = 5

/** No stranger is called often by whatever workspaces name their number. */
const limits = {
  number: { max: 3, periodMs: 86_400_000 },
  workspace: { max: 10, periodMs: 3_600_000 },
} as const

interface Parts {
  database: Database
  phoneNumbers: PhoneNumberService
  webhooks: EventSink
  /** @throws {ApiError} 403 when the operator has none for the channel */
  lineOf: (channel: VerificationChannel) => Promise<CodeLine>
}

/** Brings a code to a number, in E.164. */
export type CodeLine = (to: string, code: string) => Promise<void>

export class NumberVerification {
  constructor(private readonly parts: Parts) {}

  /**
   * Sends a code to a number; an earlier code is void.
   * @throws 403 a number that only the operator verifies, or without a line; 404, 409 verified already, 429
   */
  async start(workspace: Owner, id: string, channel: VerificationChannel): Promise<NumberVerificationCode> {
    const { database, phoneNumbers, lineOf } = this.parts
    const number = await phoneNumbers.get(workspace, id)
    if (number.is_verified) throw conflict(`The number ${number.number} is verified`)
    if (!isOrdinaryNumber(number.number))
      throw forbidden(
        'Toll-free, premium-rate, short and other special numbers are verified by the operator alone',
      )
    const send = await lineOf(channel)
    const code = String(randomInt(1_000_000)).padStart(6, '0')
    const now = new Date()
    const salt = randomBytes(16)
    const row: NumberVerificationCode = {
      ...{ phone_number_id: id, channel, salt, code_hash: hashOf(salt, code), attempts_left: maxAttempts },
      ...{ created_at: now, expires_at: new Date(now.getTime() + codeMs) },
    }
    await database.transaction(async (tx) => {
      // Always in this order, so that two that race do not wait for each other.
      await this.count(tx, 'workspace', workspace.id, now)
      await this.count(tx, 'number', number.number, now)
      await tx.upsert(NumberVerificationCode, row, ['phone_number_id'])
      await this.record(tx, number, 'phone_number.verification_sent', { channel: { to: channel } })
    })
    await send(`+${number.number}`, code)
    return row
  }

  /** @throws 400 a code that is wrong, expired or was never sent, 404 */
  async check(workspace: Owner, id: string, code: string): Promise<SharedNumber> {
    const { database, phoneNumbers, webhooks } = this.parts
    const number = await phoneNumbers.get(workspace, id)
    if (number.is_verified) return number
    const problem = await database.transaction(async (tx) => {
      const sent = await tx.findOne(NumberVerificationCode, {
        where: { phone_number_id: id },
        lock: { mode: 'pessimistic_write' },
      })
      if (!sent || sent.expires_at.getTime() <= Date.now() || sent.attempts_left === 0) return 'expired'
      if (!timingSafeEqual(hashOf(sent.salt, code), sent.code_hash)) {
        await tx.update(
          NumberVerificationCode,
          { phone_number_id: id },
          { attempts_left: sent.attempts_left - 1 },
        )
        await this.record(tx, number, 'phone_number.verification_failed', {})
        return 'wrong'
      }
      await tx.delete(NumberVerificationCode, { phone_number_id: id })
      await phoneNumbers.verify(tx, workspace, id, 'code')
      const data = { phone_number_id: id, number: number.number, verified_by: 'code' }
      const event = { id: newId('evt'), event: 'phone_number.verified', created_at: new Date(), data }
      await webhooks.record(tx, [{ ...event, workspace_id: workspace.id }])
      return null
    })
    if (problem === 'wrong') throw invalidField('code', 'code is not the one that was sent')
    if (problem === 'expired')
      throw invalidField('code', 'code must be one that was sent within ten minutes: ask for another one')
    return phoneNumbers.get(workspace, id)
  }

  /** Forgets codes and counts that have run out. */
  async sweep(): Promise<void> {
    const { database } = this.parts
    const now = Date.now()
    await deleteInBatches(database, 'number_verifications', 'expires_at < ?', [new Date(now)])
    await deleteInBatches(database, 'number_code_counts', 'period_began < ?', [
      new Date(now - 2 * limits.number.periodMs),
    ])
  }

  /** @throws 429 */
  private async count(tx: EntityManager, kind: keyof typeof limits, of: string, now: Date): Promise<void> {
    const { max, periodMs } = limits[kind]
    const began = new Date(now.getTime() - (now.getTime() % periodMs))
    const scope = `${kind}:${of}`
    await tx.query(
      `INSERT INTO number_code_counts (scope, period_began, codes) VALUES (?, ?, 1)
       ON DUPLICATE KEY UPDATE codes = codes + 1`,
      [scope, began],
    )
    const row = await tx.findOneBy(NumberCodeCount, { scope, period_began: began })
    if ((row?.codes ?? 0) <= max) return
    const seconds = Math.ceil((began.getTime() + periodMs - now.getTime()) / 1000)
    throw new RateLimitError(max, seconds, kind === 'number' ? 'codes for this number' : 'codes')
  }

  private async record(
    tx: EntityManager,
    { workspace_id, id, title }: PhoneNumber,
    action: string,
    changes: Record<string, { to: string }>,
  ): Promise<void> {
    await recordChange(tx, {
      workspace_id,
      action,
      target: { type: 'phone_number', id, name: title },
      changes,
    })
  }
}

function hashOf(salt: Buffer, code: string): Buffer {
  return createHash('sha256').update(salt).update(code).digest()
}

/** There is no line over which codes are sent. */
export function noLine(channel: VerificationChannel): ApiError {
  return forbidden(
    `The operator has no line to ${channel === 'call' ? 'call' : 'text'} numbers with codes, and verifies numbers on request`,
  )
}
