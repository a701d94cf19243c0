/** Agents in CSV files. An agent is known by the username. */
import Type, { type Static } from 'typebox'
import type { CsvCell } from '../../infrastructure/http/csv.js'
import type { RowImporter } from '../../infrastructure/csv/row-import.js'
import type { ManagingActor, Tenant } from '../../infrastructure/http/endpoint.js'
import { invalidField } from '../../infrastructure/http/errors.js'
import { adminGuard } from './admin-guard.js'
import type { Agent } from './agent.entity.js'
import { CreateAgent } from './agent.schema.js'
import type { AgentService } from './agent.service.js'
import { hashPassword } from './passwords.js'

/** The file of an export, which has no passwords, changes agents that exist. */
const ImportedAgent = Type.Object({
  ...CreateAgent.properties,
  password: Type.Optional(CreateAgent.properties.password),
})
type ImportedAgent = Static<typeof ImportedAgent>

/** Each password takes a processor for a while. */
const maxLines = 500

export const agentCells: Readonly<Record<string, (agent: Agent) => CsvCell>> = {
  username: ({ username }) => username,
  display_name: ({ display_name }) => display_name,
  email: ({ email }) => email,
  role: ({ role }) => role,
  is_admin: ({ is_admin }) => String(is_admin),
  is_active: ({ is_active }) => String(is_active),
  voicemail_by_email: ({ voicemail_by_email }) => String(voicemail_by_email),
  country_code: ({ country_code }) => country_code,
}

export function agentImporter(
  agents: AgentService,
  workspace: Tenant,
  actor: ManagingActor,
): RowImporter<ImportedAgent> {
  const guard = adminGuard(actor)
  const hashes = new Map<ImportedAgent, string>()
  return {
    columns: [
      { name: 'username', kind: 'text', also: ['user', 'login'] },
      { name: 'password', kind: 'text', isSecret: true },
      { name: 'display_name', kind: 'text', also: ['name', 'full_name'] },
      { name: 'email', kind: 'text', also: ['e_mail', 'mail', 'email_address'] },
      { name: 'role', kind: 'text' },
      { name: 'is_admin', kind: 'boolean', also: ['admin'] },
      { name: 'is_active', kind: 'boolean', also: ['active'] },
      { name: 'voicemail_by_email', kind: 'boolean' },
      { name: 'country_code', kind: 'text', also: ['country'] },
    ],
    body: ImportedAgent,
    forNew: ['password'],
    maxLines,
    keyOf: ({ username }) => username,
    keyColumn: 'username',
    existing: async (owner, bodies) =>
      agents.idsBy(
        owner,
        'username',
        bodies.map(({ username }) => username),
      ),
    room: async (owner) => agents.room(owner),
    // Before the transaction, which would hold its locks meanwhile.
    before: async (bodies) => {
      await Promise.all(
        bodies.map(async (body) => void hashes.set(body, await hashPassword(passwordOf(body)))),
      )
    },
    create: async (body) =>
      agents.create(workspace, { ...body, password: passwordOf(body) }, guard, hashes.get(body)),
    // Their passwords stay: to set one ends sessions and registrations.
    update: async (id, { password: _, username: __, ...given }) => agents.update(workspace, id, given, guard),
  }
}

/** @throws {ValidationError} */
function passwordOf({ password }: ImportedAgent): string {
  if (password === undefined) throw invalidField('password', 'password is required')
  return password
}
