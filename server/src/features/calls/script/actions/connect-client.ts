import { defaultRingTimeout } from '../../dialling/dial-context.js'
import Type, { type Static } from 'typebox'
import { patterned } from '../../../../infrastructure/http/shapes.js'
import { routeToClient } from '../../routing/app-route.js'
import { clientAddress, clientPattern, subOf } from '../../model/client-address.js'
import { otherParty } from '../../dialling/team-members.js'
import { action, problem } from './action.js'
import { ringbackFile, ringbackProblems } from './ringback.js'
import { RingTimeout, RingbackAudioId } from './shared-params.js'

const Client = patterned(clientPattern, 'the sub of a client’s JWT, or client:<sub>', {
  description: 'The `sub` of the JWT that the customer’s backend signs',
})

const params = Type.Object({
  sub: Type.Optional(Client),
  /** An alias of `sub`. */
  client: Type.Optional({ ...Client, description: 'The same as `sub`' }),
  timeout: Type.Optional(RingTimeout),
  ringback_audio_id: RingbackAudioId,
})
type Params = Static<typeof params>

/** Connects the call with a user of a customer's app until either side hangs up. */
export const connectClient = action({
  name: 'connect_client',
  summary: 'Rings all apps of a user of yours and connects the call until either side hangs up',
  params,
  async check(workspace, given, { media }) {
    const isOne = (given.sub === undefined) !== (given.client === undefined)
    const which = given.sub === undefined ? 'is required' : 'has no meaning with client'
    return [...(isOne ? [] : [problem('sub', which)]), ...(await ringbackProblems(workspace, given, media))]
  },
  describe(given) {
    const sub = subIn(given)
    return { to: { number: clientAddress(sub), name: sub } }
  },
  async run(context, given) {
    const ringback = await ringbackFile(context, given)
    return context.connect(routeToClient(subIn(given)), {
      ringTimeout: given.timeout ?? defaultRingTimeout,
      ringback,
      callerName: otherParty(context.call).name,
    })
  },
})

function subIn({ sub, client }: Params): string {
  const given = sub ?? client ?? ''
  return subOf(given) ?? given
}
