/** Extensions in CSV files, beside what all resources have. An extension is known by its number. */
import { byCreation, exportEndpoint, importEndpoint } from '../../infrastructure/csv/csv-endpoints.js'
import type { RowImporter } from '../../infrastructure/csv/row-import.js'
import type { Database } from '../../infrastructure/database/database.js'
import type { Owner } from '../../infrastructure/database/workspace-table.js'
import type { CsvCell } from '../../infrastructure/http/csv.js'
import type { Extension } from './extension.entity.js'
import type { ExtensionPresenter } from './extension.presenter.js'
import { extensionResource } from './extension.resource.js'
import { CreateExtension } from './extension.schema.js'
import { type ExtensionService, chosenIds } from './extension.service.js'

const maxLines = 10_000

const csv = { path: extensionResource.path, tag: extensionResource.tag, plural: 'extensions' }

const cells: Readonly<Record<string, (extension: Extension) => CsvCell>> = {
  extension_number: ({ extension_number }) => extension_number,
  title: ({ title }) => title,
  destination: ({ destination }) => destination,
  agent_id: ({ agent_id }) => agent_id,
  team_id: ({ team_id }) => team_id,
  sip_account_id: ({ sip_account_id }) => sip_account_id,
  voice_agent_id: ({ voice_agent_id }) => voice_agent_id,
}

interface Services {
  database: Database
  extensions: ExtensionService
  extensionPresenter: ExtensionPresenter
}

export function extensionEndpoints({ database, extensions, extensionPresenter }: Services) {
  return [
    // Its path would match /extensions/:id, too.
    exportEndpoint({
      ...csv,
      ...{ audited: 'extension', query: extensionResource.list.query },
      cells,
      cursorOf: byCreation,
      list: async (workspace, query) => extensions.list(workspace, query),
    }),
    importEndpoint(
      database,
      csv,
      (workspace) => importer(extensions, workspace),
      '`extension_number`, `title`, `destination`, and the one of `agent_id`, `team_id`, `sip_account_id` and `voice_agent_id` that it needs',
    ),
    ...extensionResource.endpoints(extensions, extensionPresenter),
  ]
}

function importer(extensions: ExtensionService, workspace: Owner): RowImporter<CreateExtension> {
  return {
    columns: [
      { name: 'extension_number', kind: 'text', also: ['extension', 'number'] },
      { name: 'title', kind: 'text', also: ['name'] },
      { name: 'destination', kind: 'text', also: ['type'] },
      { name: 'agent_id', kind: 'text', also: ['agent'] },
      { name: 'team_id', kind: 'text', also: ['team'] },
      { name: 'sip_account_id', kind: 'text', also: ['sip_account'] },
      { name: 'voice_agent_id', kind: 'text', also: ['voice_agent'] },
    ],
    body: CreateExtension,
    references: {
      agent_id: { table: 'agents', by: 'username', noun: 'an agent' },
      team_id: { table: 'teams', by: 'title', noun: 'a team' },
      sip_account_id: { table: 'sip_accounts', by: 'username', noun: 'a SIP account' },
      voice_agent_id: { table: 'voice_agents', by: 'name', noun: 'a voice agent' },
    },
    maxLines,
    prepare: async (_owner, body) => {
      chosenIds(body.destination, body)
      return Promise.resolve()
    },
    keyOf: ({ extension_number }) => extension_number,
    keyColumn: 'extension_number',
    existing: async (owner, bodies) =>
      extensions.idsBy(
        owner,
        'extension_number',
        bodies.map(({ extension_number }) => extension_number),
      ),
    room: async (owner) => extensions.room(owner),
    create: async (body) => extensions.create(workspace, body),
    update: async (id, given) => extensions.update(workspace, id, given),
  }
}
