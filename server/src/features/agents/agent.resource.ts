/** Agents, as the managers of a workspace have them. */
import { resource } from '../../infrastructure/resources/resource.js'
import { Agent } from './agent.entity.js'
import { AgentList, AgentShape, CreateAgent } from './agent.schema.js'

export const taken = { 409: 'The username or the e-mail exists in the workspace' }

/** Digests of the password. */
export const hashes = [
  'ha1',
  'ha1b',
  'ha1_sha256',
  'ha1b_sha256',
  'address_ha1b',
  'address_ha1b_sha256',
] as const

/** To change and to delete one are endpoints of their own, which guard admins. */
export const agentResource = resource({
  ...{ path: '/agents', noun: 'agent', tag: 'Agents' },
  ...{ id: 'ag', table: Agent, search: ['display_name', 'email', 'username'] },
  hidden: ['password_hash', ...hashes],
  fields: {
    password_hash: 'password',
    ...Object.fromEntries(hashes.map((hash) => [hash, 'softphone_password'])),
  },
  shape: AgentShape,
  list: { query: AgentList },
  show: {},
  create: {
    body: CreateAgent,
    summary: 'Add an agent',
    description:
      'The country is the workspace’s unless another is named. Admins are made by owners, admins and the operator only. When `username` breaks its rules, the `message` of the 400 is an array.',
    errors: {
      403: 'The workspace holds as many agents as it may, or an admin is made by less than an owner',
      ...taken,
    },
  },
})
