/** SQL beside the entities: which feature's tables it names, and that their columns exist. */
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { getMetadataArgsStorage } from 'typeorm'
import '../../src/entities.js'
import { pathOf } from '../support/paths.js'

const SOURCE = pathOf('server/src')

/** Files that read other features' tables, by why a query of one feature alone would not do. */
const READ_MODELS: Readonly<Record<string, readonly string[]>> = {
  'members of teams and agents, joined to see who may see or take something': [
    'agents/registered-softphones.ts',
    'calls/api/call-audience.ts',
    'calls/api/call-history.ts',
    'calls/model/team-calls.ts',
    'conversations/conversation-audience.ts',
    'conversations/conversation-scope.ts',
    'phone-numbers/phone-number.service.ts',
  ],
  'names of the parties of a call, a session or a change': [
    'calls/api/leg-names.ts',
    'devices/notified-devices.ts',
    'presence/presence-announcer.ts',
    'workspaces/actor-names.ts',
  ],
  'the live board': [
    'calls/live-board/live-board-news.ts',
    'calls/live-board/live-board.ts',
    'calls/live-board/live-calls-table.ts',
  ],
  'one query for what every call or text looks up': [
    'calls/limits/call-limits.ts',
    'calls/routing/inbound-number.ts',
    'messages/dispatch/claims.ts',
    'messages/inbound/carrier-countries.ts',
    'messages/inbound/inbound-messages.ts',
    'messages/inbound/inbound-numbers.ts',
    'messages/inbound/opt-outs.ts',
  ],
  'sessions and devices of agents': ['auth/agent-sessions.ts', 'auth/known-devices.ts'],
  'what is in use and may not be deleted': [
    'ai-providers/ai-provider.service.ts',
    'call-flows/flow-versions.ts',
    'messages/carriers/carrier.service.ts',
    'sip-trunks/gateway-registrations.ts',
  ],
  'what belongs to a cell': [
    'calls/queue/queue-store.ts',
    'calls/recovery/dead-cell-reaper.ts',
    'cells/cell.service.ts',
    'wiring/maintenance.ts',
  ],
  'figures of usage, money and work': [
    'alerts/fraud-watch.ts',
    'metrics/work-part.ts',
    'operator/work.ts',
    'workspaces/credit-check.ts',
    'workspaces/kept-bytes.ts',
    'workspaces/usage-export.ts',
    'workspaces/usage.service.ts',
  ],
  'the texts of a conversation, and the calls of recordings, captures and sessions': [
    'conversations/conversation-messages.ts',
    'conversations/conversation-writer.ts',
    'recordings/recording-store.ts',
    'sip-capture/sip-capture.service.ts',
    'voice-agents/sessions/session-store.ts',
  ],
  'rows past their retention, and what a client may have erased': [
    'retention/all-aging-rows.ts',
    'retention/call-removal.ts',
    'retention/deletions.ts',
    'retention/erasures/erase-calls.ts',
    'retention/erasures/erase-contacts.ts',
    'retention/erasures/erase-messages.ts',
    'retention/erasures/erasure.service.ts',
    'retention/erasures/redact-texts.ts',
    'retention/ledger-folding.ts',
    'retention/message-removal.ts',
    'retention/retention-sweep.ts',
    'retention/usage-days.ts',
    'retention/workspace-removal.ts',
  ],
}

/** Files that write other features' tables: they remove, or make anonymous, what is due in every feature. */
const WRITERS: readonly string[] = [
  'retention/call-removal.ts',
  'retention/erasures/erase-contacts.ts',
  'retention/erasures/erase-deliveries.ts',
  'retention/erasures/erase-devices.ts',
  'retention/erasures/redact-records.ts',
  'retention/ledger-folding.ts',
  'retention/message-removal.ts',
  'retention/usage-days.ts',
  'wiring/workspace-deletion.ts',
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
    .filter(
      (path) => path.endsWith('.ts') && path.includes('/') && !/^(database\/migrations|sandbox)\//.test(path),
    )
    .map((path) => ({
      path,
      feature: path.split('/')[0] ?? '',
      text: readFileSync(join(SOURCE, path), 'utf8'),
    }))
}
