import { expect } from 'chai'
import { describe, it } from 'mocha'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describeParts } from '../appliance.mjs'
import { ROOT, readSettings } from '../settings.mjs'

const environment = {
  JACKFIELD_HOME: '/nonexistent',
  JACKFIELD_SIP_HOST: '192.0.2.7',
  JACKFIELD_HTTP_HOST: '0.0.0.0',
  JACKFIELD_HTTP_PORT: '8081',
  JACKFIELD_HTTP_TLS_PORT: '8443',
}

/** @param {string[]} args @param {Record<string, string>} [settings] */
function firewall(args, settings = environment) {
  return spawnSync(process.execPath, [join(ROOT, 'installer/firewall.mjs'), ...args], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], ...settings },
  })
}

describe('jackfield firewall', () => {
  it('opens each port that strangers need, and none that lies between the parts', () => {
    const { stdout } = firewall(['--ssh-port', '2222'])
    const opened = [...stdout.matchAll(/(tcp|udp) dport (\S+) accept/g)].map(
      ([, protocol, port]) => `${protocol} ${port}`,
    )
    const settings = readSettings(environment)
    const secrets = /** @type {import('../secrets.mjs').Secrets} */ ({})
    const bound = describeParts(settings, secrets, { kind: 'sandbox', binary: '' }).flatMap(
      ({ ports }) => ports,
    )
    const ours = ['192.0.2.7', '0.0.0.0']
    const expected = bound
      .filter(({ host }) => ours.includes(host))
      .map(({ protocol, port }) => `${protocol} ${port}`)
    expect(opened).to.have.members([...expected, 'udp 16384-20479', 'tcp 2222'])
    const hidden = bound.filter(({ host }) => !ours.includes(host)).map(({ port }) => port)
    expect(hidden, 'database, Event Socket, RPC').to.include.members([13306, 8021, 5070])
  })

  it('writes what nftables reads, over and over', () => {
    const { stdout } = firewall([])
    // in a network of its own: this machine keeps its rules
    const load = 'nft -f "$RULES" && nft -f "$RULES" && nft list table inet jackfield'
    const script = `RULES=$(mktemp) && cat > "$RULES" && ${load}; code=$?; rm "$RULES"; exit $code`
    const ran = spawnSync('unshare', ['--net', 'sh', '-c', script], { input: stdout, encoding: 'utf8' })
    expect(ran.status, ran.stderr).to.equal(0)
    expect(ran.stdout).to.include('policy drop').and.include('udp dport 16384-20479 accept')
    expect(ran.stdout.match(/udp dport 5060/g)).to.have.length(1)
  })

  it('writes the same for ufw', () => {
    const { stdout } = firewall(['--form', 'ufw'])
    expect(stdout).to.include("ufw allow 16384:20479/udp comment 'audio and video'\n")
    expect(stdout).to.include("ufw allow 5061/tcp comment 'SIP over TLS'\n").and.include('ufw allow 22/tcp')
  })

  it('leaves out what listens on this machine alone', () => {
    const { stdout } = firewall([], { ...environment, JACKFIELD_HTTP_HOST: '127.0.0.1' })
    expect(stdout).not.to.include('8443')
    expect(firewall([], { JACKFIELD_HOME: '/nonexistent' }).stderr).to.match(
      /^jackfield: everything listens on this machine alone/,
    )
  })

  it('names a flag that is wrong', () => {
    expect(firewall(['--form', 'pf']).stderr).to.equal(
      'jackfield: --form must be nftables or ufw, not "pf"\n',
    )
    expect(firewall(['--ssh-port', 'x']).stderr).to.include('--ssh-port must be a whole number')
  })
})
