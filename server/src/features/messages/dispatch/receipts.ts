/** Receipts of all carriers, whatever server they come to, and what is done where none comes. */
import type { Logger } from 'pino'
import type { Receipt } from '../../../adapters/sms/link.js'
import { deleteInBatches } from '../../../infrastructure/database/batches.js'
import type { Database } from '../../../infrastructure/database/database.js'
import { entityOf } from '../../../infrastructure/database/rows.js'
import { grouped } from '../../../lib/grouped.js'
import type { MessageChanges } from '../message-changes.js'
import { BatchWriter } from './batch-writer.js'
import { UnmatchedReceipt } from './dispatch.entity.js'
import { type ReceiptWriter, namesSegment } from './receipt-writer.js'

/** How long a receipt without a known message is stored. */
const retainedMs = 600_000

/**
 * Another server may write a receipt at the same time as this one writes its submission, so that the two miss each
 * other: receipts of the last seconds are matched again.
 */
const missedMs = 60_000

const batch = 500

interface Options {
  database: Database
  changes: MessageChanges
  writer: ReceiptWriter
  /** Seconds after which a message without a receipt counts as undelivered. */
  deliveryWindow: number
  log: Logger
}

interface Received {
  readonly carrierId: string
  readonly receipt: Receipt
}

export class Receipts {
  private readonly writer: BatchWriter<Received>

  constructor(private readonly options: Options) {
    this.writer = new BatchWriter(async (received) => this.write(received), {
      ...{ name: 'receipts', most: batch, log: options.log, tries: 'once' },
    })
  }

  /**
   * Takes a receipt that a carrier has brought otherwise than over its link.
   * @throws when it cannot be kept: the carrier must bring it again
   */
  async take(carrierId: string, receipt: Receipt): Promise<void> {
    if (receipt.state === 'pending') return
    await this.writer.add({ carrierId, receipt })
  }

  /** Whether a receipt names a message that went out over a carrier to the number that it comes from. */
  async names(carrierId: string, receipt: Receipt): Promise<boolean> {
    return namesSegment(this.options.database.source.manager, carrierId, receipt)
  }

  /** Matches what missed its message, and forgets what has none. */
  async sweep(): Promise<void> {
    const { database } = this.options
    await this.matchMissed()
    await deleteInBatches(database, 'unmatched_receipts', 'created_at < ?', [
      new Date(Date.now() - retainedMs),
    ])
    await this.endLate()
  }

  private async write(received: readonly Received[]): Promise<void> {
    const { database, writer } = this.options
    await database.transaction(async (tx) => {
      for (const [carrierId, those] of grouped(received, (one) => one.carrierId)) {
        await writer.apply(
          tx,
          carrierId,
          those.map(({ receipt }) => receipt),
        )
      }
    })
  }

  private async matchMissed(): Promise<void> {
    const { database, writer } = this.options
    await database.transaction(async (tx) => {
      const rows = await tx.query<Record<string, unknown>[]>(
        `(SELECT receipt.* FROM unmatched_receipts receipt
          JOIN message_segments segment ON segment.carrier_id = receipt.carrier_id
            AND segment.carrier_message_id = receipt.carrier_message_id
          WHERE receipt.created_at > ? LIMIT ${batch})
         UNION
         (SELECT receipt.* FROM unmatched_receipts receipt
          JOIN message_segments segment ON segment.message_id = receipt.carrier_message_id
            AND segment.carrier_id = receipt.carrier_id
          WHERE receipt.created_at > ? LIMIT ${batch})`,
        [new Date(Date.now() - missedMs), new Date(Date.now() - missedMs)],
      )
      const missed = rows.map((row) => entityOf(tx, UnmatchedReceipt, row))
      if (missed.length === 0) return
      for (const [carrierId, those] of grouped(missed, ({ carrier_id }) => carrier_id)) {
        const receipts = those.map(({ receipt }) => receipt)
        // A receipt of another message stays as it is, and is not stored again.
        await writer.apply(tx, carrierId, receipts, { keepsUnmatched: false })
      }
    })
  }

  /** Sent messages of which nothing is heard in the delivery window. */
  private async endLate(): Promise<void> {
    const { database, changes, deliveryWindow } = this.options
    for (;;) {
      const count = await database.transaction(async (tx) => {
        // Also segments of messages that were deleted, or have ended otherwise.
        const rows = await tx.query<{ message_id: string }[]>(
          `SELECT segment.message_id FROM message_segments segment
           LEFT JOIN messages message ON message.id = segment.message_id
           WHERE segment.accepted_at < ? AND (message.id IS NULL OR message.status <> 'sending')
           ORDER BY segment.accepted_at LIMIT ${batch}`,
          [new Date(Date.now() - deliveryWindow * 1000)],
        )
        const ids = [...new Set(rows.map(({ message_id }) => message_id))]
        if (ids.length === 0) return 0
        await tx.query('DELETE FROM message_segments WHERE message_id IN (?)', [ids])
        const late = { error_code: 'no_receipt', error_message: 'The carrier sent no receipt in time' }
        await changes.apply(
          tx,
          ids.map((id) => ({ id, to: 'undelivered', ...late })),
        )
        return rows.length
      })
      if (count < batch) return
    }
  }
}
