/** Keeps the right certificate in force while the appliance runs. */
import { existsSync } from 'node:fs'
import { messageOf } from '../failure.mjs'
import { fetchCertificate, fetchedPair } from './acme.mjs'
import { inForce, putInForce } from './in-force.mjs'

/** Certbot's own advice: twice a day, for the certificate may have been revoked. */
const LOOK_EVERY_MS = 12 * 3_600_000
/** Authorities count refused attempts: Let's Encrypt takes five an hour. */
const AGAIN_AFTER_MS = 3_600_000

export class CertificateKeeper {
  #busy = false
  #fetchAt = 0
  #mustReload = false

  /**
   * @param {import('../settings.mjs').Settings} settings
   * @param {() => Promise<unknown>} reload makes Kamailio show the new one; the server sees the files change
   */
  constructor(settings, reload) {
    this.settings = settings
    this.reload = reload
  }

  /**
   * Before Kamailio starts: puts what there is in force.
   * @throws {import('../failure.mjs').Failure} when the certificate of the settings cannot be used, and there is none to
   *   go on with
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
   * Called every minute: fetches where it is time, and puts in force what is new.
   * @throws {import('../failure.mjs').Failure} when there is something new that cannot be used; the old one stays
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

  /** @returns {import('./in-force.mjs').Pair | null} null while there is only our own */
  #source() {
    const { home, 'tls.certificate_file': certificate, 'tls.key_file': key } = this.settings
    if (certificate !== '') return { certificate, key }
    const fetched = fetchedPair(home)
    return this.settings['tls.acme'] && existsSync(fetched.certificate) ? fetched : null
  }
}
