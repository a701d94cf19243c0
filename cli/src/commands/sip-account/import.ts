import { everyRow, valuesOf } from '../../import/existing.js'
import { importCommand } from '../../import/import-command.js'

export default importCommand('/sip-accounts', {
  summary: 'Create the SIP accounts of a CSV file',
  description:
    'Columns: username, password, title, outbound_caller_id (a number of the workspace; may be empty).',
  examples: ['sip-account import phones.csv --workspace acme --dry-run'],
  list: '/sip-accounts',
  keyOf: ({ username = '' }) => String(username),
  keyOfExisting: ({ username }) => username,
  idOf: ({ id }) => id,
  idOfExisting: ({ id }) => id,
  searchBy: 'username',
  limit: 'sip_accounts',
  references: {
    async outbound_caller_id(api) {
      const numbers = await valuesOf(everyRow(api, '/phone-numbers'), ({ number }) => number)
      return new Set([...numbers].flatMap((number) => [number, `+${number}`]))
    },
  },
})
