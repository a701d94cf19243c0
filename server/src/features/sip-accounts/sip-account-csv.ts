/** SIP accounts in CSV files. An account is known by its username. */
import Type, { type Static } from 'typebox'
import type { CsvCell } from '../../infrastructure/http/csv.js'
import type { RowImporter } from '../../infrastructure/csv/row-import.js'
import type { Owner } from '../../infrastructure/database/workspace-table.js'
import { invalidField } from '../../infrastructure/http/errors.js'
import type { SipAccount } from './sip-account.entity.js'
import { CreateSipAccount } from './sip-account.schema.js'
import type { SipAccountService } from './sip-account.service.js'

/** The file of an export, which has no passwords, changes accounts that exist. */
const ImportedAccount = Type.Object({
  ...CreateSipAccount.properties,
  password: Type.Optional(CreateSipAccount.properties.password),
})
type ImportedAccount = Static<typeof ImportedAccount>

const maxLines = 10_000

export const sipAccountCells: Readonly<Record<string, (account: SipAccount) => CsvCell>> = {
  username: ({ username }) => username,
  title: ({ title }) => title,
  outbound_caller_id: ({ outbound_caller_id: number }) => number && `+${number}`,
  max_concurrent_calls: ({ max_concurrent_calls }) => max_concurrent_calls,
}

export function sipAccountImporter(
  accounts: SipAccountService,
  workspace: Owner,
): RowImporter<ImportedAccount> {
  return {
    columns: [
      { name: 'username', kind: 'text', also: ['user', 'login'] },
      { name: 'password', kind: 'text', isSecret: true },
      { name: 'title', kind: 'text', also: ['name'] },
      { name: 'outbound_caller_id', kind: 'text', also: ['caller_id', 'caller'] },
      { name: 'max_concurrent_calls', kind: 'number' },
    ],
    body: ImportedAccount,
    forNew: ['password'],
    maxLines,
    prepare: async (owner, body) => accounts.normalize(owner, body),
    keyOf: ({ username }) => username,
    keyColumn: 'username',
    existing: async (owner, bodies) =>
      accounts.idsBy(
        owner,
        'username',
        bodies.map(({ username }) => username),
      ),
    room: async (owner) => accounts.room(owner),
    create: async ({ password, ...body }) => {
      if (password === undefined) throw invalidField('password', 'password is required')
      return accounts.create(workspace, { ...body, password })
    },
    // Their passwords stay: another one takes the phones off the registrar.
    update: async (id, { password: _, username: __, ...given }) => accounts.update(workspace, id, given),
  }
}
