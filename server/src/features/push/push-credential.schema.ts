import Type, { type Static } from 'typebox'
import { Timestamp, Title, nullable, patterned } from '../../infrastructure/http/shapes.js'

const platform = Type.Enum(['ios', 'android'])
const environment = Type.Enum(['sandbox', 'production'])
const tenCharacters = patterned('^[A-Za-z0-9]{10}$', '10 letters and digits')
const apiKeySid = patterned('^sid-[a-z0-9]{1,36}$', 'the sid of an API key', {
  description: 'The key whose client tokens it serves',
})

const material = {
  ios_key_id: Type.Optional(tenCharacters),
  ios_team_id: Type.Optional(tenCharacters),
  ios_private_key: Type.Optional(
    Type.String({
      maxLength: 4096,
      description: 'Content of the .p8 file, or the base64 in it; never shown again',
    }),
  ),
  ios_bundle_id: Type.Optional(
    patterned('^[A-Za-z0-9.-]{1,155}$', 'a bundle id: letters, digits, dots, hyphens'),
  ),
  ios_environment: Type.Optional(environment),
  android_service_account: Type.Optional(
    Type.String({ maxLength: 16_384, description: 'Service account JSON, as a string; never shown again' }),
  ),
  android_package_name: Type.Optional(
    Type.String({
      maxLength: 255,
      pattern: '^[A-Za-z][A-Za-z0-9_]*(\\.[A-Za-z][A-Za-z0-9_]*)+$',
      'x-rule': 'a package name: com.example.app',
    }),
  ),
}

export const CreatePushCredential = Type.Object({
  name: Title(1, 64),
  api_key_sid: apiKeySid,
  platform,
  ...material,
})
export type CreatePushCredential = Static<typeof CreatePushCredential>

export const UpdatePushCredential = Type.Object({
  name: Type.Optional(Title(1, 64)),
  api_key_sid: Type.Optional(apiKeySid),
  ...material,
})
export type UpdatePushCredential = Static<typeof UpdatePushCredential>

export const PushTestShape = Type.Object(
  {
    result: Type.Enum(['accepted', 'refused', 'unreachable'], {
      description:
        'What the push service makes of the credential; unreachable: it did not answer, or not yet',
    }),
    reason: nullable(
      Type.String({ description: 'In the words of the push service; null when it is accepted' }),
    ),
  },
  { title: 'PushCredentialTest' },
)

/** Fields of the other platform are null. */
export const PushCredentialShape = Type.Object(
  {
    id: Type.String(),
    workspace_id: Type.String(),
    name: Type.String(),
    api_key_sid: Type.String(),
    platform,
    ios_key_id: nullable(Type.String()),
    ios_team_id: nullable(Type.String()),
    ios_bundle_id: nullable(Type.String()),
    ios_environment: nullable(Type.String({ description: 'sandbox or production' })),
    android_project_id: nullable(Type.String()),
    android_client_email: nullable(Type.String()),
    android_package_name: nullable(Type.String()),
    key_fingerprint: Type.String({
      description: 'SHA-256 of the public half of the key (SubjectPublicKeyInfo, DER), in hexadecimal',
    }),
    last_error: nullable(
      Type.String({
        description: 'Why the push service refuses the credential; null while it does not',
      }),
    ),
    last_error_at: nullable(Timestamp),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'PushCredential' },
)
