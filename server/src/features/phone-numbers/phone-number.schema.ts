import Type, { type Static } from 'typebox'
import { idOrNone, listQuery } from '../../infrastructure/http/lists.js'
import {
  CountryCode,
  Id,
  Timestamp,
  Title,
  Usd,
  nullable,
  patterned,
} from '../../infrastructure/http/shapes.js'
import { verifiers } from './phone-number.entity.js'

const fee = Usd(0, 1000)
const status = Type.Enum(['pending', 'active', 'inactive'])
const type = Type.Enum(['local', 'tollfree', 'mobile', 'international'])
const capability = Type.Enum(['voice', 'sms'])
const capabilities = Type.Array(capability, { maxItems: 2 })

const verified = Type.Boolean({
  description:
    'Whether it may be shown to others, as caller id and as the sender of texts: the operator says so, or a code that a call or a text brought to it',
})

export const PhoneNumberShape = Type.Object(
  {
    id: Type.String(),
    workspace_id: Type.String(),
    title: Type.String(),
    number: Type.String({ description: 'Digits with the country calling code' }),
    country_code: Type.String(),
    dial_code: Type.String(),
    status,
    type,
    capabilities,
    provider: Type.String({ description: 'sip_trunk, or who provides the number' }),
    enable_outbound: Type.Boolean(),
    inbound_acl_id: Type.String(),
    outbound_gateway_id: nullable(Type.String()),
    call_flow_id: nullable(Type.String()),
    call_flow_title: Type.Optional(nullable(Type.String({ description: 'In lists' }))),
    shared_teams_id: Type.Array(Type.String(), { description: 'Empty: available to all agents' }),
    shared_team_names: Type.Optional(
      Type.Array(Type.String(), { description: 'In lists, in the order of shared_teams_id' }),
    ),
    record_outbound: Type.Boolean(),
    is_verified: verified,
    verified_by: Type.Union([Type.Enum([...verifiers]), Type.Null()], {
      description: 'upgrade: it called out before numbers were verified, and is signed with B at most',
    }),
    verified_at: nullable(Timestamp),
    fee_per_month: fee,
    fee_per_mins_call: fee,
    fee_per_segment: fee,
    fee_per_mms: fee,
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'PhoneNumber' },
)

export const NumberQuery = Type.Object({
  ...listQuery({
    limit: 20,
    sort: ['created_at', 'title', 'number'],
    search: 'Looks at title and number',
  }).properties,
  capability: Type.Optional(capability),
  status: Type.Optional(status),
  type: Type.Optional(type),
  enable_outbound: Type.Optional(Type.Boolean()),
  call_flow_id: idOrNone('Only those that lead to this call flow'),
  team_id: idOrNone('Only those that are shared with this team'),
})
export type NumberQuery = Static<typeof NumberQuery>

const Trunk = Type.Object({ id: Type.String(), name: Type.String(), workspace_id: Type.String() })

export const PhoneNumberDetailShape = Type.Object(
  { ...PhoneNumberShape.properties, acl: Trunk, gateway: Type.Optional(Trunk) },
  { title: 'PhoneNumberDetail' },
)

export const ConnectNumber = Type.Object({
  title: Title(1, 36),
  number: patterned('^[0-9]{6,14}$', '6 to 14 digits, without the country code'),
  country_code: CountryCode,
  inbound_acl_id: Id(),
  enable_outbound: Type.Boolean(),
  outbound_gateway_id: Type.Optional(Id({ description: 'Required when enable_outbound is true' })),
})
export type ConnectNumber = Static<typeof ConnectNumber>

export const UpdateNumber = Type.Object({
  title: Type.Optional(Title(1, 36)),
  inbound_acl_id: Type.Optional(Id()),
  enable_outbound: Type.Optional(Type.Boolean()),
  outbound_gateway_id: Type.Optional(nullable(Id())),
  shared_teams_id: Type.Optional(Type.Array(Id(), { maxItems: 100, uniqueItems: true })),
  record_outbound: Type.Optional(Type.Boolean()),
  call_flow_id: Type.Optional(nullable(Id())),
})
export type UpdateNumber = Static<typeof UpdateNumber>

/** What the carrier decides about a customer's number. */
export const SetNumber = Type.Object({
  status: Type.Optional(status),
  capabilities: Type.Optional(Type.Array(capability, { maxItems: 2, uniqueItems: true })),
  is_verified: Type.Optional(verified),
  fee_per_month: Type.Optional(fee),
  fee_per_mins_call: Type.Optional(fee),
  fee_per_segment: Type.Optional(fee),
  fee_per_mms: Type.Optional(fee),
})
export type SetNumber = Static<typeof SetNumber>
