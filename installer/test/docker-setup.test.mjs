import { expect } from 'chai'
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { dockerSettings, redisEnvironment, settleAddresses } from '../docker/docker-settings.mjs'
import { Failure } from '../failure.mjs'
import { freeswitchOptions, kamailioOptions, mariadbOptions } from '../part-options.mjs'
import { OPTIONAL_MODULES, REQUIRED_MODULES, prepareFreeswitch } from '../parts/freeswitch.mjs'
import { prepareKamailio } from '../parts/kamailio.mjs'
import { writeMariadb } from '../parts/mariadb.mjs'
import { readSecrets } from '../secrets.mjs'
import { ROOT, readSettings } from '../settings.mjs'

describe('the setup of the containers', function () {
  this.timeout(60_000)
  /** @type {string} */
  let home
  beforeEach(() => (home = mkdtempSync(join(tmpdir(), 'jackfield-docker-'))))
  afterEach(() => rmSync(home, { recursive: true }))

  /** @param {Record<string, string>} [environment] */
  function setup(environment = {}) {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [join(ROOT, 'installer/docker/setup.mjs')],
      {
        env: { PATH: process.env['PATH'], JACKFIELD_HOME: home, ...environment },
        encoding: 'utf8',
      },
    )
    return { status, out: stdout, err: stderr }
  }

  /** @param {string[]} path below the home */
  const text = (...path) => readFileSync(join(home, ...path), 'utf8')

  it('writes what the installer writes on a machine without containers', async () => {
    const ended = setup({ JACKFIELD_SIP_WORKERS: '3' })
    expect(ended.status, ended.err).to.equal(0)
    const settings = readSettings({ JACKFIELD_HOME: home, JACKFIELD_SIP_WORKERS: '3' })
    const { secrets, made } = readSecrets(home)
    expect(made, 'all are there').to.equal(0)
    const roles = readdirSync(join(home, 'kamailio/roles')).map((name) => `kamailio/roles/${name}`)
    const files = ['kamailio/kamailio.cfg', 'kamailio/tls.cfg', ...roles, 'freeswitch/conf/freeswitch.xml']
    files.push('mariadb/my.cnf', 'mariadb/init.sql')
    const before = files.map((file) => text(file))
    expect(files.length).to.be.above(12)

    const { args } = await prepareKamailio(kamailioOptions(settings, secrets))
    await prepareFreeswitch({ ...freeswitchOptions(settings, secrets), binary: installation() })
    writeMariadb(mariadbOptions(settings, secrets))
    for (const [index, file] of files.entries()) expect(before[index], file).to.equal(text(file))
    expect(text('kamailio/start')).to.include(`exec kamailio ${args.slice(0, 3).join(' ')}`)
    const whatItIsStartedWith = args.filter((argument) => !['-DD', '-E'].includes(argument))
    const checked = spawnSync('kamailio', [...whatItIsStartedWith, '-c'], { encoding: 'utf8' })
    expect(checked.status, checked.stderr).to.equal(0)
  })

  it('keeps secrets and certificates, and says which part has to start again', () => {
    expect(setup().out).to.include('secrets: 7 made').and.include('kamailio: configuration made')
    const kept = ['secrets/operator-token', 'secrets/redis-password', 'kamailio/tls/server.crt']
    const first = kept.map((file) => text(file))
    const again = setup({
      ...{ JACKFIELD_SIP_PORT: '5070', JACKFIELD_EDGE_RPC_PORT: '5072' },
      FREESWITCH_SETTINGS: '203.0.113.10 16384',
    })
    expect(text('freeswitch/configured'), 'what its container waits for').to.equal('203.0.113.10 16384')
    expect(again.out).to.include('secrets: kept').and.include('mariadb: configuration kept')
    expect(again.out).to.match(/kamailio: configuration changed.*docker compose restart kamailio/)
    expect(kept.map((file) => text(file))).to.deep.equal(first)
  })

  it('shows no secret in a command, and lets nobody else read one', () => {
    setup()
    const { secrets } = readSecrets(home)
    for (const part of ['mariadb', 'kamailio', 'freeswitch', 'redis'])
      for (const script of ['start', 'health'])
        for (const secret of [...Object.values(secrets), text('secrets/redis-password').trim()])
          expect(text(part, script), `${part}/${script}`).not.to.include(secret)
    const readable = spawnSync('find', [home, '-type', 'f', '-perm', '/077', '-size', '+0'], {
      encoding: 'utf8',
    })
    const open = readable.stdout.split('\n').filter((path) => !/(server\.crt|appliance\.json)$|^$/.test(path))
    expect(open).to.deep.equal([])
  })

  it('says what is wrong and leaves it at that', () => {
    const wrong = setup({ JACKFIELD_FREESWITCH_BIN: '/bin/fs', JACKFIELD_SWITCH_KIND: 'sandbox' })
    expect(wrong.status).to.equal(1)
    expect(wrong.err).to.match(/^jackfield: JACKFIELD_SWITCH_KIND, JACKFIELD_FREESWITCH_BIN cannot be set/)
    const half = setup({ JACKFIELD_DATABASE_HOST: '10.0.0.10' })
    expect(half.err).to.match(/^jackfield: JACKFIELD_DATABASE_HOST is for a database of your own/)
    expect(setup({ JACKFIELD_DATABASE_OWN: 'false' }).err).to.match(
      /^jackfield: JACKFIELD_DATABASE_OWN=false needs the login/,
    )
    expect(setup({ REDIS_LISTEN: 'everywhere' }).err).to.match(
      /^jackfield: REDIS_LISTEN must be an IP address/,
    )
    expect(readdirSync(home).includes('appliance.json')).to.equal(false)
  })

  it('takes the secrets of the first cell where it has none, and leads all to the database that they share', () => {
    const given = join(home, 'given')
    mkdirSync(given)
    writeFileSync(join(given, 'operator-token'), 'op-of-the-first\n')
    writeFileSync(join(given, 'rpc-secret'), 'the-edges-of-all-cells\n')
    const password = join(home, 'password')
    writeFileSync(password, 'pass-word\n')
    const environment = {
      ...{ GIVEN_SECRETS: given, JACKFIELD_DATABASE_OWN: 'false', JACKFIELD_DATABASE_HOST: '10.0.0.10' },
      ...{ JACKFIELD_DATABASE_PORT: '3306', JACKFIELD_DATABASE_PASSWORD_FILE: password },
      JACKFIELD_EDGE_RPC_HOST: '10.0.0.11',
    }
    const first = setup(environment)
    expect(first.status, first.err).to.equal(0)
    expect(first.out).to.include(`secrets: operator-token, rpc-secret taken from ${given}`)
    expect(first.out).to.include('secrets: 5 made')
    expect(readSecrets(home).secrets).to.include({
      ...{ 'operator-token': 'op-of-the-first', 'rpc-secret': 'the-edges-of-all-cells' },
    })
    expect(text('kamailio/roles/listeners.cfg')).to.include('jackfield:pass-word@10.0.0.10:3306/jackfield')
    expect(text('kamailio/rpc.curl')).to.include('http://10.0.0.11:5070/RPC')
    // nothing runs there, and what waits for it goes on
    expect(text('mariadb/start')).to.include('exec sleep infinity')
    expect(spawnSync('sh', [join(home, 'mariadb/health')]).status).to.equal(0)

    writeFileSync(join(given, 'operator-token'), 'op-of-another')
    expect(setup(environment).out).to.include(
      `another operator-token lies in ${given}; ours stays, until: tools take-secrets`,
    )
    expect(text('secrets/operator-token')).to.equal('op-of-the-first\n')
    writeFileSync(join(given, 'secret-key'), '')
    expect(setup(environment).err).to.include('secret-key is empty')
  })

  it('listens on an address of this machine, also where EXTERNAL_IP is a router’s', async () => {
    const outside = '203.0.113.10'
    const settings = dockerSettings({ JACKFIELD_HOME: home, JACKFIELD_SIP_HOST: outside })
    const local = await settleAddresses(settings, () => [outside])
    expect(local).to.include({ 'sip.listen_host': outside, 'rtp.listen_host': outside })
    const routed = await settleAddresses(settings).catch((error) => error)
    const own = Object.values(networkInterfaces()).flatMap((each) =>
      (each ?? []).map(({ address }) => address),
    )
    // a machine without a way out has nothing to choose
    if (routed instanceof Failure) expect(routed.message).to.include('set JACKFIELD_SIP_LISTEN_HOST')
    else {
      expect(own).to.include(routed['sip.listen_host']).and.include(routed['rtp.listen_host'])
      expect(routed['sip.host']).to.equal(outside)
    }
  })

  it('leads the server to the Redis of its profile, unless another is named', () => {
    setup()
    const settings = dockerSettings({ JACKFIELD_HOME: home })
    const password = text('secrets/redis-password').trim()
    expect(redisEnvironment(settings, { COMPOSE_PROFILES: 'cluster' })).to.deep.equal({
      JACKFIELD_REDIS_URL: `redis://:${password}@127.0.0.1:6379`,
    })
    expect(redisEnvironment(settings, {})).to.deep.equal({})
    const other = { COMPOSE_PROFILES: 'cluster', JACKFIELD_REDIS_URL: 'redis://10.0.0.5' }
    expect(redisEnvironment(settings, other)).to.deep.equal({})
  })

  it('starts the FreeSWITCH of any image, or names what it lacks', () => {
    setup()
    const binary = installation()
    const start = () =>
      spawnSync('sh', [join(home, 'freeswitch/start')], {
        env: { PATH: '/usr/bin:/bin', FREESWITCH_BIN: binary },
        encoding: 'utf8',
      })
    const { status, stdout, stderr } = start()
    expect(status, stderr).to.equal(0)
    expect(stdout).to.include(
      `-mod ${join(home, 'fs/mod')} -nf -nonat -conf ${join(home, 'freeswitch/conf')}`,
    )
    rmSync(join(home, 'fs/mod/mod_cdr_csv.so'))
    expect(start().stderr).to.include('lacks mod_cdr_csv')
  })

  /** @returns {string} path of a program that says how it was started, with all modules beside it */
  function installation() {
    const binary = join(home, 'fs/bin/freeswitch')
    mkdirSync(join(home, 'fs/bin'), { recursive: true })
    mkdirSync(join(home, 'fs/mod'), { recursive: true })
    for (const name of [...REQUIRED_MODULES, ...OPTIONAL_MODULES])
      writeFileSync(join(home, `fs/mod/${name}.so`), '')
    writeFileSync(binary, '#!/bin/sh\necho "$@"\n')
    chmodSync(binary, 0o755)
    return binary
  }
})
