import { exportEndpoint, importEndpoint } from '../../../infrastructure/csv/csv-endpoints.js'
import type { Database } from '../../../infrastructure/database/database.js'
import { apiKey, endpoint } from '../../../infrastructure/http/endpoint.js'
import { listAnswer, listOf } from '../../../infrastructure/http/lists.js'
import { shownNumber } from '../../../lib/numbering/e164.js'
import { optOutCells, optOutImporter } from './opt-out-csv.js'
import { OptOutInput, OptOutQuery, OptOutShape, optOutParams } from './opt-out.schema.js'
import { type ListedOptOut, type OptOuts, cursorOf } from './opt-outs.js'

const tag = 'Messages'
const csv = { path: '/opt-outs', tag, plural: 'opt-outs' }

export function optOutEndpoints({ database, optOuts }: { database: Database; optOuts: OptOuts }) {
  return [
    exportEndpoint({
      ...csv,
      ...{ audited: 'opt_out', query: OptOutQuery, cells: optOutCells },
      cursorOf,
      list: async (workspace, query) => optOuts.list(workspace, query),
    }),
    importEndpoint(
      database,
      csv,
      (workspace) => optOutImporter(optOuts, workspace),
      '`client_number` and `phone_number_id`, the number that sends them nothing more',
    ),
    endpoint({
      method: 'GET',
      path: '/opt-outs',
      summary: 'List the clients who want no more messages',
      tag,
      auth: apiKey('any'),
      query: OptOutQuery,
      response: { 200: listOf(OptOutShape) },
      handler: async ({ workspace, query }) =>
        listAnswer(query, await optOuts.list(workspace, query), present),
    }),
    endpoint({
      method: 'POST',
      path: '/opt-outs',
      summary: 'Opt a client out of messages',
      description:
        'For lists that are imported from another system: clients opt out by STOP, and in again by START. An existing opt-out is returned unchanged.',
      tag,
      auth: apiKey('full'),
      body: OptOutInput,
      response: { 201: OptOutShape },
      handler: async ({ workspace, body }) => present(await optOuts.create(workspace, body)),
    }),
    endpoint({
      method: 'DELETE',
      path: '/opt-outs/:phone_number_id/:client_number',
      summary: 'Take an opt-out back',
      description: 'Only on the client’s own word: carriers and the law ask for that.',
      tag,
      auth: apiKey('full'),
      params: optOutParams,
      response: { 200: OptOutShape },
      errors: { 404: 'The client has not opted out' },
      handler: async ({ workspace, params }) =>
        present(await optOuts.delete(workspace, params.phone_number_id, params.client_number)),
    }),
  ]
}

function present({ workspace_id, phone_number_id, system_number, client_number, created_at }: ListedOptOut) {
  return {
    ...{ workspace_id, phone_number_id },
    system_number: shownNumber(system_number),
    client_number: shownNumber(client_number),
    created_at: created_at.toISOString(),
  }
}
