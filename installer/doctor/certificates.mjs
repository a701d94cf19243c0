/** Checks the installed certificate: whether listeners present it, its names, its validity, and whether it is trusted. */
import { X509Certificate } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { connect } from 'node:tls'
import { certificateNames } from '../certificates/acme.mjs'
import { inForce } from '../certificates/in-force.mjs'
import { ill, unknown, well } from './finding.mjs'

/** @typedef {import('./finding.mjs').Finding} Finding */

const SOON_MS = 14 * 86_400_000
const PATIENCE_MS = 3000

/**
 * @param {import('../settings.mjs').Settings} settings
 * @returns {Promise<Finding[]>}
 */
export async function checkCertificates(settings) {
  const file = inForce(settings.home).certificate
  if (!existsSync(file)) return [unknown('there is no certificate yet: one is made at the first start')]
  const certificate = new X509Certificate(readFileSync(file))
  const listeners = [
    { what: 'SIP over TLS', host: settings['sip.listen_host'], port: settings['sip.tls_port'] },
    { what: 'WebSocket with TLS', host: settings['sip.listen_host'], port: settings['sip.wss_port'] },
    { what: 'HTTPS', host: loopbackOf(settings['http.host']), port: settings['http.tls_port'] },
  ].filter(({ port }) => port > 0)
  const shown = await Promise.all(listeners.map((listener) => checkListener(listener, certificate)))
  return [...checkContent(certificate, certificateNames(settings)), ...shown]
}

/** @param {X509Certificate} certificate @param {string[]} names @returns {Finding[]} */
function checkContent(certificate, names) {
  if (certificate.checkIssued(certificate))
    return [
      ill(
        'the certificate signs itself: phones and browsers refuse it',
        'set JACKFIELD_TLS_ACME or JACKFIELD_TLS_CERTIFICATE_FILE: docs/install/certificates.md',
      ),
    ]
  const until = certificate.validTo
  const left = Date.parse(until) - Date.now()
  const lacking = names.filter((name) => !certificate.checkHost(name.replace('*', 'any')))
  return [
    left > SOON_MS
      ? well(`it holds until ${until}`)
      : ill(
          `it ${left > 0 ? 'ends' : 'has ended'} on ${until}`,
          'see log/certificates.log for why it was not renewed',
        ),
    lacking.length === 0
      ? well(`it is for ${names.join(', ')}`)
      : ill(
          `it is not for ${lacking.join(', ')}`,
          'add them, or set JACKFIELD_TLS_NAMES to those that you use',
        ),
  ]
}

/** @param {{what: string, host: string, port: number}} listener @param {X509Certificate} certificate @returns {Promise<Finding>} */
async function checkListener({ what, host, port }, certificate) {
  const seen = await shownBy(host, port, certificate.subjectAltName?.match(/DNS:(?:\*\.)?([^,]+)/)?.[1])
  if (!seen) return ill(`${what} on port ${port} does not answer`, 'npm run status and the logs say why')
  if (seen.fingerprint !== certificate.fingerprint256)
    return ill(
      `${what} shows another certificate than the one in force`,
      'wait a minute, or see the supervisor’s log',
    )
  const untrusted = /SELF_SIGNED|ALTNAME/.test(seen.error) ? '' : seen.error
  return untrusted
    ? ill(
        `${what}: this machine does not trust it (${untrusted})`,
        'put the certificates between into its file',
      )
    : well(`${what} shows it`)
}

/**
 * @param {string} host
 * @param {number} port
 * @param {string | undefined} servername
 * @returns {Promise<{fingerprint: string, error: string} | null>} null if none was presented in time
 */
function shownBy(host, port, servername) {
  return new Promise((resolve) => {
    const socket = connect({ host, port, ...(servername ? { servername } : {}), rejectUnauthorized: false })
    const timer = setTimeout(() => socket.destroy(), PATIENCE_MS)
    socket.once('secureConnect', () => {
      const error = socket.authorizationError
      const code = error instanceof Error && 'code' in error ? String(error.code) : String(error ?? '')
      resolve({ fingerprint: socket.getPeerCertificate().fingerprint256, error: code })
      socket.destroy()
    })
    socket.on('error', () => socket.destroy())
    socket.once('close', () => {
      clearTimeout(timer)
      resolve(null)
    })
  })
}

/** @param {string} host */
function loopbackOf(host) {
  return host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
}
