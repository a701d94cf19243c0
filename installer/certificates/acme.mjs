/**
 * Certificates by ACME (RFC 8555), with certbot: the client that Debian keeps, with its plugins and hooks for DNS. It
 * keeps the account, asks only when a certificate ends within a third of its time, and when its names change.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '../failure.mjs'
import { run } from '../processes.mjs'

/** DNS needs its time: certbot's hook may wait for it. */
const DEADLINE_MS = 900_000

/** Certbot's name for the certificate, whatever names are in it. */
const LINEAGE = 'jackfield'

/** @typedef {import('../settings.mjs').Settings} Settings */

/**
 * The folder below which challenges over HTTP are written; the server answers from it.
 * @param {string} home
 */
export function challengeDirectory(home) {
  return join(home, 'acme/challenges')
}

/**
 * @param {string} home
 * @returns {import('./in-force.mjs').Pair} where the certificate is once it was fetched
 */
export function fetchedPair(home) {
  const live = join(home, 'acme/live', LINEAGE)
  return { certificate: join(live, 'fullchain.pem'), key: join(live, 'privkey.pem') }
}

/**
 * The names of the certificate. Each workspace has its own: only a wildcard has them all, and only DNS proves one.
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
 * Fetches the certificate where there is none, or renews it where it is time.
 * @param {Settings} settings
 * @throws {Failure} with what the authority says
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
