/** SQL beside the entities: which feature's tables it names, and that their columns exist. */
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { getMetadataArgsStorage } from 'typeorm'
import '../../src/app/entities.js'
import { pathOf } from '../support/paths.js'

const SOURCE = pathOf('server/src')

/** Files that read other features' tables, by why a query of one feature alone would not do. */
const READ_MODELS: Readonly<Record<string, readonly string[]>> = {
  'members of teams and agents, joined to see who may see or take something': [
    'features/agents/agent-filter.ts',
    'features/agents/registered-softphones.ts',
    'features/calls/api/call-audience.ts',
    'features/calls/api/call-history.ts',
    'features/calls/model/team-calls.ts',
    'features/conversations/conversation-audience.ts',
    'features/conversations/conversation-scope.ts',
    'features/phone-numbers/phone-number.service.ts',
  ],
  'names of the parties of a call, a session or a change': [
    'features/calls/api/leg-names.ts',
    'features/devices/notified-devices.ts',
    'features/presence/presence-notifier.ts',
    'features/workspaces/actor-names.ts',
  ],
  'agents, teams, phones, contacts and numbers in one search': ['features/calls/api/destination-rows.ts'],
  'the live board': [
    'features/calls/live-board/live-board-notifier.ts',
    'features/calls/live-board/live-board.ts',
    'features/calls/live-board/live-calls-table.ts',
  ],
  'one query for what every call or text looks up': [
    'features/calls/limits/call-limits.ts',
    'features/calls/routing/inbound-number.ts',
    'features/messages/dispatch/claims.ts',
    'features/messages/dispatch/routes.ts',
    'features/messages/dispatch/stuck-messages.ts',
    'features/messages/inbound/carrier-countries.ts',
    'features/messages/inbound/inbound-messages.ts',
    'features/messages/inbound/inbound-numbers.ts',
    'features/messages/inbound/opt-outs.ts',
  ],
  'sessions and devices of agents': ['features/auth/agent-sessions.ts', 'features/auth/known-devices.ts'],
  'what is in use and may not be deleted': [
    'features/ai-providers/ai-provider.service.ts',
    'features/call-flows/flow-versions.ts',
    'features/messages/carriers/carrier.service.ts',
    'features/sip-trunks/gateway-registrations.ts',
  ],
  'what the outcome of a call depends on': ['features/calls/model/call-facts.ts'],
  'calls and voicemails with their teams, numbers and parties': [
    'features/calls/api/missed-calls.ts',
    'features/calls/api/related.ts',
    'features/voicemails/voicemail-audience.ts',
    'features/voicemails/voicemail-recipients.ts',
    'features/voicemails/voicemail.service.ts',
    'features/voicemails/waiting-notifier.ts',
  ],
  'names of the flows and teams of numbers': ['features/phone-numbers/number-names.ts'],
  'what belongs to a cell': [
    'features/calls/queue/queue-store.ts',
    'features/calls/recovery/dead-cell-reaper.ts',
    'features/cells/cell.service.ts',
    'app/modules/maintenance.ts',
  ],
  'figures of usage, money and work': [
    'features/alerts/fraud-watch.ts',
    'features/metrics/work-part.ts',
    'features/overview/overview.ts',
    'features/platform/work.ts',
    'features/workspaces/credit-check.ts',
    'features/workspaces/kept-bytes.ts',
    'features/workspaces/usage-export.ts',
    'features/workspaces/usage.service.ts',
  ],
  'the texts of a conversation, and the calls of recordings, captures and sessions': [
    'features/conversations/conversation-messages.ts',
    'features/conversations/conversation-writer.ts',
    'features/recordings/recording-store.ts',
    'features/sip-capture/sip-capture.service.ts',
    'features/voice-agent-sessions/session-store.ts',
  ],
  'rows past their retention, and what a client may have erased': [
    'features/retention/all-aging-rows.ts',
    'features/retention/call-removal.ts',
    'features/retention/deletions.ts',
    'features/retention/erasures/erase-calls.ts',
    'features/retention/erasures/erase-contacts.ts',
    'features/retention/erasures/erase-messages.ts',
    'features/retention/erasures/erasure.service.ts',
    'features/retention/erasures/redact-texts.ts',
    'features/retention/ledger-folding.ts',
    'features/retention/message-removal.ts',
    'features/retention/retention-sweep.ts',
    'features/retention/usage-days.ts',
    'features/retention/workspace-removal.ts',
  ],
}

/** Files that write other features' tables: they remove, or make anonymous, what is due in every feature. */
const WRITERS: readonly string[] = [
  'features/retention/call-removal.ts',
  'features/retention/erasures/erase-contacts.ts',
  'features/retention/erasures/erase-deliveries.ts',
  'features/retention/erasures/erase-devices.ts',
  'features/retention/erasures/redact-records.ts',
  'features/retention/ledger-folding.ts',
  'features/retention/message-removal.ts',
  'features/retention/usage-days.ts',
  'app/modules/workspace-deletion.ts',
]

/** Columns that only SQL reads or writes. */
const BESIDE_ENTITIES: Readonly<Record<string, readonly string[]>> = { teams: ['last_offered_member'] }

const files = sources()
const owners = new Map(
  files.flatMap(({ feature, text }) =>
    [...text.matchAll(/@Entity\('(\w+)'/g)].map((m) => [m[1], feature] as const),
  ),
)

describe('SQL beside the entities', () => {
  it('reads tables of other features in the listed read models alone', () => {
    expect(filesThat(/\b(?:FROM|JOIN)\s+`?(\w+)`?/g, /DELETE\s+$/)).to.deep.equal(
      Object.values(READ_MODELS).flat().sort(),
    )
  })

  it('writes tables of other features in the listed files alone', () => {
    expect(filesThat(/\b(?:UPDATE|INTO|DELETE FROM)\s+`?(\w+)`?/g)).to.deep.equal([...WRITERS].sort())
  })

  it('names columns that exist', () => {
    const columns = columnsByTable()
    const wrong = files.flatMap(({ path, text }) =>
      literalsOf(text)
        .flatMap(columnsNamed)
        .filter(({ table, column }) => {
          const known = columns.get(table)
          return known && !known.has(column) && !BESIDE_ENTITIES[table]?.includes(column)
        })
        .map(({ table, column }) => `${path}: ${table}.${column}`),
    )
    expect(wrong).to.deep.equal([])
  })
})

/** Paths of files in which the pattern's first group is another feature's table. */
function filesThat(pattern: RegExp, except?: RegExp): string[] {
  return files
    .filter(({ feature, text }) =>
      [...text.matchAll(pattern)].some(({ 1: table = '', index }) => {
        const owner = owners.get(table)
        return owner !== undefined && owner !== feature && !except?.test(text.slice(0, index))
      }),
    )
    .map(({ path }) => path)
    .sort()
}

function columnsByTable(): Map<string, Set<string>> {
  const { tables, columns } = getMetadataArgsStorage()
  return new Map(
    tables.map(({ name, target }) => [
      name ?? '',
      new Set(
        columns.filter((one) => one.target === target).map((one) => one.options.name ?? one.propertyName),
      ),
    ]),
  )
}

/** The columns that a statement names with their table, and those of a plain list from one table. */
function columnsNamed(sql: string): { table: string; column: string }[] {
  const tables = tablesOf(sql)
  const named = [...sql.matchAll(/(?<![\w.$])(\w+)\.(\w+)\b(?!\()/g)].flatMap(
    ([, alias = '', column = '']) => {
      const table = tables.get(alias)
      return table === undefined ? [] : [{ table, column }]
    },
  )
  const [, list = '', table = ''] = /^.\s*SELECT ([\w\s,]+?)\s+FROM (\w+)/.exec(sql) ?? []
  const listed = list.split(',').flatMap((one) => /^\s*([a-z]\w*)(?: AS \w+)?\s*$/.exec(one)?.[1] ?? [])
  return [...named, ...listed.map((column) => ({ table, column }))]
}

/** Tables by the names that a statement has for them. */
function tablesOf(sql: string): Map<string, string> {
  const found = new Map<string, string>()
  for (const [, table = '', alias] of sql.matchAll(
    /\b(?:FROM|JOIN|UPDATE|INTO)\s+`?(\w+)`?(?:\s+(?:AS\s+)?([a-z]\w*))?/g,
  )) {
    if (!owners.has(table)) continue
    found.set(table, table)
    if (alias) found.set(alias, table)
  }
  return found
}

/** Strings and templates of a source that hold SQL. */
function literalsOf(text: string): string[] {
  return [...text.matchAll(/`(?:[^`\\]|\\.)*`|'(?:[^'\\\n]|\\.)*'/g)]
    .map(([all]) => all)
    .filter((one) => /\b(FROM|JOIN|UPDATE|INTO) /.test(one))
}

function sources(): { path: string; feature: string; text: string }[] {
  return readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !/^(infrastructure\/database\/migrations|sandbox)\//.test(path))
    .map((path) => ({
      path,
      feature: path.split('/').slice(0, 2).join('/'),
      text: readFileSync(join(SOURCE, path), 'utf8'),
    }))
}
