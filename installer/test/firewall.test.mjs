import { expect } from 'chai'
import { describe, it } from 'mocha'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
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

  it('lets no source have more connections to SIP than is said', () => {
    const { stdout } = firewall(['--connections', '20'])
    const ran = spawnSync('unshare', ['--net', 'sh', join(ROOT, 'installer/test/two-machines.sh')], {
      ...{ input: stdout, encoding: 'utf8', timeout: 60_000 },
      env: { PATH: process.env['PATH'], NODE: process.execPath },
    })
    expect(ran.status, ran.stderr).to.equal(0)
    expect(ran.stdout.trim().split('\n')).to.deep.equal([
      ...[
        '15 of 15 from 192.0.2.8 to 5060',
        '5 of 15 from 192.0.2.8 to 5061',
        '15 of 15 from 192.0.2.9 to 5061',
      ],
      ...[
        '15 of 15 from 2001:db8::8 to 5060',
        '5 of 15 from 2001:db8::9 to 5061',
        '15 of 15 from 2001:db8:0:1::8 to 5061',
      ],
      ...['30 of 30 from 192.0.2.8 to 8081', '15 of 15 from 192.0.2.8 to 5061, the others being gone'],
    ])
  })

  it('writes the same for ufw', () => {
    const { stdout } = firewall(['--form', 'ufw'])
    expect(stdout).to.include("ufw allow 16384:20479/udp comment 'audio and video'\n")
    expect(stdout).to.include("ufw allow 5061/tcp comment 'SIP over TLS'\n").and.include('ufw allow 22/tcp')
  })

  it('puts the limit of a source where ufw reads it, once', () => {
    const folder = mkdtempSync(join(tmpdir(), 'jackfield-ufw-'))
    try {
      const own = (/** @type {string} */ family) =>
        `*filter\n:ufw${family}-before-input - [0:0]\n# End required lines\n\n-A ufw${family}-before-input -i lo -j ACCEPT\nCOMMIT\n`
      for (const family of ['', '6']) writeFileSync(join(folder, `before${family}.rules`), own(family))
      for (const connections of ['20', '300']) {
        const { stdout } = firewall(['--form', 'ufw', '--connections', connections])
        const script = stdout.replaceAll('/etc/ufw/', `${folder}/`).replace(/^ufw .*$/gm, '')
        expect(spawnSync('sh', { input: script, encoding: 'utf8' })).to.include({ status: 0, stderr: '' })
      }
      for (const [family, program, mask] of /** @type {const} */ ([
        ['', 'iptables-restore', 32],
        ['6', 'ip6tables-restore', 64],
      ])) {
        const input = readFileSync(join(folder, `before${family}.rules`), 'utf8')
        expect(input.match(/connlimit-above \d+ --connlimit-mask \d+/g)).to.deep.equal([
          `connlimit-above 300 --connlimit-mask ${mask}`,
        ])
        const read = spawnSync('unshare', ['--net', program, '--test'], { input, encoding: 'utf8' })
        expect(read.status, read.stderr).to.equal(0)
      }
    } finally {
      rmSync(folder, { recursive: true })
    }
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
    expect(firewall(['--connections', '0']).stderr).to.include('--connections must be a whole number')
  })
})
