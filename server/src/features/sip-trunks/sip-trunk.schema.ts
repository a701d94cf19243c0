import Type, { type Static } from 'typebox'
import { listQuery } from '../../infrastructure/http/lists.js'
import { Id, Timestamp, Title, nullable, patterned, printable } from '../../infrastructure/http/shapes.js'
import { sipTransports } from '../../infrastructure/http-client/sip-servers.js'
import { unverifiedCallers } from '../../adapters/stir-shaken/caller-verification.js'
import { mediaEncryptions } from '../../adapters/freeswitch/switchboard.js'
import { numberFormats } from '../../adapters/sms/numbers.js'
import { numberSettings } from '../../adapters/sms/number-settings.schema.js'
import { calledNumberPlaces } from './inbound-acl.entity.js'
import { GatewayCodecs } from './gateway-codecs.js'
import { registrationStatuses } from './gateway-registration.entity.js'
import { forwardedCallers, forwardedHeaders, gatewayStates, hostLookups } from './outbound-gateway.entity.js'
import { pingStates } from './gateway-ping.entity.js'

const unverified = (options = {}) =>
  Type.Enum([...unverifiedCallers], {
    description:
      'Calls of callers who are not verified (STIR/SHAKEN) are taken; refused when their signature fails; refused also when there is none',
    ...options,
  })

const trusts = (options = {}) =>
  Type.Boolean({
    description:
      'What the carrier asserts (P-Asserted-Identity) is the caller; otherwise From is, and nothing else',
    ...options,
  })

const aclEntries = (options = {}) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 253 }), {
    maxItems: 5,
    description:
      'IPv4 or IPv6 addresses, CIDR blocks, whose bits beyond the prefix do not matter, and host names; an empty list admits no caller',
    ...options,
  })

const aclFields = {
  title: Title(1, 36),
  mode: Type.Enum(['ip', 'domain'], {
    description: 'domain looks the host names of allowed_ips up; ip admits its addresses and blocks alone',
  }),
  allowed_ips: aclEntries(),
}

const { country, inbound_number_format, number_format, number_prefix } = numberSettings('plus')

/** Of a response, or a change: nothing is filled in. */
const withoutDefault = <T extends object>(schema: T): T => {
  const { default: _, ...rest } = schema as T & { default?: unknown }
  return rest as T
}

/** How a carrier writes the numbers of its calls. */
const spelling = {
  country,
  inbound_number_format,
  inbound_number_prefix: {
    ...patterned('^[0-9]{0,8}$', 'up to 8 digits', {
      description: 'What the carrier puts before called numbers, which is taken off',
    }),
    default: '',
  },
  called_number_from: Type.Enum([...calledNumberPlaces], {
    default: 'request_uri',
    description: 'Where the called number is read from: the request URI, To, or P-Called-Party-ID',
  }),
}
const writtenSpelling = {
  country: withoutDefault(spelling.country),
  inbound_number_format: withoutDefault(spelling.inbound_number_format),
  inbound_number_prefix: withoutDefault(spelling.inbound_number_prefix),
  called_number_from: withoutDefault(spelling.called_number_from),
}

export const trunkList = listQuery({ limit: 10, sort: ['created_at', 'title'], search: 'Looks at the title' })

export const InboundAclShape = Type.Object(
  {
    id: Type.String(),
    workspace_id: Type.String(),
    ...aclFields,
    unverified_callers: unverified(),
    trusts_identity: trusts(),
    ...writtenSpelling,
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'InboundAcl' },
)
export const InboundAclDetailShape = Type.Object(
  {
    ...InboundAclShape.properties,
    resolved_hosts: Type.Optional(
      Type.Array(
        Type.Object({
          host: Type.String(),
          addresses: Type.Array(Type.String(), { description: 'From here calls are taken' }),
          resolved_at: nullable(Timestamp),
          error: nullable(Type.String({ description: 'Why the last look-up was incomplete' })),
        }),
        { description: 'mode domain: what DNS says of each name' },
      ),
    ),
  },
  { title: 'InboundAclDetail' },
)
export const CreateInboundAcl = Type.Object({
  ...aclFields,
  allowed_ips: aclEntries({ default: [] }),
  unverified_callers: unverified({ default: 'take' }),
  trusts_identity: trusts({ default: false }),
  ...spelling,
})
export const UpdateInboundAcl = Type.Object({
  ...Type.Partial(Type.Object(aclFields)).properties,
  unverified_callers: Type.Optional(unverified()),
  trusts_identity: Type.Optional(trusts()),
  ...Type.Partial(Type.Object(writtenSpelling)).properties,
})
export type CreateInboundAcl = Static<typeof CreateInboundAcl>
export type UpdateInboundAcl = Static<typeof UpdateInboundAcl>

const uriFields = {
  uri: Type.String({ minLength: 1, maxLength: 253, description: 'IP address or host name' }),
  priority: Type.Integer({ minimum: 1, maximum: 10, default: 1, description: '1 is tried first' }),
}
const uriPort = (description: string) => Type.Integer({ minimum: 1, maximum: 65535, description })
const uriProtocol = (description: string) => Type.Enum([...sipTransports], { description })

const OutboundUriShape = Type.Object({
  ...uriFields,
  port: uriPort('With a lookup, the port that is used if DNS has no SRV record'),
  protocol: uriProtocol(
    'With the lookup naptr, the transport that is used if DNS has neither NAPTR nor SRV records',
  ),
  lookup: Type.Optional(
    Type.Enum([...hostLookups], {
      description:
        'How the name is looked up (RFC 3263): srv finds servers and ports, naptr the transport, too. Without it A and AAAA records alone are asked for',
    }),
  ),
})
const OutboundUriInput = Type.Object({
  ...uriFields,
  port: Type.Optional(uriPort('5060 by default. A name without a port is looked up by SRV records')),
  protocol: Type.Optional(
    uriProtocol('udp by default. A name without port and protocol is looked up by NAPTR records'),
  ),
  lookup: Type.Optional(
    Type.Enum(['address', ...hostLookups], {
      description:
        'How a name is looked up (RFC 3263), where that does not follow from what is left out; address: by A and AAAA alone',
    }),
  ),
})
export type OutboundUriInput = Static<typeof OutboundUriInput>

/** What a channel variable of the switch can hold. */
const dialable = '^[^\\u0000-\\u001f\\u007f{}:]*$'

const gatewayFields = {
  title: Title(1, 36),
  outbound_caller_id: nullable(
    Type.String({
      maxLength: 64,
      pattern: printable,
      'x-rule': 'free of control characters',
      description:
        'Default caller id on this trunk, kept for your own use: calls show the number of the workspace that they go out with. A number without its country code is read in the workspace’s country, and kept in E.164',
    }),
  ),
}
const uris = Type.Array(OutboundUriInput, { minItems: 1, maxItems: 10 })
const secretText = (maxLength: number) =>
  Type.String({
    minLength: 1,
    maxLength,
    pattern: dialable,
    'x-rule': 'printable, without braces and colons',
  })
const Credential = Type.Object({ username: secretText(64), password: secretText(128) })

const signing = (options = {}) =>
  Type.Boolean({ description: 'Whether who calls over it is signed (STIR/SHAKEN)', ...options })

const encryption = (options = {}) =>
  Type.Enum([...mediaEncryptions], {
    description:
      'Whether the carrier is offered encrypted sound (SRTP with keys by SDES): never; first, and plain sound when it refuses (415, 488, 606); or nothing else. The keys are in the SIP messages, so all addresses must be over tls',
    ...options,
  })

const forwardedCalls = (options = {}) =>
  Type.Enum([...forwardedHeaders], {
    description:
      'The header that tells the carrier which number the caller of a forwarded incoming call had called, and who forwarded the call before: Diversion (RFC 5806) or History-Info (RFC 7044)',
    ...options,
  })

const forwardedCaller = (options = {}) =>
  Type.Enum([...forwardedCallers], {
    description:
      'Whose number a forwarded call shows: a number of the workspace, or the original caller’s. Only the operator sets original',
    ...options,
  })

const shortNumbers = (options = {}) =>
  Type.Array(patterned('^[0-9]{2,8}$', '2 to 8 digits'), {
    maxItems: 100,
    description:
      'Numbers of the carrier’s services (411, 116117): calls to them go out over this gateway as they are dialled. The operator alone lists those of 7 and 8 digits, which may be telephone numbers',
    ...options,
  })

const optionsPing = (options = {}) =>
  Type.Boolean({
    description:
      'Whether its addresses are sent OPTIONS, to know which answer: those that do not are called last. Ask your carrier before: some do not like it',
    ...options,
  })

/** An address of a gateway that is pinged. */
const Reachability = Type.Object({
  host: Type.String({ description: 'As outbound_uris names it' }),
  address: nullable(Type.String({ description: 'IP address; null until the host was looked up' })),
  port: Type.Integer(),
  transport: Type.Enum([...sipTransports]),
  state: Type.Enum([...pingStates], {
    description:
      'reachable: it answers OPTIONS, whatever the status but 408 and 503; unreachable: it does not, and is called last; unknown: not asked lately',
  }),
  status_code: nullable(Type.Integer({ description: 'Of its last answer; null: it gave none' })),
  round_trip_ms: nullable(Type.Integer({ description: 'Until that answer, or until none was waited for' })),
  since: nullable(Type.String({ format: 'date-time', description: 'When it got into this state' })),
  checked_at: nullable(Timestamp),
})

const approved = (options = {}) =>
  Type.Boolean({
    description:
      'Whether the operator has approved where it leads: also to carriers of other workspaces, private networks and ports below 1024. Only the operator changes it',
    ...options,
  })

const host = (description: string) =>
  nullable(
    Type.String({ minLength: 1, maxLength: 253, description: `${description}; null: our public address` }),
  )

/** What a carrier wants of headers and numbers. */
const headerFields = {
  from_user: nullable(
    patterned('^[A-Za-z0-9+._~*-]{1,64}$', '1 to 64 letters, digits and + . _ ~ * -', {
      description:
        'User part of From in place of the caller’s number, which P-Asserted-Identity carries in any case. A number must be a verified one of the workspace; the operator may set any',
    }),
  ),
  from_domain: host('Host of From and P-Asserted-Identity'),
  contact_host: host('Host of Contact, a host name or an IPv4 address that leads to us'),
  request_domain: nullable(
    Type.String({
      minLength: 1,
      maxLength: 253,
      description:
        'Host of the request URI and of To, where outbound_uris are proxies; null: the address itself',
    }),
  ),
  country,
  number_format,
  number_prefix,
  caller_number_format: Type.Enum(
    numberFormats.filter((format) => format !== 'prefix'),
    { default: 'plus', description: 'How the caller’s number is written' },
  ),
}

const writtenFields = {
  ...headerFields,
  country: withoutDefault(country),
  number_format: withoutDefault(number_format),
  number_prefix: withoutDefault(number_prefix),
  caller_number_format: withoutDefault(headerFields.caller_number_format),
}

/** Of trunks that want a REGISTER. */
const registerFields = {
  register: Type.Boolean({
    default: false,
    description:
      'Whether we register at the carrier with the credential, and take its calls at the Contact that we register',
  }),
  register_user: nullable(
    patterned('^[A-Za-z0-9+._~*-]{1,64}$', '1 to 64 letters, digits and + . _ ~ * -', {
      description:
        'User of the address of record; null: from_user, else the username of the credential up to an @',
    }),
  ),
  register_domain: nullable(
    Type.String({
      minLength: 1,
      maxLength: 253,
      description:
        'Domain of the address of record and of the request URI; null: request_domain, else the host of the first address',
    }),
  ),
  register_expires: Type.Integer({
    minimum: 60,
    maximum: 86_400,
    default: 3_600,
    description: 'Seconds that the registration is asked for; the carrier may grant fewer',
  }),
}
const writtenRegisterFields = {
  ...registerFields,
  register: withoutDefault(registerFields.register),
  register_expires: withoutDefault(registerFields.register_expires),
}

const RegistrationShape = Type.Object({
  status: Type.Enum([...registrationStatuses], {
    description:
      'waiting: nothing is sent, as while the gateway waits for approval or its lines are simulated; registering: no answer has come yet; refused: the registrar said no; unreachable: no address answered, or with 5xx',
  }),
  sip_code: nullable(Type.Integer({ description: 'Of the last answer' })),
  reason: nullable(Type.String()),
  registered_until: nullable(Timestamp),
  since: Timestamp,
})

const state = Type.Enum([...gatewayStates], {
  description: 'pending_approval: no call goes over it until the operator approves it',
})

export const OutboundGatewayShape = Type.Object(
  {
    id: Type.String(),
    workspace_id: Type.String(),
    ...gatewayFields,
    outbound_uris: Type.Array(OutboundUriShape),
    ...writtenFields,
    ...writtenRegisterFields,
    registration: nullable(RegistrationShape),
    credential: Type.Optional(Type.Object({ username: Type.String() })),
    is_signing: signing(),
    media_encryption: encryption(),
    codecs: GatewayCodecs,
    forwarded_calls: forwardedCalls(),
    forwarded_caller: forwardedCaller(),
    short_numbers: shortNumbers(),
    options_ping: optionsPing(),
    reachability: Type.Optional(
      Type.Array(Reachability, { description: 'With options_ping: its addresses' }),
    ),
    is_approved: approved(),
    state,
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'OutboundGateway' },
)
export const CreateOutboundGateway = Type.Object({
  ...gatewayFields,
  outbound_uris: uris,
  outbound_caller_id: Type.Optional(gatewayFields.outbound_caller_id),
  ...headerFields,
  from_user: Type.Optional(headerFields.from_user),
  from_domain: Type.Optional(headerFields.from_domain),
  contact_host: Type.Optional(headerFields.contact_host),
  request_domain: Type.Optional(headerFields.request_domain),
  ...registerFields,
  register_user: Type.Optional(registerFields.register_user),
  register_domain: Type.Optional(registerFields.register_domain),
  credential: Type.Optional(Credential),
  is_signing: signing({ default: false }),
  media_encryption: encryption({ default: 'none' }),
  codecs: Type.Optional(GatewayCodecs),
  forwarded_calls: forwardedCalls({ default: 'none' }),
  forwarded_caller: forwardedCaller({ default: 'own' }),
  short_numbers: shortNumbers({ default: [] }),
  options_ping: optionsPing({ default: false }),
})
export const UpdateOutboundGateway = Type.Object({
  ...Type.Partial(Type.Object(gatewayFields)).properties,
  outbound_uris: Type.Optional(uris),
  ...Type.Partial(Type.Object(writtenFields)).properties,
  ...Type.Partial(Type.Object(writtenRegisterFields)).properties,
  credential: Type.Optional(nullable(Credential)),
  is_signing: Type.Optional(signing()),
  media_encryption: Type.Optional(encryption()),
  codecs: Type.Optional(GatewayCodecs),
  forwarded_calls: Type.Optional(forwardedCalls()),
  forwarded_caller: Type.Optional(forwardedCaller()),
  short_numbers: Type.Optional(shortNumbers()),
  options_ping: Type.Optional(optionsPing()),
  is_approved: Type.Optional(approved()),
})
export type CreateOutboundGateway = Static<typeof CreateOutboundGateway>
export type UpdateOutboundGateway = Static<typeof UpdateOutboundGateway>

export const GatewayQuery = Type.Object({
  ...listQuery({ limit: 10, sort: ['created_at', 'title'], search: 'Looks at the title' }).properties,
  state: Type.Optional(state),
})
export type GatewayQuery = Static<typeof GatewayQuery>

export const OperatorGatewayQuery = Type.Object({
  ...GatewayQuery.properties,
  workspace_id: Type.Optional(Id()),
})
export type OperatorGatewayQuery = Static<typeof OperatorGatewayQuery>

export const ApproveGateway = Type.Object({ is_approved: approved() })

/** What deleting an ACL or a gateway answers. */
export const DeletedTrunkShape = Type.Object({
  id: Type.String(),
  workspace_id: Type.String(),
  title: Type.String(),
})
