/** The ids of the last messages that a carrier took, to distinguish its receipts from clients' texts. */
import type { Receipt } from '../../../adapters/sms/link.js'
import { isFor } from './receipt-writer.js'

/** Ids that are remembered. */
const most = 20_000

export class SentIds {
  /** The recipient of each, digits. */
  private readonly clients = new Map<string, string>()
  private readonly underWay = new Map<Promise<string | null>, string>()

  /** @param id of a submission that is under way; it is known once it resolves */
  watch(id: Promise<string | null>, client: string): void {
    this.underWay.set(id, client)
    void id
      .then(
        (known) => known !== null && this.add(known, client),
        () => undefined,
      )
      .finally(() => this.underWay.delete(id))
  }

  /** Whether a receipt names a message that went to the receipt's sender. */
  has(receipt: Receipt): boolean {
    return receipt.carrier_message_ids.some((id) => {
      const client = this.clients.get(id)
      return client !== undefined && isFor(receipt, client)
    })
  }

  /** Waits for the submissions under way that a receipt may be of: it may overtake the answer. */
  async answered(receipt: Receipt): Promise<void> {
    const those = [...this.underWay].filter(([, to]) => isFor(receipt, to)).map(async ([id]) => id)
    await Promise.allSettled(those)
  }

  private add(id: string, client: string): void {
    this.clients.delete(id)
    this.clients.set(id, client)
    const [oldest] = this.clients.keys()
    if (this.clients.size > most && oldest !== undefined) this.clients.delete(oldest)
  }
}
