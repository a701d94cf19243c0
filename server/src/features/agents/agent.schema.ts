import Type, { type Static } from 'typebox'
import { idOrNone, listQuery } from '../../infrastructure/http/lists.js'
import { CountryCode, Timestamp, nullable, wellFormed } from '../../infrastructure/http/shapes.js'

const role = Type.Enum(['member', 'leader', 'supervisor'])
const state = Type.Enum(['available', 'incall', 'busy', 'offline'])

export const isRinging = Type.Boolean({
  description: 'A call rings the agent, whose state is `busy`: they have not chosen to be',
})

/** Letters of every script, and the marks that some scripts write them with. */
const name = '^[ -]*\\p{L}[\\p{L}\\p{M} -]*$'
const nameRule = 'letters, spaces and hyphens, with one letter at least'

const newUsername = Type.String({
  minLength: 3,
  maxLength: 30,
  pattern: '^[a-z][a-z0-9]*$',
  'x-rule': 'lowercase letters and digits, beginning with a letter',
  'x-all-messages': true,
})
const username = Type.String({
  minLength: 3,
  maxLength: 30,
  pattern: '^[a-z0-9-]*$',
  'x-rule': 'lowercase letters, digits and hyphens',
})
const displayName = (minLength: number, maxLength: number) =>
  Type.String({ minLength, maxLength, pattern: name, 'x-rule': nameRule })
const isAdmin = { description: 'May do in the workspace what an API key of its owner may' }
const password = Type.String({
  minLength: 6,
  maxLength: 50,
  pattern: wellFormed,
  'x-rule': 'well-formed text',
  format: 'password',
})
const email = Type.String({ maxLength: 254, format: 'email' })
const voicemailByEmail = {
  description: 'Whether voicemails for the agent and their teams are sent to the e-mail, with the sound',
}
const avatar = Type.String({
  maxLength: 2048,
  format: 'uri',
  pattern: '^https?://[^/?#]',
  'x-rule': 'an address that begins with https:// or http:// and names a host',
  description: 'Address of a picture',
})

export const AgentShape = Type.Object(
  {
    id: Type.String(),
    workspace_id: Type.String(),
    username: Type.String(),
    domain: Type.String(),
    display_name: Type.String(),
    email: nullable(Type.String()),
    avatar: nullable(Type.String({ description: 'Address of a picture' })),
    role,
    is_admin: Type.Boolean(isAdmin),
    state,
    is_ringing: isRinging,
    is_active: Type.Boolean(),
    voicemail_by_email: Type.Boolean(voicemailByEmail),
    country_code: Type.String(),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'Agent' },
)
export type AgentAnswer = Static<typeof AgentShape>

const sorted = listQuery({
  limit: 10,
  sort: ['created_at', 'display_name', 'email', 'username', 'is_active'],
  search: 'Looks at display name, e-mail and username',
})

/** Lists of agents that are not filtered, such as those of a team. */
export const AgentsOf = sorted

export const AgentList = Type.Object({
  ...sorted.properties,
  state: Type.Optional(state),
  country_code: Type.Optional(CountryCode),
  is_active: Type.Optional(Type.Boolean()),
  is_admin: Type.Optional(Type.Boolean()),
  role: Type.Optional(role),
  team_id: idOrNone('Only the members of this team'),
})
export type AgentList = Static<typeof AgentList>

export const CreateAgent = Type.Object({
  username: newUsername,
  password,
  display_name: displayName(3, 50),
  email: Type.Optional(nullable(email)),
  avatar: Type.Optional(nullable(avatar)),
  country_code: Type.Optional(CountryCode),
  is_active: Type.Boolean({ default: true }),
  role: Type.Unsafe<Static<typeof role>>({ ...role, default: 'member' }),
  is_admin: Type.Boolean({ ...isAdmin, default: false }),
  voicemail_by_email: Type.Boolean({ ...voicemailByEmail, default: false }),
})
export type CreateAgent = Static<typeof CreateAgent>

export const UpdateAgent = Type.Object({
  username: Type.Optional(username),
  display_name: Type.Optional(displayName(1, 35)),
  email: Type.Optional(nullable(email)),
  avatar: Type.Optional(nullable(avatar)),
  is_active: Type.Optional(Type.Boolean()),
  country_code: Type.Optional(CountryCode),
  role: Type.Optional(role),
  is_admin: Type.Optional(Type.Boolean(isAdmin)),
  voicemail_by_email: Type.Optional(Type.Boolean(voicemailByEmail)),
})
export type UpdateAgent = Static<typeof UpdateAgent>

export const ChangePassword = Type.Object({ password })

/** `new_password` is what the other two ways to a new password call it. */
export const ChangeAgentPassword = Type.Object({
  password: Type.Optional(password),
  new_password: Type.Optional(password),
})
export type ChangeAgentPassword = Static<typeof ChangeAgentPassword>
