import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { PROGRAM, VERSION, isNewEnough } from '../runtime/install.mjs'
import { ROOT } from '../settings.mjs'

describe('Debian packages', () => {
  it('are those of Debian 12 or 13, where a library has another name', () => {
    const folder = mkdtempSync(join(tmpdir(), 'jackfield-packages-'))
    try {
      // what dpkg-query of Debian 13 says, of which there is one on another machine only
      const said = "printf '%s\\n' 'libsecsipid1t64 installed' 'ffmpeg installed' 'sox not-installed'"
      writeFileSync(join(folder, 'dpkg-query'), `#!/bin/sh\n${said}\n`, { mode: 0o755 })
      const module = new URL('../packages.mjs', import.meta.url).href
      const script = `import { missingPackages } from '${module}'
        console.log(missingPackages(['libsecsipid1', 'ffmpeg', 'sox', 'jq']).join())`
      const missing = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
        ...{ encoding: 'utf8', env: { PATH: `${folder}:${process.env['PATH']}` } },
      })
      expect(missing).to.equal('sox,jq\n')
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

describe('the Node of the server', function () {
  this.timeout(60_000)
  /** A checkout in which nothing is installed but the packages with machine code. @type {string} */
  let checkout
  const own = process.versions.node

  before(() => {
    checkout = mkdtempSync(join(tmpdir(), 'jackfield-checkout-'))
    cpSync(join(ROOT, 'installer'), join(checkout, 'installer'), {
      recursive: true,
      filter: (path) => !/\/(dist|test)$/.test(path),
    })
    writeFileSync(join(checkout, 'package.json'), '{"type": "module"}')
    mkdirSync(join(checkout, 'server'))
    mkdirSync(join(checkout, 'node_modules'))
    for (const name of ['onnxruntime-node', '@node-rs'])
      symlinkSync(join(ROOT, 'node_modules', name), join(checkout, 'node_modules', name))
  })
  after(() => rmSync(checkout, { recursive: true }))

  const cache = () => join(checkout, 'node_modules/.cache/jackfield')
  const installed = () => join(checkout, PROGRAM.slice(ROOT.length))

  /** @param {Record<string, string>} [env] @returns what is chosen, and the line that tells */
  function prepared(env = {}) {
    const script = `import { prepareRuntime } from '${checkout}/installer/runtime/choose.mjs'
      import { readSettings } from '${checkout}/installer/settings.mjs'
      const lines = []
      const told = { log: '${checkout}/install.log', report: (line) => lines.push(line) }
      const runtime = await prepareRuntime(readSettings(), told).catch(({ message }) => ({ message }))
      console.log(JSON.stringify({ ...runtime, line: lines.at(-1) }))`
    const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
      ...{ encoding: 'utf8', cwd: checkout },
      env: {
        PATH: process.env['PATH'],
        ...{ npm_config_registry: 'http://127.0.0.1:9', npm_config_cache: join(checkout, 'npm') },
        ...env,
      },
    })
    return JSON.parse(output)
  }

  /** @param {string} text of the program that is installed */
  function install(text) {
    mkdirSync(dirname(installed()), { recursive: true })
    writeFileSync(installed(), text)
    chmodSync(installed(), 0o755)
  }

  it('is the machine’s where none can be had, and a line says why', function () {
    if (isNewEnough()) this.skip()
    const { program, isFallback, line } = prepared()
    expect({ program, isFallback }).to.deep.equal({ program: process.execPath, isFallback: true })
    expect(line).to.match(
      new RegExp(`^${own}, this machine’s, as ${VERSION} cannot be installed: .* failed with ECONNREFUSED`),
    )
    expect(readdirSync(cache())).to.deep.equal([])
  })

  it('is the machine’s where what was installed does not run', function () {
    if (isNewEnough()) this.skip()
    install("#!/bin/sh\necho 'node: version GLIBC_2.99 not found' >&2\nexit 1\n")
    const { program, line } = prepared()
    expect(program).to.equal(process.execPath)
    expect(line).to.include(`as ${VERSION} does not run here: node: version GLIBC_2.99 not found`)
  })

  it('is what was installed if that is newer, runs, and loads what the server needs', function () {
    if (isNewEnough() || !existsSync(PROGRAM)) this.skip()
    install(`#!/bin/sh\nexec ${PROGRAM} "$@"\n`)
    expect(prepared()).to.include({ program: installed(), isFallback: false, line: `${VERSION}, from npm` })
    rmSync(join(checkout, 'node_modules/onnxruntime-node'))
    expect(prepared().line).to.include(`as ${VERSION} does not run here: Error: Cannot find module`)
    symlinkSync(join(ROOT, 'node_modules/onnxruntime-node'), join(checkout, 'node_modules/onnxruntime-node'))
  })

  it('is that of the setting, which must run and be new enough', () => {
    const line = `${own}, of JACKFIELD_NODE_BIN`
    const given = prepared({ JACKFIELD_NODE_BIN: process.execPath })
    expect(given).to.include({ program: process.execPath, isFallback: false, line })
    const old = join(checkout, 'old')
    writeFileSync(old, '#!/bin/sh\necho 18.20.4\n', { mode: 0o755 })
    expect(prepared({ JACKFIELD_NODE_BIN: old }).message).to.equal(
      `JACKFIELD_NODE_BIN (node.bin): ${old} is 18.20.4: Node 20.19 or newer is needed`,
    )
    expect(prepared({ JACKFIELD_NODE_BIN: '/nowhere/node' }).message).to.include('does not run here')
  })

  it('is not kept once another version runs', () => {
    install('')
    for (const name of ['node-22.1.0', `node-${VERSION}.1234`, 'compiled'])
      mkdirSync(join(cache(), name), { recursive: true })
    const script = `import { removeOldRuntimes } from '${checkout}/installer/runtime/install.mjs'
      removeOldRuntimes()`
    execFileSync(process.execPath, ['--input-type=module', '-e', script])
    expect(readdirSync(cache())).to.have.members([`node-${VERSION}`, 'compiled'])
  })
})
