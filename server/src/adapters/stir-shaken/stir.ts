/** Signing and verification of callers with the operator's files, each reloaded when it changes. */
import { type KeyObject, X509Certificate, createPrivateKey } from 'node:crypto'
import { unwatchFile, watchFile } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { Logger } from 'pino'
import { GuardedClient } from '../../infrastructure/http-client/guarded-client.js'
import type { CallerVerification } from './caller-verification.js'
import { certificatesOf } from './chain.js'
import { type Claims, isOnP256, signedIdentity } from './passport.js'
import { SignerCertificates } from './signer-certificates.js'
import { Verification } from './verification.js'

interface Settings {
  /** PEM files; empty where nothing is signed. */
  readonly certificate_file: string
  readonly key_file: string
  /** Where others fetch that certificate. */
  readonly certificate_url: string
  /** PEM file of authorities; empty where nothing is verified. */
  readonly ca_file: string
}

interface Options {
  readonly settings: Settings
  readonly httpClient: ConstructorParameters<typeof GuardedClient>[0]
  readonly log: Logger
  /** Milliseconds between two looks at the files. */
  readonly lookEveryMs?: number
}

export class Stir {
  private readonly client: GuardedClient
  private readonly certificates: SignerCertificates
  private readonly verification: Verification
  private key: KeyObject | undefined
  private end: Date | null = null
  private authorities: readonly X509Certificate[] = []
  private readonly watched: (readonly [string, () => void])[] = []

  constructor(private readonly options: Options) {
    // Its own connections: who calls over a trunk names the URLs.
    this.client = new GuardedClient(options.httpClient)
    this.certificates = new SignerCertificates({
      client: this.client,
      authorities: () => this.authorities,
    })
    this.verification = new Verification(this.certificates)
  }

  /** Whether there is a certificate to sign with. */
  get signs(): boolean {
    return this.options.settings.certificate_file !== ''
  }

  /** When the certificate that calls are signed with ends; null without one. */
  get signsUntil(): Date | null {
    return this.end
  }

  get verifies(): boolean {
    return this.options.settings.ca_file !== ''
  }

  /** Reads the files. @throws when one cannot be read, or the key is not the certificate's */
  async open(): Promise<void> {
    const { certificate_file, key_file, ca_file } = this.options.settings
    if (this.signs) {
      await this.readKey()
      for (const file of [certificate_file, key_file])
        this.watch(file, async () => this.readKey(), 'certificate that calls are signed with')
    }
    if (this.verifies) {
      await this.readAuthorities()
      this.watch(ca_file, async () => this.readAuthorities(), 'authorities that callers are verified with')
    }
  }

  close(): void {
    for (const [file, renew] of this.watched) unwatchFile(file, renew)
    this.client.close()
  }

  /** The value of an Identity header, signed now; undefined where there is nothing to sign with, or it has ended. */
  sign(claims: Omit<Claims, 'iat'>, now = Date.now()): string | undefined {
    // A signature that proves nothing is worse than none: such calls are refused.
    if (!this.key || !this.end || this.end.getTime() <= now) return undefined
    const iat = Math.floor(now / 1000)
    return signedIdentity({ ...claims, iat }, this.key, this.options.settings.certificate_url)
  }

  /** Null where nothing is verified. See {@link Verification.of}. */
  async verify(...call: Parameters<Verification['of']>): Promise<CallerVerification | null> {
    return this.verifies ? this.verification.of(...call) : null
  }

  private watch(file: string, read: () => Promise<void>, what: string): void {
    const { log, lookEveryMs: interval = 5_000 } = this.options
    const renew = () => {
      read().then(
        () => log.info({ event: 'stir.file_reloaded', file }, `the ${what} was reloaded`),
        (error: unknown) =>
          log.error({ event: 'stir.file_refused', err: error, file }, `the new ${what} cannot be used`),
      )
    }
    // By its name and not by its inode: a renewed certificate is a new file that is moved into place.
    watchFile(file, { interval }, renew)
    this.watched.push([file, renew])
  }

  private async readKey(): Promise<void> {
    const { certificate_file, key_file } = this.options.settings
    const [certificate, key] = await Promise.all([
      readFile(certificate_file).then((pem) => new X509Certificate(pem)),
      readFile(key_file).then((pem) => createPrivateKey(pem)),
    ])
    if (!isOnP256(key)) throw new Error(`the key in ${key_file} is not on the curve P-256`)
    if (!certificate.checkPrivateKey(key))
      throw new Error(`the key in ${key_file} is not that of the certificate in ${certificate_file}`)
    this.key = key
    this.end = new Date(certificate.validTo)
  }

  private async readAuthorities(): Promise<void> {
    const { ca_file } = this.options.settings
    const authorities = certificatesOf(await readFile(ca_file, 'latin1'), maxAuthorities)
    if (authorities.length === 0) throw new Error(`there is no certificate in ${ca_file}`)
    this.authorities = authorities
    this.certificates.forget()
  }
}

/** All that sign for carriers anywhere are a few dozen. */
const maxAuthorities = 1_000
