/** Keeps the certificate up to date while the appliance runs. */
import { existsSync } from 'node:fs'
import { messageOf } from '../failure.mjs'
import { fetchCertificate, fetchedPair } from './acme.mjs'
import { inForce, putInForce } from './in-force.mjs'

/** Certbot recommends twice a day: the certificate may have been revoked. */
const LOOK_EVERY_MS = 12 * 3_600_000
/** Authorities limit failed attempts: Let's Encrypt allows five an hour. */
const AGAIN_AFTER_MS = 3_600_000

export class CertificateKeeper {
  #busy = false
  #fetchAt = 0
  #mustReload = false

  /**
   * @param {import('../settings.mjs').Settings} settings
   * @param {() => Promise<unknown>} reload makes Kamailio load the new one; the server watches the files
   */
  constructor(settings, reload) {
    this.settings = settings
    this.reload = reload
  }

  /**
   * Before Kamailio starts: installs the available certificate.
   * @throws {import('../failure.mjs').Failure} if the certificate of the settings is invalid, and there is no previous one to
   *   continue with
   */
  prepare() {
    const source = this.#source()
    const target = inForce(this.settings.home)
    try {
      if (source) putInForce(source, target)
    } catch (error) {
      if (!existsSync(target.certificate) || !existsSync(target.key)) throw error
      process.stderr.write(`${messageOf(error)}: the certificate of before stays\n`)
    }
  }

  /**
   * Called every minute: renews when it is due, and installs new files.
   * @throws {import('../failure.mjs').Failure} if a new certificate is invalid; the old one stays
   */
  async look() {
    if (this.#busy) return
    this.#busy = true
    try {
      await this.#fetch()
      const source = this.#source()
      if (source && putInForce(source, inForce(this.settings.home))) this.#mustReload = true
      if (!this.#mustReload) return
      await this.reload()
      this.#mustReload = false
    } finally {
      this.#busy = false
    }
  }

  async #fetch() {
    if (!this.settings['tls.acme'] || Date.now() < this.#fetchAt) return
    this.#fetchAt = Date.now() + AGAIN_AFTER_MS
    await fetchCertificate(this.settings)
    this.#fetchAt = Date.now() + LOOK_EVERY_MS
  }

  /** @returns {import('./in-force.mjs').Pair | null} null while there is only the self-signed one */
  #source() {
    const { home, 'tls.certificate_file': certificate, 'tls.key_file': key } = this.settings
    if (certificate !== '') return { certificate, key }
    const fetched = fetchedPair(home)
    return this.settings['tls.acme'] && existsSync(fetched.certificate) ? fetched : null
  }
}
