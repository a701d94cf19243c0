import { everyRow, valuesOf } from '../../import/existing.js'
import { importCommand } from '../../import/import-command.js'

export default importCommand('/phone-numbers/connect', {
  summary: 'Connect the numbers of a CSV file',
  description:
    'Columns: number (without its country code), country_code, title, inbound_acl_id, enable_outbound (true or false), outbound_gateway_id.',
  examples: [
    'number import numbers.csv --workspace acme --dry-run',
    'number import numbers.csv --workspace acme --set inbound_acl_id=acl_01 --set enable_outbound=false',
  ],
  list: '/phone-numbers',
  keyOf: ({ country_code = '', number = '' }) => [country_code, number].join(' '),
  keyOfExisting: ({ country_code, dial_code, number }) => `${country_code} ${number.slice(dial_code.length)}`,
  idOf: ({ id }) => id,
  idOfExisting: ({ id }) => id,
  searchBy: 'number',
  limit: 'phone_numbers',
  references: {
    inbound_acl_id: async (api) => valuesOf(everyRow(api, '/sip-trunks/acls'), ({ id }) => id),
    outbound_gateway_id: async (api) => valuesOf(everyRow(api, '/sip-trunks/gateways'), ({ id }) => id),
  },
})
