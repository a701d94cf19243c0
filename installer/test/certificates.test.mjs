import { expect } from 'chai'
import { spawnSync } from 'node:child_process'
import { after, before, describe, it } from 'mocha'
import { X509Certificate } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { certificateNames, challengeDirectory } from '../certificates/acme.mjs'
import { inForce, putInForce } from '../certificates/in-force.mjs'
import { CertificateKeeper } from '../certificates/keeper.mjs'
import { Failure } from '../failure.mjs'
import { ROOT, readSettings } from '../settings.mjs'
import { AcmeAuthority, makePair } from './acme-authority.mjs'
import { freePorts } from './support.mjs'

describe('certificates', function () {
  this.timeout(90_000)
  /** @type {string} */
  let home
  before(() => (home = mkdtempSync(join(tmpdir(), 'jackfield-certificates-'))))
  after(() => rmSync(home, { recursive: true, force: true }))

  /** @param {string} name */
  const folder = (name) => {
    mkdirSync(join(home, name), { recursive: true })
    return join(home, name)
  }
  /** @param {string} path */
  const namesIn = (path) => new X509Certificate(readFileSync(path)).subjectAltName?.split(', ').sort()

  describe('from files', () => {
    it('are put in force when they are new, and readable by nobody else', () => {
      const source = makePair(folder('first'), 'DNS:a.test', 30)
      const target = inForce(home)
      expect(putInForce(source, target)).to.equal(true)
      expect(namesIn(target.certificate)).to.deep.equal(['DNS:a.test'])
      expect(statSync(target.key).mode & 0o777).to.equal(0o600)
      expect(putInForce(source, target), 'the same again').to.equal(false)
    })

    it('are refused when they are no pair, half written or over, and the old one stays', () => {
      const target = inForce(home)
      const old = readFileSync(target.certificate, 'utf8')
      const other = makePair(folder('other'), 'DNS:b.test', 30)
      const first = join(home, 'first/key.pem')
      expect(() => putInForce({ ...other, key: first }, target)).to.throw(
        Failure,
        /key\.pem is not the key of/,
      )
      expect(() => putInForce({ ...other, key: '/nowhere' }, target)).to.throw(
        Failure,
        /nowhere cannot be read/,
      )
      const half = join(home, 'half.pem')
      writeFileSync(half, readFileSync(other.certificate, 'utf8').slice(0, 100))
      expect(() => putInForce({ ...other, certificate: half }, target)).to.throw(
        Failure,
        /no certificate in PEM/,
      )
      const later = Date.now() + 31 * 86_400_000
      expect(() => putInForce(other, target, later)).to.throw(Failure, /has ended on/)
      expect(readFileSync(target.certificate, 'utf8')).to.equal(old)
    })

    it('are followed while the appliance runs, and Kamailio is told until it has heard', async () => {
      const { certificate, key } = makePair(folder('files'), 'DNS:c.test', 30)
      const settings = readSettings({
        JACKFIELD_HOME: home,
        JACKFIELD_TLS_CERTIFICATE_FILE: certificate,
        JACKFIELD_TLS_KEY_FILE: key,
      })
      let told = 0
      const keeper = new CertificateKeeper(settings, async () => {
        told += 1
        if (told === 2) throw new Error('Kamailio is busy')
      })
      keeper.prepare()
      await keeper.look()
      expect(told, 'it starts with this one').to.equal(0)
      makePair(folder('files'), 'DNS:d.test', 30)
      await keeper.look()
      expect(namesIn(inForce(home).certificate)).to.deep.equal(['DNS:d.test'])
      expect(told).to.equal(1)
      makePair(folder('files'), 'DNS:e.test', 30)
      expect(await keeper.look().catch((error) => error.message)).to.equal('Kamailio is busy')
      await keeper.look()
      await keeper.look()
      expect(told).to.equal(3)
    })
  })

  describe('by ACME', () => {
    /** @type {AcmeAuthority} */
    let authority
    /** @type {import('node:http').Server} */
    let web
    /** @type {Record<string, string>} */
    let environment
    before(async () => {
      const [port = 0] = await freePorts(1)
      authority = await AcmeAuthority.start(port)
      const { withChallenges } = await import('../../server/dist/src/infrastructure/http/plain-http.js')
      const rest = (/** @type {unknown} */ _, /** @type {import('node:http').ServerResponse} */ response) =>
        response.writeHead(500).end()
      web = createServer(withChallenges(challengeDirectory(folder('acme-home')), rest))
      await new Promise((resolve) => web.listen(port, '127.0.0.1', () => resolve(null)))
      mkdirSync(join(home, 'acme-home/log'))
      environment = {
        JACKFIELD_HOME: join(home, 'acme-home'),
        JACKFIELD_BASE_DOMAIN: 'example.test',
        JACKFIELD_EDGE_SIP_DOMAIN: 'sip.example.test',
        JACKFIELD_TLS_ACME: 'true',
        JACKFIELD_TLS_ACME_SERVER: authority.places.directory,
        JACKFIELD_TLS_ACME_CA_FILE: authority.places.certificate,
      }
    })
    after(() => {
      authority.stop()
      web.close()
    })

    /** @param {Record<string, string>} [more] */
    const keeperOf = (more) => {
      let told = 0
      const keeper = new CertificateKeeper(readSettings({ ...environment, ...more }), async () => (told += 1))
      return { keeper, told: () => told }
    }
    const target = () => inForce(join(home, 'acme-home')).certificate

    it('are fetched by names that are shown over HTTP, and fetched once', async () => {
      const { keeper, told } = keeperOf()
      await keeper.look()
      expect(told()).to.equal(1)
      expect(namesIn(target())).to.deep.equal(['DNS:admin.example.test', 'DNS:sip.example.test'])
      expect(new X509Certificate(readFileSync(target())).issuer).to.include('Pebble')
      expect(
        readFileSync(target(), 'utf8').match(/BEGIN CERTIFICATE/g),
        'with those between',
      ).to.have.length.above(1)
      const again = keeperOf()
      await again.keeper.look()
      expect(again.told(), 'it holds for long').to.equal(0)
    })

    it('have a wildcard when a program can publish records', async () => {
      const hook = join(home, 'hook')
      const { dnsManagement } = authority.places
      writeFileSync(
        hook,
        `#!/bin/sh
host="_acme-challenge.$CERTBOT_DOMAIN."
case $1 in
  add) path=set-txt; body="{\\"host\\":\\"$host\\",\\"value\\":\\"$CERTBOT_VALIDATION\\"}" ;;
  remove) path=clear-txt; body="{\\"host\\":\\"$host\\"}" ;;
esac
echo "$1 $host" >> '${hook}.log'
exec '${process.execPath}' -e "fetch('${dnsManagement}/$path', { method: 'POST', body: process.argv[1] })" "$body"
`,
        { mode: 0o755 },
      )
      const { keeper, told } = keeperOf({ JACKFIELD_TLS_DNS_HOOK: hook })
      await keeper.look()
      expect(told()).to.equal(1)
      expect(namesIn(target())).to.deep.equal([
        'DNS:*.example.test',
        'DNS:*.sip.example.test',
        'DNS:example.test',
        'DNS:sip.example.test',
      ])
      const asked = readFileSync(`${hook}.log`, 'utf8')
      expect(asked)
        .to.include('add _acme-challenge.example.test.')
        .and.include('remove _acme-challenge.sip.example.test.')
    })

    it('that certbot fetches on the host come to the containers by the hook of docs/install/containers.md, renewed ones too', async () => {
      const page = readFileSync(join(ROOT, 'docs/install/containers.md'), 'utf8')
      const [, written = ''] = /(install -d -m 750[^]*?)docker compose up -d\n/.exec(page) ?? []
      const files = join(home, 'host-files')
      const own = ['config', 'work', 'logs'].map(
        (name) => `--${name}-dir ${join(home, 'host-certbot', name)}`,
      )
      const [port = 0] = await freePorts(1)
      const host = await AcmeAuthority.start(port)
      try {
        const certbot = `certbot --non-interactive --agree-tos --register-unsafely-without-email --server ${host.places.directory} ${own.join(' ')} --http-01-port ${port}`
        const script = written.replaceAll('/etc/jackfield', files).replace(/^certbot/m, certbot)
        const env = { ...process.env, REQUESTS_CA_BUNDLE: host.places.certificate }
        const copied = ['fullchain.pem', 'privkey.pem'].map((name) => join(files, name))
        for (const commands of [script, `${certbot} renew --force-renewal --no-random-sleep-on-renew`]) {
          for (const path of copied) rmSync(path, { force: true })
          const { status, stdout } = spawnSync('sh', ['-ec', `{\n${commands}\n} 2>&1`], {
            env,
            encoding: 'utf8',
          })
          expect(status, stdout).to.equal(0)
          for (const path of copied) expect(statSync(path), stdout).to.include({ gid: 10001, mode: 0o100640 })
          expect(namesIn(copied[0] ?? '')).to.deep.equal(['DNS:admin.example.com', 'DNS:sip.example.com'])
        }
      } finally {
        host.stop()
      }
    })

    it('that are refused leave the old one, say why, and wait before they are asked for again', async () => {
      const old = readFileSync(target(), 'utf8')
      web.removeAllListeners('request')
      web.on('request', (_, response) => response.writeHead(404).end())
      const { keeper } = keeperOf({ JACKFIELD_TLS_NAMES: 'other.example.test' })
      const failure = await keeper.look().catch((error) => error)
      expect(failure).to.be.instanceOf(Failure)
      expect(failure.message).to.match(/no certificate was issued: .*404/)
      expect(readFileSync(target(), 'utf8')).to.equal(old)
      const log = join(home, 'acme-home/log/certificates.log')
      const { size } = statSync(log)
      await keeper.look()
      expect(statSync(log).size, 'nobody was asked').to.equal(size)
    })
  })

  it('need what belongs together', () => {
    const base = { JACKFIELD_HOME: home }
    expect(() => readSettings({ ...base, JACKFIELD_TLS_KEY_FILE: 'x' })).to.throw(
      Failure,
      /are needed together/,
    )
    expect(() =>
      readSettings({ ...base, JACKFIELD_TLS_ACME: 'true', JACKFIELD_TLS_NAMES: '*.a.test' }),
    ).to.throw(Failure, /needs JACKFIELD_TLS_DNS_HOOK/)
    expect(() => readSettings({ ...base, JACKFIELD_TLS_NAMES: 'a b' })).to.throw(
      Failure,
      /domain names with commas/,
    )
    const settings = readSettings({ ...base, JACKFIELD_TLS_NAMES: 'a.test, b.test' })
    expect(certificateNames(settings)).to.deep.equal(['a.test', 'b.test'])
  })
})
