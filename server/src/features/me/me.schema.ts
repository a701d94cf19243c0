import Type, { type Static } from 'typebox'
import { AgentShape, ChangePassword, UpdateAgent } from '../agents/agent.schema.js'

/** One's own account, the title of the workspace that it is in, and whether mail is sent. */
export const MeShape = Type.Object(
  {
    ...AgentShape.properties,
    workspace_title: Type.String(),
    has_mail: Type.Boolean({
      description: 'Whether the platform sends mail: without, no voicemail comes by e-mail',
    }),
  },
  { title: 'Me' },
)

/** What agents change of themselves; the rest is the workspace's to say. */
export const UpdateMe = Type.Object({
  ...Type.Pick(UpdateAgent, ['display_name', 'email', 'country_code', 'voicemail_by_email']).properties,
  current_password: Type.Optional(
    Type.String({ maxLength: 50, format: 'password', description: 'Needed for another e-mail' }),
  ),
})
export type UpdateMe = Static<typeof UpdateMe>

export const ChangeOwnPassword = Type.Object({
  current_password: Type.String({ maxLength: 50, format: 'password' }),
  new_password: ChangePassword.properties.password,
})
export type ChangeOwnPassword = Static<typeof ChangeOwnPassword>
