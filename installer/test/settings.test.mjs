import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Failure } from '../failure.mjs'
import { settings as serverSettings } from '../../server/dist/src/config/config.js'
import { Setting } from '../../server/dist/src/config/settings/kinds.js'
import { serverEnvironment } from '../part-options.mjs'
import { ROOT, SETTINGS, environmentName, readSettings } from '../settings.mjs'

/** @param {object} group @param {string} [path] @returns {string[]} the environment variables of its settings */
const namesIn = (group, path = '') =>
  Object.entries(group).flatMap(([name, entry]) =>
    entry instanceof Setting ? environmentName(path + name) : namesIn(entry, `${path}${name}.`),
  )

describe('the installer’s settings', () => {
  /** @type {string} */
  let home
  before(() => (home = mkdtempSync(join(tmpdir(), 'jackfield-settings-'))))
  after(() => rmSync(home, { recursive: true }))

  it('have defaults that fit a laptop', () => {
    const settings = readSettings({ JACKFIELD_HOME: home })
    expect(settings['http.port']).to.equal(8080)
    expect(settings['rtp.host']).to.equal('127.0.0.1')
    expect(settings['media.directory']).to.equal(join(home, 'media'))
  })

  it('come from the environment first, then from the file', () => {
    writeFileSync(
      join(home, 'config.json'),
      JSON.stringify({ http: { port: 9000 }, sip: { host: '10.0.0.7' } }),
    )
    const settings = readSettings({ JACKFIELD_HOME: home, JACKFIELD_HTTP_PORT: '9001' })
    expect(settings['http.port']).to.equal(9001)
    expect(settings['sip.host']).to.equal('10.0.0.7')
    expect(settings['rtp.host'], 'audio follows SIP').to.equal('10.0.0.7')
  })

  it('name every setting that breaks its rule, and the rule', () => {
    const environment = { JACKFIELD_HOME: home, JACKFIELD_HTTP_PORT: '99999', JACKFIELD_SIP_HOST: '0.0.0.0' }
    expect(() => readSettings(environment))
      .to.throw(Failure)
      .with.property('message')
      .that.includes('JACKFIELD_HTTP_PORT (http.port) must be a whole number from 1 to 65535, not "99999"')
      .and.includes('JACKFIELD_SIP_HOST (sip.host) must be an IP address of this machine')
  })

  it('take MariaDB’s own port for a database that is not ours', () => {
    const port = (/** @type {NodeJS.ProcessEnv} */ environment) =>
      readSettings({ JACKFIELD_HOME: home, ...environment })['database.port']
    expect(port({})).to.equal(13306)
    expect(port({ JACKFIELD_DATABASE_OWN: 'false' })).to.equal(3306)
    expect(port({ JACKFIELD_DATABASE_OWN: 'false', JACKFIELD_DATABASE_PORT: '13306' })).to.equal(13306)
  })

  it('refuse a file that is not JSON', () => {
    const file = join(home, 'broken.json')
    writeFileSync(file, '{')
    expect(() => readSettings({ JACKFIELD_CONFIG: file, JACKFIELD_HOME: home })).to.throw(
      Failure,
      /cannot read the settings file/,
    )
  })

  it('stand in the documentation, as those do that only the server knows', () => {
    const settings = readSettings({ JACKFIELD_HOME: home })
    const made = Object.keys(serverEnvironment(settings, ''))
    const isMade = (/** @type {string} */ name) => made.includes(name) || made.includes(`${name}_FILE`)
    const ours = Object.keys(SETTINGS).map(environmentName)
    const all = new Set([...ours, ...namesIn(serverSettings).filter((name) => !isMade(name))])
    const names = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    const pages = names
      .filter((name) => name.endsWith('.md'))
      .map((name) => readFileSync(join(ROOT, 'docs', name), 'utf8'))
    const words = new Set(pages.join('\n').match(/\b[A-Z][A-Z0-9_]+\b/g))
    const isTold = (/** @type {string} */ name) =>
      [name, `${name}_FILE`].some((one) => words.has(one) || words.has(one.replace('JACKFIELD_', '')))
    expect([...all].filter((name) => !isTold(name))).to.deep.equal([])
  })

  it('are all that the documentation names', () => {
    const known = new Set([...Object.keys(SETTINGS).map(environmentName), ...namesIn(serverSettings)])
    const others = /^JACKFIELD_(HOME|CONFIG|URL|API_KEY|PROFILE|WORKSPACE|(TEST|FUZZ)_\w+)$/
    const names = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    const unknown = names
      .filter((name) => name.endsWith('.md'))
      .flatMap((name) =>
        [...readFileSync(join(ROOT, 'docs', name), 'utf8').matchAll(/\bJACKFIELD_[A-Z0-9_]*[A-Z0-9]\b/g)]
          .map(([variable]) => variable)
          .filter((variable) => !known.has(variable) && !known.has(variable.replace(/_FILE$/, '')))
          .filter((variable) => !others.test(variable))
          .map((variable) => `${variable} in ${name}`),
      )
    expect(unknown).to.deep.equal([])
  })

  it('have one environment variable each', () => {
    expect(environmentName('sip.tls_port')).to.equal('JACKFIELD_SIP_TLS_PORT')
  })
})
