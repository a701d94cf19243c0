import Type, { type Static } from 'typebox'
import { Id, Timestamp, Title, nullable, patterned } from '../../infrastructure/http/shapes.js'

const platform = Type.Enum(['ios', 'android'])

const device_id = Type.String({
  ...{ minLength: 1, maxLength: 128, pattern: '^[!-~]*$', 'x-rule': 'printable ASCII without spaces' },
  description: 'Names the device: IDFV, Android id or a UUID; the same as at login',
})

export const deviceParams = Type.Object({ device_id: patterned('^[!-~]{1,128}$', 'a device id') })

const registration = {
  push_token: Type.String({
    ...{ minLength: 1, maxLength: 1_024, pattern: '^[!-~]*$', 'x-rule': 'printable ASCII without spaces' },
    description: 'Of APNs (hexadecimal) or of FCM, as the app got it',
  }),
  device_id,
  platform,
  os_version: Type.Optional(Title(0, 64)),
  app_version: Type.Optional(Title(0, 64)),
  device_model: Type.Optional(Title(0, 64)),
  api_key_sid: Type.Optional(
    Id({
      description:
        'For agents: the API key whose push credential serves their app; without it the workspace’s newest credential of the platform. Client tokens name theirs by iss',
    }),
  ),
}

export const RegisterVoipToken = Type.Object(registration)
export type RegisterVoipToken = Static<typeof RegisterVoipToken>

export const RegisterNotificationToken = Type.Object({
  ...registration,
  notification_push_provider: Type.Optional(
    Type.Enum(['apns', 'fcm'], {
      description: 'Whose token it is: apns by default for ios, fcm for android',
    }),
  ),
})
export type RegisterNotificationToken = Static<typeof RegisterNotificationToken>

/** Tokens are not shown: with a token and the credential one can push to the device. */
export const DeviceShape = Type.Object(
  {
    id: Type.String(),
    device_id: Type.String(),
    platform,
    api_key_sid: nullable(Type.String()),
    voip_push: Type.Boolean({ description: 'Calls ring it' }),
    notification_push: Type.Boolean({ description: 'Whether it gets a notice when a call stops ringing' }),
    notification_push_provider: nullable(Type.String({ description: 'apns or fcm' })),
    os_version: nullable(Type.String()),
    app_version: nullable(Type.String()),
    device_model: nullable(Type.String()),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'Device' },
)
