import { defaultRingTimeout } from '../../dialling/dial-context.js'
import Type, { type Static } from 'typebox'
import { type FieldProblem, ValidationError } from '../../../../infrastructure/http/errors.js'
import { type FieldHint, Id, printable, reference } from '../../../../infrastructure/http/shapes.js'
import { showingOwn } from '../../routing/handed-on.js'
import { NoRoute } from '../../model/no-route.js'
import { otherParty } from '../../dialling/team-members.js'
import { action, problem } from './action.js'
import { ringbackFile, ringbackProblems } from './ringback.js'
import { RingTimeout, RingbackAudioId } from './shared-params.js'

const Name = Type.Optional(
  Type.String({ maxLength: 64, pattern: printable, 'x-rule': 'free of control characters' }),
)

const destination = {
  ...{ minLength: 3, maxLength: 255 },
  description:
    'E.164, a number as people of the workspace’s country dial it, a short number of a gateway, an extension, the username of an agent or a SIP account, client:<sub>, or a SIP URI: sip:user@host[:port][;transport=udp|tcp|tls]',
  'x-field': { telephone: true } satisfies FieldHint,
}

const caller = {
  maxLength: 30,
  description: 'Caller id, a number of the workspace; by default the call’s own',
}

const params = Type.Object({
  phone_number: Type.Optional(Type.String(destination)),
  to: Type.Optional(
    Type.Object(
      { number: Type.String(destination), name: Name },
      { description: 'In place of phone_number, with a name for the timeline' },
    ),
  ),
  from: Type.Optional(
    reference(
      'phone_number',
      Type.Unsafe<string | { number: string; name?: string }>({
        type: ['string', 'object'],
        ...caller,
        properties: { number: reference('phone_number', Type.String(caller)), name: Name },
        required: ['number'],
      }),
    ),
  ),
  gateway_id: Type.Optional(
    reference('outbound_gateway', Id({ description: 'Gateway to call out by; the caller id’s by default' })),
  ),
  timeout: Type.Optional(RingTimeout),
  ringback_audio_id: RingbackAudioId,
})
type Params = Static<typeof params>

/**
 * Connects the call with a number in the telephone network, a phone of the workspace, a client or a SIP URI, until
 * either side hangs up. The destination is `phone_number`, or `to` with a name (contract, Call actions and Call-flow
 * webhooks, 2).
 */
export const toOperator = action({
  name: 'to_operator',
  summary:
    'Rings a number, phone, client or SIP URI and connects the call with it until either side hangs up',
  params,
  async check(workspace, given, { media, routing }) {
    const { gateway_id } = given
    if ((given.phone_number === undefined) === (given.to === undefined)) {
      return [
        given.to ? problem('phone_number', 'has no meaning with to') : problem('phone_number', 'is required'),
      ]
    }
    const { field, number, from } = partiesOf(given)
    return [
      ...(await problemsOf(async () => routing.operator(workspace, number, field))),
      ...(await problemsOf(async () => from && routing.callerNumber(workspace, from.number, from.field))),
      ...(await problemsOf(async () => gateway_id && routing.gateway(workspace, gateway_id, 'gateway_id'))),
      ...(await ringbackProblems(workspace, given, media)),
    ]
  },
  describe(given) {
    const { number, name } = partiesOf(given)
    return { to: { number, name: name ?? number } }
  },
  async run(context, given) {
    const { workspace, routing } = context
    const { field, number, from } = partiesOf(given)
    const party = otherParty(context.call)
    const to = await routing.operator(workspace, number, field)
    const found = await routing.routeToOperator(workspace, {
      to,
      from: from
        ? await routing.callerNumber(workspace, from.number, from.field)
        : await routing.callerOf(workspace, await context.phoneNumber()),
      // A phone of the workspace displays the other party, unless the script names a caller.
      shown: from ? undefined : party.number,
      gatewayId: given.gateway_id,
    })
    if (found instanceof NoRoute) return context.fail(found)
    const route = from ? showingOwn(found) : found
    if (await context.mayBegin(route)) return 'failed'
    const isInside = to.kind === 'phone' || to.kind === 'client'
    const callerName = from?.name ?? (isInside && !from ? party.name : undefined)
    return context.connect(route, {
      ringTimeout: given.timeout ?? defaultRingTimeout,
      ringback: await ringbackFile(context, given),
      ...(callerName !== undefined && { callerName }),
    })
  },
})

/** Both forms of the parameters as one; `field` is the path of a number. */
function partiesOf({ phone_number, to, from }: Params) {
  return {
    field: to ? 'to.number' : 'phone_number',
    number: to?.number ?? phone_number ?? '',
    name: to?.name,
    from:
      from === undefined
        ? undefined
        : typeof from === 'string'
          ? { field: 'from', number: from, name: undefined }
          : { field: 'from.number', ...from },
  }
}

async function problemsOf(look: () => Promise<unknown>): Promise<readonly FieldProblem[]> {
  try {
    await look()
    return []
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error
    return error.errors
  }
}
