/** Extensions, as the API has them. */
import { invalidField } from '../../infrastructure/http/errors.js'
import { resource } from '../../infrastructure/resources/resource.js'
import { type DestinationId, Extension, destinationIds } from './extension.entity.js'
import { CreateExtension, ExtensionList, ExtensionShape, UpdateExtension } from './extension.schema.js'

/** What each id names: its table, and what it is called where the id is wrong. */
export const named = {
  agent_id: { table: 'agents', noun: 'an agent' },
  team_id: { table: 'teams', noun: 'a team' },
  sip_account_id: { table: 'sip_accounts', noun: 'a SIP account' },
  voice_agent_id: { table: 'voice_agents', noun: 'a voice agent' },
} as const satisfies Record<DestinationId, object>

export function unknownId(field: DestinationId) {
  return invalidField(field, `${field} is not ${named[field].noun} of this workspace`)
}

const taken = { 409: 'The number is taken' }

export const extensionResource = resource({
  ...{ path: '/extensions', noun: 'extension', tag: 'Extensions' },
  ...{ id: 'ex', table: Extension, search: ['title', 'extension_number'] },
  taken: (row) => `The extension ${row.extension_number} exists in this workspace already`,
  missing: (row) => unknownId(destinationIds[row.destination]),
  shape: ExtensionShape,
  list: { query: ExtensionList },
  show: {},
  create: { body: CreateExtension, errors: taken },
  update: {
    body: UpdateExtension,
    description: 'Another destination needs its id; the id of the former one is forgotten.',
    errors: taken,
  },
  // Nothing does.
  delete: { errors: { 409: 'Something uses it' } },
})
