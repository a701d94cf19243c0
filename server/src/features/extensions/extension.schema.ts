import Type, { type Static } from 'typebox'
import { listQuery } from '../../infrastructure/http/lists.js'
import { Id, Timestamp, Title, nullable, patterned } from '../../infrastructure/http/shapes.js'
import { SipAccountShape } from '../sip-accounts/sip-account.schema.js'

const destination = Type.Enum(['agent', 'team', 'sip-account', 'voice-agent'])

const AgentOfExtension = Type.Object({
  id: Type.String(),
  username: Type.String(),
  display_name: Type.String(),
  email: nullable(Type.String()),
  avatar: nullable(Type.String()),
})
const TeamOfExtension = Type.Object({ id: Type.String(), title: Type.String(), agent_count: Type.Integer() })
const VoiceAgentOfExtension = Type.Object({ id: Type.String(), name: Type.String() })

export const ExtensionShape = Type.Object(
  {
    id: Type.String(),
    workspace_id: Type.String(),
    extension_number: Type.String(),
    is_emergency_number: Type.Boolean({
      description:
        'Whether its number is an emergency number of the workspace’s country: phones that dial it reach the emergency service',
    }),
    title: Type.String(),
    destination,
    agent_id: nullable(Type.String()),
    team_id: nullable(Type.String()),
    sip_account_id: nullable(Type.String()),
    voice_agent_id: nullable(Type.String()),
    agent: Type.Optional(AgentOfExtension),
    team: Type.Optional(TeamOfExtension),
    sip_account: Type.Optional(SipAccountShape),
    voice_agent: Type.Optional(VoiceAgentOfExtension),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  {
    title: 'Extension',
    description: 'With what it leads to: one of agent, team, sip_account and voice_agent',
  },
)

const fields = {
  title: Title(1, 36),
  extension_number: patterned('^[0-9]{3,6}$', '3 to 6 digits'),
  destination,
}

/** Only the id of the chosen destination may be given; the others may be null. */
const ids = {
  agent_id: Type.Optional(nullable(Id({ description: 'Required when destination is agent' }))),
  team_id: Type.Optional(nullable(Id({ description: 'Required when destination is team' }))),
  sip_account_id: Type.Optional(nullable(Id({ description: 'Required when destination is sip-account' }))),
  voice_agent_id: Type.Optional(nullable(Id({ description: 'Required when destination is voice-agent' }))),
}

export const CreateExtension = Type.Object({ ...fields, ...ids })
export type CreateExtension = Static<typeof CreateExtension>

export const UpdateExtension = Type.Object({ ...Type.Partial(Type.Object(fields)).properties, ...ids })
export type UpdateExtension = Static<typeof UpdateExtension>

const leadingTo = (what: string) => Type.Optional(Id({ description: `Only those that lead to this ${what}` }))

export const ExtensionList = Type.Object({
  ...listQuery({
    limit: 10,
    sort: ['created_at', 'extension_number', 'title'],
    search: 'Looks at title and number',
  }).properties,
  destination: Type.Optional(destination),
  agent_id: leadingTo('agent'),
  team_id: leadingTo('team'),
  sip_account_id: leadingTo('SIP account'),
  voice_agent_id: leadingTo('voice agent'),
})
export type ExtensionList = Static<typeof ExtensionList>
