/** Requests of an SMSC that has not seen their answer, and sends them again on the same bind. */
import { createHash } from 'node:crypto'
import type { Pdu } from './pdu.js'

/** For how long the same sequence_number with the same octets is the same request. */
const REPEATED_FOR_MS = 120_000
/** Requests that are remembered. */
const MOST = 2_000

interface Seen {
  readonly digest: string
  readonly at: number
  readonly status: Promise<number>
}

/**
 * Each sequence_number refers to the last request that had it. An SMSC that gives all requests the same number does not
 * count as repeating itself, unless two requests in a row are equal.
 */
export class RepeatedRequests {
  private readonly seen = new Map<number, Seen>()

  /** @returns the status of a request: that of its first time where it was taken, else what `take` says */
  async once(pdu: Pdu, ok: number, take: () => Promise<number>): Promise<number> {
    const digest = digestOf(pdu)
    const before = this.seen.get(pdu.sequence)
    const isSame = before?.digest === digest && performance.now() - before.at < REPEATED_FOR_MS
    if (isSame && (await before.status) === ok) return ok
    const status = take()
    this.seen.delete(pdu.sequence)
    this.seen.set(pdu.sequence, { digest, at: performance.now(), status })
    const [oldest] = this.seen.keys()
    if (this.seen.size > MOST && oldest !== undefined) this.seen.delete(oldest)
    return status
  }
}

function digestOf({ command, body }: Pdu): string {
  return createHash('sha256').update(`${command}\0`).update(body).digest('base64')
}
