/** Opt-outs in CSV files. */
import type { RowImporter } from '../../../infrastructure/csv/row-import.js'
import type { Owner } from '../../../infrastructure/database/workspace-table.js'
import type { CsvCell } from '../../../infrastructure/http/csv.js'
import { shownNumber } from '../../../lib/numbering/e164.js'
import { OptOutInput } from './opt-out.schema.js'
import type { ListedOptOut, OptOuts } from './opt-outs.js'

const maxLines = 10_000

export const optOutCells: Readonly<Record<string, (optOut: ListedOptOut) => CsvCell>> = {
  client_number: ({ client_number }) => shownNumber(client_number),
  system_number: ({ system_number }) => shownNumber(system_number),
  created_at: ({ created_at }) => created_at.toISOString(),
}

export function optOutImporter(optOuts: OptOuts, workspace: Owner): RowImporter<OptOutInput> {
  return {
    columns: [
      { name: 'client_number', kind: 'text', also: ['client', 'phone', 'phone_number', 'telephone'] },
      { name: 'phone_number_id', kind: 'text', also: ['system_number', 'our_number', 'number'] },
    ],
    body: OptOutInput,
    references: {
      phone_number_id: { table: 'phone_numbers', by: 'number', noun: 'a number', isNumber: true },
    },
    maxLines,
    prepare: async (owner, body) => optOuts.normalize(owner, body),
    keyOf: ({ client_number, phone_number_id }) => `${phone_number_id} ${client_number}`,
    keyColumn: 'client_number',
    existing: async (owner, bodies) => optOuts.among(owner, bodies),
    room: async () => Promise.resolve(Infinity),
    create: async (body) => optOuts.create(workspace, body),
  }
}
