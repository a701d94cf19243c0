import { expect } from 'chai'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkSwitch } from '../doctor/switch.mjs'
import { Failure } from '../failure.mjs'
import { journalLines } from '../part-options.mjs'
import { findFreeswitch, prepareFreeswitch } from '../parts/freeswitch.mjs'
import { readSettings } from '../settings.mjs'

const MODULES = 'console event_socket commands dptools dialplan_xml sofia sndfile tone_stream cdr_csv'.split(
  ' ',
)

describe('the part FreeSWITCH', () => {
  /** @type {string} */
  let folder
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'jackfield-fs-'))))
  afterEach(() => rmSync(folder, { recursive: true }))

  /** @param {string[]} modules */
  function installation(modules) {
    for (const name of ['bin', 'mod']) {
      rmSync(join(folder, name), { recursive: true, force: true })
      mkdirSync(join(folder, name))
    }
    for (const name of modules) writeFileSync(join(folder, `mod/mod_${name}.so`), '')
    const binary = join(folder, 'bin/freeswitch')
    writeFileSync(binary, '#!/bin/sh\n', { mode: 0o755 })
    return {
      binary,
      directory: join(folder, 'state'),
      ...{ sipPort: 5080, rtpStart: 16384, rtpEnd: 20479, eslPort: 8021 },
      ...{ eslPassword: 'a<b&"c"', edgeHost: '127.0.0.2' },
    }
  }

  it('renders a well-formed document that only root can read', async () => {
    const options = installation(MODULES)
    const { journal } = await prepareFreeswitch(options)
    const file = join(options.directory, 'conf/freeswitch.xml')
    execFileSync('xmllint', ['--noout', file])
    const xml = readFileSync(file, 'utf8')
    expect(xml).not.to.include('@@')
    expect(xml).to.include('name="api-expansion" value="false"')
    expect(xml).to.include('a&#60;b&#38;&#34;c&#34;')
    expect(statSync(file).mode & 0o777).to.equal(0o600)
    expect(journal).to.equal(join(options.directory, 'cdr-csv/Master.csv'))
  })

  it('takes no more channels than there are ports for', async () => {
    const options = installation(MODULES)
    for (const [rtpEnd, most] of [
      [20479, 2048],
      [16483, 50],
      [65535, 3000],
    ]) {
      await prepareFreeswitch({ ...options, rtpEnd: rtpEnd ?? 0 })
      const xml = readFileSync(join(options.directory, 'conf/freeswitch.xml'), 'utf8')
      expect(xml).to.include(`name="max-sessions" value="${most}"`)
    }
  })

  it('loads only what the installation has', async () => {
    const options = installation(MODULES.filter((name) => name !== 'cdr_csv'))
    const { journal } = await prepareFreeswitch(options)
    const xml = readFileSync(join(options.directory, 'conf/freeswitch.xml'), 'utf8')
    expect(xml).not.to.include('module="mod_opus"').and.not.to.include('module="mod_cdr_csv"')
    expect(xml).not.to.include('module="mod_spandsp"')
    expect(journal).to.equal('')
  })

  it('is told plainly to keep no journal', () => {
    const told = (/** @type {string[]} */ modules) => {
      const { binary } = installation(modules)
      const settings = readSettings({ JACKFIELD_HOME: '/nonexistent', JACKFIELD_FREESWITCH_BIN: binary })
      const [finding] = checkSwitch(settings)
      return { state: finding?.state, lines: journalLines(settings, { kind: 'freeswitch', binary }) }
    }
    expect(told(MODULES)).to.deep.equal({ state: 'well', lines: [] })
    const without = told(MODULES.filter((name) => name !== 'cdr_csv'))
    expect(without.state).to.equal('ill')
    expect(without.lines).to.have.lengthOf(1)
    expect(without.lines[0]).to.include('mod_cdr_csv')
  })

  it('refuses an installation that lacks a module that is needed', async () => {
    const options = installation(MODULES.filter((name) => name !== 'dptools'))
    const error = await prepareFreeswitch(options).catch((thrown) => thrown)
    expect(error).to.be.instanceOf(Failure)
    expect(error.message).to.include('lacks mod_dptools')
  })

  it('is found where the settings or PATH say', () => {
    const { binary } = installation(MODULES)
    expect(findFreeswitch(binary, {})).to.equal(binary)
    expect(findFreeswitch('', { PATH: join(folder, 'bin') })).to.equal(binary)
    expect(() => findFreeswitch('/nowhere/freeswitch', {})).to.throw(Failure, /JACKFIELD_FREESWITCH_BIN/)
  })
})
