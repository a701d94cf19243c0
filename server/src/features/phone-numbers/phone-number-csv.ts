/** Phone numbers in CSV files: connected by lines of a file, and written to one. */
import Type, { type Static } from 'typebox'
import type { CsvCell } from '../../infrastructure/http/csv.js'
import type { RowImporter } from '../../infrastructure/csv/row-import.js'
import type { Owner } from '../../infrastructure/database/workspace-table.js'
import { invalidField } from '../../infrastructure/http/errors.js'
import { Id, patterned } from '../../infrastructure/http/shapes.js'
import { internationalNumber, nationalNumber } from '../../lib/numbering/e164.js'
import type { SharedNumber } from './number-teams.js'
import { maxNumbers } from './phone-number.resource.js'
import { ConnectNumber, UpdateNumber } from './phone-number.schema.js'
import type { PhoneNumberService } from './phone-number.service.js'

const ImportedNumber = Type.Object({
  ...ConnectNumber.properties,
  number: patterned(
    '^\\+?[0-9 ().-]{6,30}$',
    'a number with a plus sign and its country code, or without both',
  ),
  call_flow_id: Type.Optional(Id()),
  shared_teams_id: UpdateNumber.properties.shared_teams_id,
  record_outbound: UpdateNumber.properties.record_outbound,
})
type ImportedNumber = Static<typeof ImportedNumber>

export const numberCells: Readonly<Record<string, (number: SharedNumber) => CsvCell>> = {
  number: ({ number }) => `+${number}`,
  country_code: ({ country_code }) => country_code,
  title: ({ title }) => title,
  status: ({ status }) => status,
  type: ({ type }) => type,
  capabilities: ({ capabilities }) => capabilities.join(';'),
  inbound_acl_id: ({ inbound_acl_id }) => inbound_acl_id,
  enable_outbound: ({ enable_outbound }) => String(enable_outbound),
  outbound_gateway_id: ({ outbound_gateway_id }) => outbound_gateway_id,
  call_flow_id: ({ call_flow_id }) => call_flow_id,
  shared_teams_id: ({ shared_teams_id }) => shared_teams_id.join(';'),
  record_outbound: ({ record_outbound }) => String(record_outbound),
}

export function numberImporter(numbers: PhoneNumberService, workspace: Owner): RowImporter<ImportedNumber> {
  return {
    columns: [
      { name: 'number', kind: 'text', also: ['phone_number', 'phone', 'telephone'] },
      { name: 'country_code', kind: 'text', also: ['country'] },
      { name: 'title', kind: 'text', also: ['name'] },
      { name: 'inbound_acl_id', kind: 'text', also: ['inbound_acl', 'acl', 'access_list'] },
      { name: 'enable_outbound', kind: 'boolean', also: ['outbound'] },
      { name: 'outbound_gateway_id', kind: 'text', also: ['outbound_gateway', 'gateway'] },
      { name: 'call_flow_id', kind: 'text', also: ['call_flow', 'flow'] },
      { name: 'shared_teams_id', kind: 'list', also: ['teams', 'team'] },
      { name: 'record_outbound', kind: 'boolean', also: ['record'] },
    ],
    body: ImportedNumber,
    references: {
      inbound_acl_id: { table: 'inbound_acls', by: 'title', noun: 'an access list' },
      outbound_gateway_id: { table: 'outbound_gateways', by: 'title', noun: 'a gateway' },
      call_flow_id: { table: 'call_flows', by: 'title', noun: 'a call flow' },
      shared_teams_id: { table: 'teams', by: 'title', noun: 'a team', areMany: true },
    },
    maxLines: maxNumbers,
    prepare: async (_owner, body) => {
      body.number = nationalPart(body)
      return Promise.resolve()
    },
    keyOf: ({ number, country_code }) => nationalNumber(number, country_code)?.digits ?? number,
    keyColumn: 'number',
    existing: async (owner, bodies) =>
      numbers.idsBy(
        owner,
        'number',
        bodies.map(({ number, country_code }) => nationalNumber(number, country_code)?.digits ?? number),
      ),
    room: async (owner) => numbers.room(owner),
    create: async ({ call_flow_id, shared_teams_id, record_outbound, ...body }) => {
      const { id } = await numbers.connect(workspace, body)
      // What a number is connected without.
      const settings = {
        ...(call_flow_id !== undefined && { call_flow_id }),
        ...(shared_teams_id && { shared_teams_id }),
        ...(record_outbound && { record_outbound }),
      }
      if (Object.keys(settings).length > 0) await numbers.update(workspace, id, settings)
    },
    update: async (id, { number: _, country_code: __, ...given }) => numbers.update(workspace, id, given),
  }
}

/** Digits without the country code, as numbers are connected. @throws {ValidationError} */
function nationalPart({ number, country_code }: ImportedNumber): string {
  const written = number.replaceAll(/[ ().-]/g, '')
  const parsed = written.startsWith('+')
    ? internationalNumber(written)
    : nationalNumber(written, country_code)
  const national = parsed?.digits.slice(parsed.dialCode.length) ?? ''
  if (!parsed || nationalNumber(national, country_code)?.digits !== parsed.digits)
    throw invalidField('number', `number is not a possible number of ${country_code}`)
  return national
}
