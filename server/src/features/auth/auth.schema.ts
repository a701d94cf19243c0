import Type, { type Static } from 'typebox'
import { Timestamp, nullable, wellFormed } from '../../infrastructure/http/shapes.js'

/** ASCII, as usernames can be compared with nothing else. */
const Username = Type.String({
  ...{ minLength: 3, maxLength: 30 },
  ...{ pattern: '^[!-~]*$', 'x-rule': 'printable ASCII without spaces' },
})
const Password = Type.String({ minLength: 6, maxLength: 50, pattern: wellFormed, format: 'password' })
/** As long as any token of ours. */
const Token = Type.String({ minLength: 1, maxLength: 4_096 })
const DeviceId = Type.String({
  minLength: 1,
  maxLength: 128,
  pattern: '^[\\x21-\\x7e]*$',
  'x-rule': 'printable ASCII without spaces',
  description: 'Names the device: IDFV, Android id or a UUID',
})
const EpochMs = Type.Integer({ description: 'Milliseconds since 1970' })

export const Login = Type.Object({ username: Username, password: Password, device_id: DeviceId })
export type Login = Static<typeof Login>

const SessionTokens = Type.Object(
  {
    access_token: Type.String({ description: 'Valid 1 day, sent as Bearer' }),
    expires_at: EpochMs,
    refresh_token: Type.String({ description: 'Valid 30 days, for one use at /auth/refresh' }),
  },
  { title: 'SessionTokens' },
)

export const LoggedIn = Type.Object(
  {
    tokens: SessionTokens,
    info: Type.Object({ username: Type.String(), domain: Type.String(), display_name: Type.String() }),
  },
  { title: 'LoggedIn' },
)

export const Verify = Type.Object({ token: Type.Optional(Type.String({ maxLength: 4_096 })) })

export const Verified = Type.Object(
  {
    username: Type.String(),
    domain: Type.String(),
    workspace_id: Type.String(),
    display_name: Type.String(),
    avatar: nullable(Type.String()),
    expires_at: EpochMs,
  },
  { title: 'VerifiedToken' },
)

export const CheckUsername = Type.Object({ username: Username })
export const MaskedEmail = Type.Object(
  { email: Type.String({ description: 'Masked: `ja******@example.com`' }) },
  { title: 'MaskedEmail' },
)

export const ForgotPassword = Type.Object({
  username: Username,
  email: Type.String({ maxLength: 254, format: 'email' }),
})
export const ResetPassword = Type.Object({ token: Token, new_password: Password })
export const Confirmation = Type.Object({ message: Type.String() }, { title: 'Confirmation' })

export const AskedForReset = Type.Object(
  {
    message: Type.String(),
    has_mail: Type.Boolean({
      description: 'Whether this server sends mail; false: an administrator of the workspace sets passwords',
    }),
  },
  { title: 'AskedForReset' },
)

export const Logout = Type.Object({ device_id: DeviceId })

export const SessionShape = Type.Object(
  {
    id: Type.String(),
    device_id: Type.String(),
    is_current: Type.Boolean({ description: 'Whether it is the session of this request' }),
    created_at: Timestamp,
    refreshed_at: Type.String({ format: 'date-time', description: 'When it got its tokens' }),
    expires_at: Type.String({ format: 'date-time', description: 'When it ends unless it is refreshed' }),
  },
  { title: 'AgentSession' },
)

export const Refresh = Type.Object({ refresh_token: Token, device_id: DeviceId })
export type Refresh = Static<typeof Refresh>
export const Refreshed = SessionTokens
