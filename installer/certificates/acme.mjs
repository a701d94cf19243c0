/**
 * Certificates by ACME (RFC 8555), with certbot: the client that Debian maintains, with its plugins and hooks for DNS. It
 * stores the account, and renews only in the last third of a certificate's lifetime, and when its names change.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '../failure.mjs'
import { run } from '../processes.mjs'

/** Timeout: certbot's hook may wait for DNS propagation. */
const DEADLINE_MS = 900_000

/** Certbot's name of the certificate, whatever domains it has. */
const LINEAGE = 'jackfield'

/** @typedef {import('../settings.mjs').Settings} Settings */

/**
 * The folder for HTTP challenges; the server serves it.
 * @param {string} home
 */
export function challengeDirectory(home) {
  return join(home, 'acme/challenges')
}

/**
 * @param {string} home
 * @returns {import('./in-force.mjs').Pair} paths of the certificate once it was fetched
 */
export function fetchedPair(home) {
  const live = join(home, 'acme/live', LINEAGE)
  return { certificate: join(live, 'fullchain.pem'), key: join(live, 'privkey.pem') }
}

/**
 * Domains of the certificate. Each workspace has its own: only a wildcard covers them, which requires a DNS challenge.
 * @param {Settings} settings
 * @returns {string[]}
 */
export function certificateNames(settings) {
  const { base_domain: base, 'edge.sip_domain': sip, 'tls.names': given } = settings
  if (given !== '') return given.split(',').map((name) => name.trim())
  const names =
    settings['tls.dns_hook'] === '' ? [`admin.${base}`, sip] : [base, `*.${base}`, sip, `*.${sip}`]
  return [...new Set(names)]
}

/**
 * Fetches the certificate if it is missing, or renews it if it is due.
 * @param {Settings} settings
 * @throws {Failure} with the authority's message
 */
export async function fetchCertificate(settings) {
  const { home, 'tls.acme_email': email, 'tls.acme_ca_file': ca, 'tls.dns_hook': hook } = settings
  mkdirSync(challengeDirectory(home), { recursive: true, mode: 0o750 })
  const log = join(home, 'log/certificates.log')
  const { code, output } = await run(
    'certbot',
    [
      ...[
        'certonly',
        '--non-interactive',
        '--agree-tos',
        '--keep-until-expiring',
        '--renew-with-new-domains',
      ],
      ...['--config-dir', join(home, 'acme'), '--work-dir', join(home, 'acme/work')],
      ...['--logs-dir', join(home, 'acme/log'), '--max-log-backups', '10'],
      ...['--server', settings['tls.acme_server'], '--cert-name', LINEAGE],
      ...(email === '' ? ['--register-unsafely-without-email'] : ['--email', email, '--no-eff-email']),
      ...(hook === '' ? ['--webroot', '--webroot-path', challengeDirectory(home)] : byDns(hook)),
      ...certificateNames(settings).flatMap((name) => ['-d', name]),
    ],
    {
      log,
      deadlineMs: DEADLINE_MS,
      what: 'fetching a certificate',
      env: { ...process.env, ...(ca === '' ? {} : { REQUESTS_CA_BUNDLE: ca }) },
    },
  )
  if (code !== 0) throw new Failure(`no certificate was issued: ${reasonIn(output)} (see ${log})`)
}

/** @param {string} hook */
function byDns(hook) {
  return [
    ...['--manual', '--preferred-challenges', 'dns'],
    ...['--manual-auth-hook', `${hook} add`, '--manual-cleanup-hook', `${hook} remove`],
  ]
}

/** @param {string} output of certbot */
function reasonIn(output) {
  const detail = /^\s*(?:Detail|Error output from .*|The error was): ?(.*)$/m.exec(output)?.[1]
  const lines = output
    .split('\n')
    .filter((line) => line.trim() !== '' && !/^(Saving|Ask for help)/.test(line))
  return (detail ?? lines.at(-1) ?? 'certbot says nothing').trim().slice(0, 300)
}
