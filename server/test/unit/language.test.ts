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
  'server/src/calls',
  'server/src/switch',
  'server/src/sip-trunks',
  'server/src/database',
  'server/src/http',
  'server/src/sandbox',
  'server/src/operator',
  'server/src/workspaces',
  'server/src/cells',
  'server/src/servers',
  'kamailio-conf',
  'freeswitch-conf',
  'bench/src',
  'server/src/ai-providers',
  'server/src/call-flows',
  'server/src/carriers',
  'server/src/conversations',
  'server/src/media',
  'server/src/messages',
  'server/src/presence',
  'server/src/stream',
  'server/src/voice-agents',
  'docs/console',
  'docs/contribute/architecture.md',
  'docs/contribute/decisions',
  'docs/contribute/recipes.md',
  'docs/contribute/testing.md',
  'docs/integrate',
  'docs/messages',
  'docs/reference/interoperability.md',
  'docs/voice-agents',
  'server/src/agents',
  'server/src/alerts',
  'server/src/callbacks',
  'server/src/contacts',
  'server/src/devices',
  'server/src/edge',
  'server/src/extensions',
  'server/src/http-client',
  'server/src/mail',
  'server/src/maintenance',
  'server/src/me',
  'server/src/metrics',
  'server/src/phone-numbers',
  'server/src/push',
  'server/src/rates',
  'server/src/recordings',
  'server/src/retention',
  'server/src/settings',
  'server/src/sip-accounts',
  'server/src/sip-capture',
  'server/src/stir',
  'server/src/storage',
  'server/src/teams',
  'server/src/tokens',
  'server/src/tracing',
  'server/src/webhooks',
  'server/src/wiring',
  'server/src/app.ts',
  'server/src/config.ts',
  'server/src/rate-limited-failure-log.ts',
  'server/src/migrate.ts',
  'server/src/reseal.ts',
  'server/src/telemetry.ts',
  'server/src/turns.ts',
  'server/src/with-timeout.ts',
  'server/src/tracing-contexts.ts',
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
