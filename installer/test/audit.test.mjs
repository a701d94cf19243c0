import { expect } from 'chai'
import { describe, it } from 'mocha'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { problemsOf } from '../audit-rules.mjs'
import { ROOT } from '../settings.mjs'

describe('what we depend on', () => {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'))

  it('has sums, comes from the registry, may be passed on and runs nothing when it is installed', () => {
    expect(Object.keys(packages).length).to.be.greaterThan(500)
    expect(problemsOf(packages)).to.deep.equal([])
  })

  it('is refused otherwise', () => {
    const good = { integrity: 'sha512-abc', license: 'MIT' }
    const bad = {
      'node_modules/good': { ...good, license: '(GPL-2.0 OR MIT)' },
      server: {},
      'node_modules/@jackfield/server': { link: true },
      'node_modules/unsummed': { license: 'MIT' },
      'node_modules/forked': { ...good, resolved: 'git+ssh://git@github.com/somebody/forked.git' },
      'node_modules/a/node_modules/viral': { ...good, license: 'MIT AND GPL-3.0' },
      'node_modules/silent': { integrity: 'sha512-abc' },
      'node_modules/busy': { ...good, hasInstallScript: true },
    }
    expect(problemsOf(bad)).to.deep.equal([
      'node_modules/unsummed: no sha512 in the lock file',
      'node_modules/forked: comes from git+ssh://git@github.com/somebody/forked.git, not from the registry',
      'node_modules/a/node_modules/viral: licence MIT AND GPL-3.0',
      'node_modules/silent: licence unknown',
      'node_modules/busy: runs a program when it is installed',
    ])
  })

  it('tells nobody of its installation', () => {
    const { scarfSettings } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
    expect(scarfSettings).to.deep.equal({ enabled: false })
  })

  it('runs none of its programs when it is installed, here and in an image', () => {
    expect(readFileSync(join(ROOT, '.npmrc'), 'utf8')).to.match(/^ignore-scripts=true$/m)
    expect(readFileSync(join(ROOT, '.dockerignore'), 'utf8')).to.match(/^!\.npmrc$/m)
    const dockerfile = readFileSync(join(ROOT, 'installer/docker/Dockerfile'), 'utf8')
    expect(dockerfile.indexOf('.npmrc')).to.be.within(0, dockerfile.indexOf('npm ci'))
  })
})
