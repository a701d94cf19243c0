import { Plugin } from '@oclif/core'
import { expect } from 'chai'
import { execFileSync, spawnSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const checkout = fileURLToPath(new URL('../../..', import.meta.url))

interface Manifest {
  commands: Record<string, unknown>
  version: string
}

describe('the manifest of the commands', function () {
  this.timeout(60_000)
  let folder = ''
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'jackfield-cli-'))
    for (const name of ['cli/bin', 'cli/package.json'])
      cpSync(join(checkout, name), join(folder, name), { recursive: true })
    mkdirSync(join(folder, 'cli/dist'))
    symlinkSync(join(checkout, 'node_modules'), join(folder, 'node_modules'))
    symlinkSync(join(checkout, 'cli/dist/src'), join(folder, 'cli/dist/src'))
  })
  after(() => rmSync(folder, { recursive: true }))

  const write = (path: string, text: string, changed: Date): void => {
    writeFileSync(join(folder, path), text)
    utimesSync(join(folder, path), changed, changed)
  }
  const help = (): { status: number | null; stdout: string } =>
    spawnSync(process.execPath, [join(folder, 'cli/bin/run.js'), 'agent', 'list', '--help'], {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], HOME: folder, NO_COLOR: '1' },
    })

  const expectAllCommands = async (): Promise<void> => {
    const kept = JSON.parse(readFileSync(join(checkout, 'cli/oclif.manifest.json'), 'utf8')) as Manifest
    const plugin = new Plugin({
      ...{ root: join(checkout, 'cli'), type: 'core', isRoot: true, ignoreManifest: true },
      respectNoCacheDefault: true,
    })
    await plugin.load()
    expect(kept).to.deep.equal(JSON.parse(JSON.stringify(plugin.manifest)))
    expect(Object.keys(kept.commands)).to.include('agent:list')
  }

  it('should name all commands as they are compiled', async () => {
    execFileSync(process.execPath, [join(checkout, 'installer/cli-manifest.mjs')])
    await expectAllCommands()
  })

  it('should be the same when a checkout writes it whose cli is a link', async () => {
    cpSync(join(checkout, 'installer'), join(folder, 'linked/installer'), { recursive: true })
    symlinkSync(join(checkout, 'cli'), join(folder, 'linked/cli'))
    execFileSync(process.execPath, [join(folder, 'linked/installer/cli-manifest.mjs')])
    await expectAllCommands()
  })

  it('should be read, and removed once commands were compiled since', () => {
    const empty = JSON.stringify({ commands: {}, version: '0.1.0' } satisfies Manifest)
    const [early, late] = [new Date(1_000_000_000_000), new Date(1_000_000_001_000)]
    expect(help().stdout, 'without a manifest').to.include('jackfield agent list')
    write('cli/oclif.manifest.json', empty, early)
    expect(help().stdout, 'where nothing says when they were compiled').to.equal('')
    write('cli/dist/tsconfig.tsbuildinfo', '{}', early)
    expect(help().stdout, 'as old as they').to.equal('')
    write('cli/dist/tsconfig.tsbuildinfo', '{}', late)
    expect(help().stdout, 'older than they').to.include('jackfield agent list')
  })
})
