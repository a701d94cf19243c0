/** The ids that a carrier gave the last messages which it took, for telling its receipts from texts of clients. */
import { isSameNumber } from './receipt-writer.js'

/** Ids that are remembered. */
const most = 20_000

export class SentIds {
  /** Whom each was for: digits. */
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

  has(ids: readonly string[], client: string): boolean {
    return ids.some((id) => isSameNumber(this.clients.get(id) ?? '', client))
  }

  /** Waits for the submissions to a client that are under way: a receipt may overtake the answer. */
  async answered(client: string): Promise<void> {
    const those = [...this.underWay].filter(([, to]) => isSameNumber(to, client)).map(async ([id]) => id)
    await Promise.allSettled(those)
  }

  private add(id: string, client: string): void {
    this.clients.delete(id)
    this.clients.set(id, client)
    const [oldest] = this.clients.keys()
    if (this.clients.size > most && oldest !== undefined) this.clients.delete(oldest)
  }
}
