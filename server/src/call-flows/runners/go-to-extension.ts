/** Goes to an extension of the workspace: to the phone, the agent, the team or the voice agent that it leads to. */
import type { ActionContext } from '../../calls/actions/action.js'
import { connectAgent } from '../../calls/actions/connect-agent.js'
import { connectTeam } from '../../calls/actions/connect-team.js'
import { connectVoiceAgent } from '../../calls/actions/connect-voice-agent.js'
import { defaultRingTimeout } from '../../calls/actions/shared-params.js'
import { DialFailedError } from '../../calls/route-dialer.js'
import type { Phone, Phones } from '../../calls/phones.js'
import type { Outcome } from '../../calls/script.js'
import { otherParty } from '../../calls/team-members.js'
import type { NodeRunner } from './node-runner.js'

interface Params {
  extension_id?: string
  timeout?: number
}

/** SIP: nothing is registered there. */
const nobodyThere = 480

export function goToExtensionRunner(phones: Phones): NodeRunner {
  return async ({ node, state, context }) => {
    const { extension_id, timeout } = node.params as Params
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
  }
}

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
