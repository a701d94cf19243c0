import Type, { type Static } from 'typebox'
import { idOrNone, listQuery } from '../../infrastructure/http/lists.js'
import { Timestamp, Title, nullable, patterned, printable } from '../../infrastructure/http/shapes.js'

const max_concurrent_calls = nullable(
  Type.Integer({
    minimum: 1,
    maximum: 10_000,
    description: 'Calls that its phones may make at once; null: as many as the operator’s settings say',
  }),
)

export const SipAccountShape = Type.Object(
  {
    id: Type.String(),
    workspace_id: Type.String(),
    title: Type.String(),
    username: Type.String(),
    domain: Type.String({ description: 'Where phones register; also their realm' }),
    outbound_caller_id: nullable(
      Type.String({
        description: 'Digits of a phone number of the workspace; null: no calls to the outside',
      }),
    ),
    max_concurrent_calls,
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'SipAccount' },
)

const title = Title(1, 36)
const password = Type.String({
  minLength: 6,
  maxLength: 50,
  pattern: printable,
  'x-rule': 'free of control characters',
})
const outbound_caller_id = nullable(
  patterned('^(\\+?[0-9]{1,20})?$', 'a phone number of this workspace, or empty', {
    description: 'A phone number of the workspace, with or without its plus sign; null or empty: none',
  }),
)

export const CreateSipAccount = Type.Object({
  title,
  username: patterned('^[a-z0-9]{3,30}$', '3 to 30 lower-case letters and digits'),
  password,
  outbound_caller_id: Type.Optional(outbound_caller_id),
  max_concurrent_calls: Type.Optional(max_concurrent_calls),
})
export type CreateSipAccount = Static<typeof CreateSipAccount>

/** The username is not among them: phones and their digests hold it. */
export const UpdateSipAccount = Type.Object({
  title: Type.Optional(title),
  password: Type.Optional(password),
  outbound_caller_id: Type.Optional(outbound_caller_id),
  max_concurrent_calls: Type.Optional(max_concurrent_calls),
})
export type UpdateSipAccount = Static<typeof UpdateSipAccount>

export const SipAccountList = Type.Object({
  ...listQuery({ limit: 10, sort: ['created_at', 'title'], search: 'Looks at title and username' })
    .properties,
  outbound_caller_id: idOrNone('Only those that call with this number, in digits'),
})
export type SipAccountList = Static<typeof SipAccountList>
