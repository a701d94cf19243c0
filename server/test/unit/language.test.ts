import { expect } from 'chai'
import { readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { pathOf } from '../support/paths.js'

/** Words of a private language: an engineer of the trade would not say them. See docs/contribute/glossary.md. */
const PHRASES: readonly string[] = [
  'told',
  'tells? of',
  'whoever',
  'whom',
  'nobody',
  'anew',
  'becomes? of',
  'comes of',
  'an earlier process',
  'so long as',
  'so often',
  'goes on',
  'lets? go',
  'sees? to',
  'hears? of',
  'be it',
  'heir',
]

/** Files and folders that are free of them, from the checkout's root. */
const PLAIN: readonly string[] = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'SECURITY.md',
  'console/src',
  'cli/src',
  'cli/package.json',
  'sdk/src',
  'installer',
  'docs/start',
  'docs/install',
  'docs/operate',
  'docs/README.md',
  'docs/calls',
  'server/src',
  'kamailio-conf',
  'freeswitch-conf',
  'bench/src',
  'docs/console',
  'docs/contribute/architecture.md',
  'docs/contribute/decisions',
  'docs/contribute/recipes.md',
  'docs/contribute/testing.md',
  'docs/integrate',
  'docs/messages',
  'docs/reference/interoperability.md',
  'docs/voice-agents',
]

const ENDINGS = /\.(ts|tsx|mjs|md|cfg|xml|json)$/

/** Made of the code, or by other people. */
const GENERATED = /(^|\/)(node_modules|dist|test|openapi\.ts)(\/|$)/

describe('the language of code and documentation', () => {
  it('is the one of the trade', () => {
    const pattern = new RegExp(`\\b(${PHRASES.join('|')})\\b`, 'i')
    const found = PLAIN.flatMap(filesOf).flatMap((file) =>
      readFileSync(pathOf(file), 'utf8')
        .split('\n')
        .flatMap((line, index) => {
          const phrase = pattern.exec(line)?.[0]
          return phrase ? [`${file}:${String(index + 1)}: "${phrase}" in: ${line.trim()}`] : []
        }),
    )
    expect(found).to.deep.equal([])
  })
})

function filesOf(path: string): string[] {
  if (GENERATED.test(path)) return []
  if (!statSync(pathOf(path)).isDirectory()) return ENDINGS.test(path) ? [path] : []
  return readdirSync(pathOf(path)).flatMap((name) => filesOf(join(path, name)))
}
