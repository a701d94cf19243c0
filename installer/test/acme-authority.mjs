/** A certificate authority of the tests: Pebble, the ACME server of Let's Encrypt's makers, and its own DNS. */
import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '../waiting.mjs'
import { freePorts } from './support.mjs'

export class AcmeAuthority {
  /**
   * Checks what it is told: signatures, nonces, and challenges where its DNS says that a name leads, 127.0.0.1 for all.
   * @param {number} httpPort where it looks for challenges over HTTP, in place of 80
   */
  static async start(httpPort) {
    const [acme = 0, management = 0, dns = 0, dnsManagement = 0] = await freePorts(4)
    const folder = mkdtempSync(join(tmpdir(), 'jackfield-acme-'))
    const certificate = join(folder, 'cert.pem')
    makePair(folder, 'IP:127.0.0.1', 1)
    const config = join(folder, 'pebble.json')
    const pebble = {
      listenAddress: `127.0.0.1:${acme}`,
      managementListenAddress: `127.0.0.1:${management}`,
      ...{ certificate, privateKey: join(folder, 'key.pem'), httpPort, tlsPort: 1 },
    }
    writeFileSync(config, JSON.stringify({ pebble }))
    const names = spawn(
      'pebble-challtestsrv',
      [
        ...['-dns01', `127.0.0.1:${dns}`, '-management', `127.0.0.1:${dnsManagement}`, '-defaultIPv6', ''],
        ...['-http01', '', '-https01', '', '-tlsalpn01', ''],
      ],
      { stdio: 'ignore' },
    )
    const authority = spawn('pebble', ['-config', config, '-strict', '-dnsserver', `127.0.0.1:${dns}`], {
      env: { PATH: process.env['PATH'], PEBBLE_VA_NOSLEEP: '1', PEBBLE_WFE_NONCEREJECT: '0' },
      stdio: 'ignore',
    })
    const started = new AcmeAuthority(folder, [names, authority], {
      ...{ directory: `https://127.0.0.1:${acme}/dir`, certificate },
      dnsManagement: `http://127.0.0.1:${dnsManagement}`,
    })
    await until(() => answers(started.places.directory), { deadlineMs: 20_000, what: 'Pebble' })
    return started
  }

  /**
   * @param {string} folder
   * @param {import('node:child_process').ChildProcess[]} children
   * @param {{directory: string, certificate: string, dnsManagement: string}} places `certificate` is its HTTPS server's own
   */
  constructor(folder, children, places) {
    this.folder = folder
    this.children = children
    this.places = places
  }

  stop() {
    for (const child of this.children) child.kill('SIGKILL')
    rmSync(this.folder, { recursive: true, force: true })
  }
}

/**
 * A self-signed pair, `cert.pem` and `key.pem`.
 * @param {string} folder
 * @param {string} name such as `DNS:example.test`
 * @param {number} days
 */
export function makePair(folder, name, days) {
  const files = ['-keyout', join(folder, 'key.pem'), '-out', join(folder, 'cert.pem')]
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  const what = ['-subj', '/CN=test', '-addext', `subjectAltName=${name}`, '-days', String(days)]
  execFileSync('openssl', ['req', '-x509', ...key, ...what, ...files], { stdio: 'ignore' })
  return { certificate: join(folder, 'cert.pem'), key: join(folder, 'key.pem') }
}

/** @param {string} url @returns {Promise<void>} */
function answers(url) {
  return new Promise((resolve, reject) => {
    const sent = request(url, { rejectUnauthorized: false, timeout: 2000 }, (answer) => {
      answer.resume()
      resolve()
    })
    sent.on('error', reject)
    sent.end()
  })
}
