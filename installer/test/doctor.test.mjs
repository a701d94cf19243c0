import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { spawn, spawnSync } from 'node:child_process'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { checkClock } from '../doctor/clock.mjs'
import { checkDns } from '../doctor/dns.mjs'
import { checkNat } from '../doctor/nat.mjs'
import { ROOT, readSettings } from '../settings.mjs'
import { until } from '../waiting.mjs'
import { makePair } from './acme-authority.mjs'
import { TestAppliance, freePorts } from './support.mjs'

/** @param {Record<string, string>} more */
const settingsOf = (more) => readSettings({ JACKFIELD_HOME: '/nonexistent', ...more })

describe('jackfield doctor', function () {
  this.timeout(120_000)

  it('compares the clock with another', async () => {
    let skew = 0
    const server = createServer((_, response) => {
      response.writeHead(200, { date: new Date(Date.now() + skew).toUTCString() }).end()
    })
    await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(null)))
    const address = /** @type {import('node:net').AddressInfo} */ (server.address())
    const url = `http://127.0.0.1:${address.port}/`
    expect((await checkClock(url))[0]).to.include({ state: 'well' })
    skew = 60_000
    const [behind] = await checkClock(url)
    expect(behind?.state).to.equal('ill')
    expect(behind?.message).to.match(/^(59|60) s behind http/)
    skew = -60_000
    expect((await checkClock(url))[0]?.message).to.match(/^(60|61) s ahead of http/)
    server.close()
    server.closeAllConnections()
    expect((await checkClock(url))[0]).to.include({ state: 'unknown' })
  })

  it('asks the name servers for every name, and for those of workspaces to come', async () => {
    const [dns = 0, management = 0] = await freePorts(2)
    const server = spawn(
      'pebble-challtestsrv',
      [
        ...['-dns01', `127.0.0.1:${dns}`, '-management', `127.0.0.1:${management}`],
        ...['-defaultIPv4', '192.0.2.9', '-defaultIPv6', '', '-http01', '', '-https01', '', '-tlsalpn01', ''],
      ],
      { stdio: 'ignore' },
    )
    const settings = settingsOf({
      JACKFIELD_BASE_DOMAIN: 'example.test',
      JACKFIELD_EDGE_SIP_DOMAIN: 'sip.example.test',
      JACKFIELD_SIP_HOST: '192.0.2.9',
    })
    try {
      const control = (/** @type {string} */ path, /** @type {object} */ body) =>
        fetch(`http://127.0.0.1:${management}/${path}`, { method: 'POST', body: JSON.stringify(body) })
      await until(() => control('add-a', { host: 'sip.example.test', addresses: ['192.0.2.1'] }), {
        deadlineMs: 10_000,
        what: 'the name server',
      })
      const found = await checkDns(settings, `127.0.0.1:${dns}`)
      expect(found.map(({ state }) => state)).to.deep.equal(['well', 'well', 'ill', 'well'])
      expect(found[1]?.message).to.match(/^doctor-[0-9a-f]{8}\.example\.test leads to 192\.0\.2\.9$/)
      expect(found[2]?.message).to.equal('sip.example.test leads to 192.0.2.1, not to 192.0.2.9')
      await control('set-default-ipv4', { ip: '' })
      const none = await checkDns(settings, `127.0.0.1:${dns}`)
      expect(none[0]).to.include({ state: 'ill', message: 'admin.example.test leads nowhere' })
    } finally {
      server.kill('SIGKILL')
    }
    const [local] = await checkDns(settingsOf({}))
    expect(local).to.include({ state: 'unknown', message: 'admin.localhost leads nowhere on other machines' })
  })

  it('tells addresses that nobody reaches from those that are well', () => {
    const own = ['10.1.2.3', '203.0.113.5']
    const of = (/** @type {Record<string, string>} */ more) => checkNat(settingsOf(more), own)
    const states = (/** @type {Record<string, string>} */ more) => of(more).map(({ state }) => state)
    expect(states({ JACKFIELD_SIP_HOST: '203.0.113.5' })).to.deep.equal(['well', 'well'])
    expect(states({ JACKFIELD_SIP_HOST: '10.1.2.3' })).to.deep.equal(['ill', 'ill'])
    const routed = of({ JACKFIELD_SIP_HOST: '198.51.100.7', JACKFIELD_SIP_LISTEN_HOST: '10.1.2.3' })
    expect(routed[0]?.message).to.equal('SIP is at 198.51.100.7, which a router forwards to 10.1.2.3')
    expect(routed[1]?.state).to.equal('well')
    const [unbound] = of({ JACKFIELD_SIP_HOST: '198.51.100.7' })
    expect(unbound?.message).to.equal('SIP listens on 198.51.100.7, which is not this machine’s')
    expect(unbound?.advice).to.include('JACKFIELD_SIP_LISTEN_HOST to one of 10.1.2.3')
    expect(states({ JACKFIELD_SIP_HOST: '203.0.113.5', JACKFIELD_RTP_HOST: '100.64.0.9' })[1]).to.equal('ill')
    expect(states({})).to.deep.equal(['unknown', 'unknown'])
  })

  describe('of an appliance', () => {
    /** @type {TestAppliance} */
    let appliance
    before(async () => (appliance = await TestAppliance.make()))
    after(() => appliance.remove())

    /** @param {Record<string, string>} [more] */
    const doctor = (more) => {
      const args = ['--clock-url', 'http://127.0.0.1:1/', '--dns-server', '127.0.0.1:1']
      const env = { ...appliance.env, ...more }
      return spawnSync(process.execPath, [join(ROOT, 'installer/doctor.mjs'), ...args], {
        encoding: 'utf8',
        env,
      })
    }

    it('says that it does not run', () => {
      const { status, stdout, stderr } = doctor()
      expect(status, stdout + stderr).to.equal(1)
      expect(stdout).to.include('✗ ports         Jackfield is not running\n    → systemctl start jackfield')
      expect(stdout).to.include('? platform      the server is not running')
    })

    it('looks at its ports, certificate and checklist', async () => {
      const up = await appliance.run('up')
      expect(up.code, up.out + up.err).to.equal(0)
      const { status, stdout } = doctor()
      expect(status, stdout).to.equal(1)
      expect(stdout).to.match(/✓ ports +\d+ ports, each held by its part/)
      expect(stdout).to.match(/✗ certificates +the certificate signs itself/)
      expect(stdout).to.match(/✓ Node +the server runs on Node \d+\.\d+\.\d+, /)
      expect(stdout).to.match(/✓ certificates +SIP over TLS shows it/)
      expect(stdout, stdout).to.match(/✓ platform +\d+\.\d GB are free/)
    })

    it('names a stranger on a port, and a certificate that is not shown', async () => {
      const stranger = createServer()
      await new Promise((resolve) => stranger.listen(0, '127.0.0.1', () => resolve(null)))
      const { port } = /** @type {import('node:net').AddressInfo} */ (stranger.address())
      makePair(join(appliance.home, 'kamailio/tls'), 'DNS:admin.localhost', 5)
      const tls = join(appliance.home, 'kamailio/tls')
      spawnSync('mv', [join(tls, 'cert.pem'), join(tls, 'server.crt')])
      const { stdout } = doctor({ JACKFIELD_SWITCH_APP_PORT: String(port) })
      stranger.close()
      expect(stdout)
        .to.include(`TCP port ${port} (apps’ legs of calls) is held by`)
        .and.include(`(pid ${process.pid})`)
      expect(stdout).to.match(/✗ certificates +SIP over TLS shows another certificate than the one in force/)
    })
  })
})
