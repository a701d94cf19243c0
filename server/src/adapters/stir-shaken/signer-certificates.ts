/** The certificates of signers, fetched from the URLs in their signatures, and cached for a while. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { KeyObject, X509Certificate } from 'node:crypto'
import type { GuardedClient } from '../../infrastructure/http-client/guarded-client.js'
import { certificatesOf, isTrusted } from './chain.js'
import { maySignFor } from './tn-auth-list.js'

/** Whose signature can be believed. */
export interface Signer {
  readonly key: KeyObject
  /** @param number of a caller, digits of E.164 */
  maySignFor(number: string): boolean
}

interface Options {
  readonly client: Pick<GuardedClient, 'request'>
  /** Authorities that the operator trusts to certify carriers. */
  readonly authorities: () => readonly X509Certificate[]
}

/** A caller hears nothing meanwhile. */
const fetchMs = 2_000
const maxCertificateBytes = 32_768

/** How long a certificate is cached, in milliseconds; less if it is not trusted or cannot be fetched. And how many are. */
const retainedMs = 3_600_000
const untrustedMs = 60_000
const failedMs = 10_000
const maxKept = 1_000

interface Kept {
  signer: Promise<Signer | null>
  /** Milliseconds since 1970. */
  until: number
  /** When a certificate that is trusted ends; 0 of another. */
  validUntil: number
}

export class SignerCertificates {
  private readonly kept = new Map<string, Kept>()

  constructor(private readonly options: Options) {}

  /** @returns null for a certificate that is not trusted, undefined for one that cannot be fetched */
  async at(url: string, now: number): Promise<Signer | null | undefined> {
    const known = this.kept.get(url)
    const { signer } = known && now < known.until ? known : this.ask(url, now, known)
    // A deadline of its own: a request that waits for a free connection ignores the other one.
    const late = new AbortController()
    const timer = sleep(fetchMs, undefined, { signal: late.signal }).catch(() => undefined)
    try {
      return await Promise.race([signer.catch(() => undefined), timer])
    } finally {
      late.abort()
    }
  }

  /** Other authorities are trusted now. */
  forget(): void {
    this.kept.clear()
  }

  /** @param before which holds while another one cannot be had, and it has not run out */
  private ask(url: string, now: number, before: Kept | undefined): Kept {
    const kept: Kept = { until: now + retainedMs, validUntil: 0, signer: Promise.resolve(null) }
    kept.signer = this.fetch(url, now, kept).catch(async (error: unknown) => {
      kept.until = now + failedMs
      if (!before || now >= before.validUntil) throw error
      kept.validUntil = before.validUntil
      return before.signer
    })
    // Those that wait get the rejection; there may be none.
    kept.signer.catch(() => undefined)
    this.kept.delete(url)
    this.kept.set(url, kept)
    for (const oldest of this.kept.keys()) {
      if (this.kept.size <= maxKept) break
      this.kept.delete(oldest)
    }
    return kept
  }

  private async fetch(url: string, now: number, kept: Kept): Promise<Signer | null> {
    const { status, body } = await this.options.client.request({
      // Callers of no workspace name it: what is slow at one host delays its own callers alone.
      ...{ method: 'GET', url, timeoutMs: fetchMs, owner: new URL(url).host, live: true },
      ...{ maxResponseBytes: maxCertificateBytes, tooLong: 'fail' },
    })
    if (status !== 200) throw new Error(`${url} answers ${status}`)
    const certificates = certificatesOf(body.toString('latin1'))
    const [leaf] = certificates
    if (!leaf) throw new Error(`there is no certificate at ${url}`)
    const trusted = isTrusted(certificates, this.options.authorities(), now)
    kept.validUntil = trusted ? Date.parse(leaf.validTo) : 0
    kept.until = trusted ? Math.min(now + retainedMs, kept.validUntil) : now + untrustedMs
    return trusted ? { key: leaf.publicKey, maySignFor: (number) => maySignFor(leaf.raw, number) } : null
  }
}
