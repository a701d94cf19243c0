import { expect } from 'chai'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { after, before, describe, it } from 'mocha'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { APPLIANCE_PACKAGES } from '../packages.mjs'
import { freeswitchOptions, kamailioOptions, mariadbOptions } from '../part-options.mjs'
import { FORK_HANDLER_FLAGS } from '../parts/kamailio.mjs'
import { ROOT, SETTINGS, environmentName, readSettings } from '../settings.mjs'
import { STOP_GRACE_MS } from '../state.mjs'

/**
 * @typedef {object} Service as `docker-compose config` has it
 * @property {string} image
 * @property {string} [user]
 * @property {boolean} [read_only]
 * @property {string} [network_mode]
 * @property {string[]} [cap_drop]
 * @property {string[]} [security_opt]
 * @property {string} restart
 * @property {string | number} [mem_limit]
 * @property {number} [cpus]
 * @property {number} [pids_limit]
 * @property {{test: string[]}} [healthcheck]
 * @property {string} [stop_grace_period]
 * @property {{options: Record<string, string>}} logging
 * @property {Record<string, string | null>} [environment]
 * @property {string[]} [volumes]
 * @property {string[]} [entrypoint]
 * @property {string[]} [command]
 */

const ONCE = ['setup', 'migrate', 'tools']

describe('the compose file', function () {
  this.timeout(60_000)
  /** @type {string} */
  let folder
  /** @type {Record<string, Service>} */
  let services

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'jackfield-compose-'))
    copyFileSync(join(ROOT, 'docker-compose.yml'), join(folder, 'docker-compose.yml'))
    services = compose('EXTERNAL_IP=203.0.113.10\nFREESWITCH_IMAGE=fs\nCOMPOSE_PROFILES=cluster\n')
  })
  after(() => rmSync(folder, { recursive: true }))

  /**
   * @param {string} env text of .env
   * @returns {Record<string, Service>} what the compose tool makes of the file
   */
  function compose(env) {
    writeFileSync(join(folder, '.env'), env)
    const yaml = execFileSync('docker-compose', ['--profile', 'cluster', '--profile', 'tools', 'config'], {
      cwd: folder,
      encoding: 'utf8',
      stdio: 'pipe',
    })
    const script = 'import json, sys, yaml; json.dump(yaml.safe_load(sys.stdin), sys.stdout)'
    return JSON.parse(execFileSync('/usr/bin/python3', ['-c', script], { input: yaml, encoding: 'utf8' }))
      .services
  }

  it('starts every part, and nobody as root or with more than it needs', () => {
    expect(services).to.have.all.keys(
      ...[
        'setup',
        'mariadb',
        'migrate',
        'kamailio',
        'freeswitch',
        'server',
        'redis',
        'certificates',
        'tools',
      ],
    )
    for (const [name, service] of Object.entries(services)) {
      expect(service, name).to.deep.include({ user: '10001:10001', read_only: true, network_mode: 'host' })
      expect(service, name).to.deep.include({ cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] })
      expect(service.logging.options, name).to.have.all.keys('max-size', 'max-file')
      for (const limit of /** @type {const} */ (['mem_limit', 'cpus', 'pids_limit']))
        expect(Number.parseFloat(String(service[limit])), `${name} ${limit}`).to.be.above(0)
      expect(service.restart, name).to.equal(ONCE.includes(name) ? 'no' : 'unless-stopped')
      expect(Boolean(service.healthcheck), name).to.equal(!ONCE.includes(name))
      for (const word of service.healthcheck?.test ?? [])
        expect(word, 'Podman takes it apart at its spaces').not.to.include(' ')
    }
  })

  it('gives each part the time to stop that the supervisor gives it', () => {
    for (const [name, milliseconds] of Object.entries(STOP_GRACE_MS)) {
      const service = services[name === 'switch' ? 'freeswitch' : name]
      const [, minutes = '0', seconds = '0'] =
        /^(?:(\d+)m)?(?:(\d+)s)?$/.exec(service?.stop_grace_period ?? '') ?? []
      expect(Number(minutes) * 60 + Number(seconds), name).to.equal(milliseconds / 1000)
    }
  })

  it('shows the secrets of all to the server and to our own tools only', () => {
    const seen = Object.keys(services).filter((name) =>
      services[name]?.volumes?.some((volume) => /\/var\/lib\/jackfield(:\w+)?$/.test(volume)),
    )
    expect(seen).to.have.members(['setup', 'migrate', 'server', 'certificates', 'tools'])
  })

  it('names settings that there are', () => {
    const known = Object.keys(SETTINGS).map(environmentName)
    for (const [name, { environment = {} }] of Object.entries(services))
      for (const variable of Object.keys(environment).filter((each) => each.startsWith('JACKFIELD_')))
        expect(known, name).to.include(variable)
  })

  it('gives the server whatever setting stands in .env, and the folder of the files that they name', () => {
    const chosen = {
      JACKFIELD_STIR_CERTIFICATE_FILE: '/etc/jackfield/stir.pem',
      JACKFIELD_STIR_CA_FILE: '/etc/jackfield/sti-ca.pem',
      JACKFIELD_TRACES_OTLP_ENDPOINT: 'http://127.0.0.1:4318',
      JACKFIELD_ALERTS_BURST_CALLS: '50',
      JACKFIELD_METRICS_PORT: '9464',
    }
    const lines = Object.entries({ EXTERNAL_IP: '203.0.113.10', FREESWITCH_IMAGE: 'fs', ...chosen })
    const given = compose(lines.map((line) => `${line.join('=')}\n`).join(''))
    for (const name of ['setup', 'migrate', 'server'])
      expect(given[name]?.environment, name).to.include(chosen)
    expect(given['server']?.volumes?.join()).to.include(':/etc/jackfield')
  })

  it('starts a part anew when a setting of its changes, and only then', () => {
    const none = { 'operator-token': '', 'secret-key': '', 'esl-password': '', 'rpc-secret': '' }
    const secrets = { ...none, 'db-password': '', 'kamailio-db-password': '' }
    const told = { kamailio: kamailioOptions, freeswitch: freeswitchOptions, mariadb: mariadbOptions }
    const text = readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8')
    const ours = readSettings({ JACKFIELD_HOME: '/nowhere' })
    const named = (/** @type {string} */ service) =>
      service === 'kamailio'
        ? Object.keys(services[service]?.environment ?? {})
        : (new RegExp(`^x-${service}-settings: (.*)$`, 'm').exec(text)?.[1] ?? '')
    for (const settings of [ours, { ...ours, 'database.own': false }])
      for (const name of /** @type {(keyof typeof SETTINGS)[]} */ (Object.keys(SETTINGS))) {
        if (name.endsWith('password')) continue // docker inspect would show it: `setup` says to start the part anew
        const changed = { ...settings, [name]: name === 'database.own' ? !settings[name] : 'another' }
        for (const [service, options] of Object.entries(told)) {
          if (JSON.stringify(options(changed, secrets)) === JSON.stringify(options(settings, secrets)))
            continue
          const isAddress = name === 'sip.host' && service === 'freeswitch'
          expect(named(service), service).to.include(isAddress ? 'EXTERNAL_IP' : environmentName(name))
        }
      }
    expect(named('mariadb'), 'whether it has anything to do').to.include('JACKFIELD_DATABASE_OWN')
    // a part that depends on another is started anew with it, whatever changed
    for (const service of ['freeswitch', 'mariadb', 'redis'])
      expect(services[service], service).not.to.have.property('depends_on')
  })

  it('lets no part begin before its configuration is there, and is the one for these settings', async () => {
    const home = join(folder, 'home')
    for (const part of ['mariadb', 'freeswitch', 'redis']) {
      const { command = [], entrypoint = command, environment = {} } = services[part] ?? {}
      const script = (entrypoint[2] ?? '').replace('/var/lib/jackfield', home).replaceAll('$$', '$')
      const directory = join(home, part)
      mkdirSync(directory, { recursive: true })
      writeFileSync(join(directory, 'start'), 'echo started')
      const env = { PATH: process.env['PATH'], PART: part, SETTINGS: environment['SETTINGS'] ?? '' }
      const child = spawn('sh', ['-c', script], { env, stdio: ['ignore', 'pipe', 'inherit'], detached: true })
      let said = ''
      child.stdout.on('data', (chunk) => (said += chunk))
      const closed = once(child, 'close')
      try {
        await sleep(300)
        expect(said, part).to.equal('')
        writeFileSync(join(directory, 'configured'), 'other settings')
        await sleep(1500)
        expect(said, part).to.equal('')
        writeFileSync(join(directory, 'configured'), env.SETTINGS)
        await closed
        expect(said, part).to.equal('started\n')
      } finally {
        if (child.exitCode === null && child.pid) process.kill(-child.pid, 'SIGKILL')
      }
    }
  })

  it('shows files that settings name to all that read settings, and one folder of audio to all that use it', () => {
    for (const name of ['setup', 'migrate', 'server', 'certificates', 'tools'])
      expect(services[name]?.volumes?.join(), name).to.include(':/etc/jackfield')
    const shared = compose('EXTERNAL_IP=203.0.113.10\nFREESWITCH_IMAGE=fs\nMEDIA=/mnt/media\n')
    const seen = Object.keys(shared).filter((name) => /jackfield\/media/.test(`${shared[name]?.volumes}`))
    expect(seen).to.have.members(['setup', 'freeswitch', 'server', 'tools'])
    for (const name of seen)
      expect(shared[name]?.volumes?.join(), name).to.include('/mnt/media:/var/lib/jackfield/media')
  })

  it('asks for the address and for the image of FreeSWITCH', () => {
    for (const missing of ['EXTERNAL_IP', 'FREESWITCH_IMAGE']) {
      const lines = ['EXTERNAL_IP=203.0.113.10', 'FREESWITCH_IMAGE=fs'].filter(
        (line) => !line.startsWith(missing),
      )
      expect(() => compose(`${lines.join('\n')}\n`)).to.throw(missing)
    }
  })
})

describe('the images', () => {
  const dockerfile = readFileSync(join(ROOT, 'installer/docker/Dockerfile'), 'utf8')

  it('hold all that a machine without containers has', () => {
    const installed = [
      ...dockerfile.matchAll(/apt-get install -y --no-install-recommends ((?:\\\n|[^&\n])+)/g),
    ]
      .flatMap(([, names = '']) => names.replaceAll('\\\n', ' ').split(/\s+/))
      .filter(Boolean)
    expect(installed).to.include.members(APPLIANCE_PACKAGES)
    expect(dockerfile).to.include(`cc ${FORK_HANDLER_FLAGS.join(' ')} `)
  })

  it('copy what is in the checkout, and what git does not know is not sent', () => {
    const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, paths = '']) =>
      paths.split(' '),
    )
    expect(copied.length).to.be.above(10)
    for (const path of copied) expect(existsSync(join(ROOT, path.replace(/\*.*/, ''))), path).to.equal(true)
    const ignored = readFileSync(join(ROOT, '.dockerignore'), 'utf8').split('\n')
    const sent = ignored.filter((line) => line.startsWith('!')).map((line) => line.slice(1))
    expect(ignored[0], 'nothing but what is named').to.equal('*')
    for (const path of sent) expect(existsSync(join(ROOT, path.replace(/\*.*/, ''))), path).to.equal(true)
    for (const path of copied) expect(sent, path).to.include(path.split(/[/]/)[0])
  })

  it('run as the user that all volumes belong to', () => {
    const stages = dockerfile
      .split(/^FROM /m)
      .filter((stage) => /AS (server|kamailio|mariadb|tools|redis)\n/.test(stage))
    expect(stages).to.have.lengthOf(5)
    for (const stage of stages) expect(stage).to.match(/^USER 10001:10001$/m)
  })

  it('start from scripts that a shell understands', () => {
    for (const script of ['start-freeswitch.sh', 'certificates-health.sh']) {
      const { status, stderr } = spawnSync('sh', ['-n', join(ROOT, 'installer/docker', script)], {
        encoding: 'utf8',
      })
      expect(status, stderr).to.equal(0)
    }
  })
})
