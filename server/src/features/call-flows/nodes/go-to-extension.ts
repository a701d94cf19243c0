import { defaultRingTimeout } from '../../calls/dialling/dial-context.js'
import { type Outcome, completed } from '../../calls/model/outcomes.js'
import { DialFailedError } from '../../calls/model/answered-leg.js'
import Type from 'typebox'
import type { ActionContext } from '../../calls/script/actions/action.js'
import { connectAgent } from '../../calls/script/actions/connect-agent.js'
import { connectTeam } from '../../calls/script/actions/connect-team.js'
import { connectVoiceAgent } from '../../calls/script/actions/connect-voice-agent.js'
import { RingTimeout } from '../../calls/script/actions/shared-params.js'
import type { Phone } from '../../calls/routing/phones.js'
import { otherParty } from '../../calls/dialling/team-members.js'
import { Id, reference } from '../../../infrastructure/http/shapes.js'
import { reached } from './dialling.js'
import { flowNode } from './flow-node.js'

/** SIP: nothing is registered there. */
const nobodyThere = 480

/** Goes to an extension of the workspace: to the phone, the agent, the team or the voice agent that it leads to. */
export const goToExtension = flowNode({
  type: 'go_to_extension',
  group: 'connect',
  summary: 'Connects the call with an extension',
  params: Type.Object({
    extension_id: Type.Optional(
      reference(
        'extension',
        Id({ description: 'Extension to ring; by default the one that was dialled last' }),
      ),
    ),
    timeout: Type.Optional(RingTimeout),
  }),
  outcomes: [...reached, 'offline', 'unknown'],
  caller: 'connected',
  async run({ params: { extension_id, timeout }, state, context, services: { phones } }) {
    const target =
      extension_id === undefined
        ? await phones.extension(context.workspace, state.digits)
        : await phones.extensionWithId(context.workspace, extension_id)
    if (!target) return { outcome: 'unknown' }
    const ringing = timeout === undefined ? {} : { timeout }
    const { phone, teamId, voiceAgentId } = target
    if (teamId) return { outcome: await connectTeam.run(context, { team_id: teamId, ...ringing }) }
    if (voiceAgentId) {
      return { outcome: await connectVoiceAgent.run(context, { voice_agent_id: voiceAgentId, ...ringing }) }
    }
    if (phone?.kind === 'agent') {
      return { outcome: await connectAgent.run(context, { agent_id: phone.id, ...ringing }) }
    }
    // what it led to was deleted
    return { outcome: phone ? await toPhone(context, phone, timeout ?? defaultRingTimeout) : 'offline' }
  },
  async simulate({ params: { extension_id }, trial, given, details }) {
    const { extensions } = trial.services
    const { digits } = trial.state
    const found =
      extension_id === undefined
        ? await extensions.findByNumber(trial.workspace, digits)
        : await extensions.get(trial.workspace, extension_id)
    if (!found) return { outcome: given ?? 'unknown', details: { ...details, digits } }
    const { id, extension_number, title, destination } = found
    const extension = { id, extension_number, title, destination }
    return { outcome: given ?? completed, details: { ...details, extension } }
  },
})

async function toPhone(context: ActionContext, phone: Phone, ringTimeout: number): Promise<Outcome> {
  const { number, name } = otherParty(context.call)
  const route = context.routing.routeToPhone(phone, number)
  return context.join(async ({ dial, withRingback }) =>
    withRingback(null, async () => dial(route, { ringTimeout, callerName: name })).catch((error: unknown) => {
      if (error instanceof DialFailedError && error.failure.sipCode === nobodyThere) return 'offline' as const
      throw error
    }),
  )
}
