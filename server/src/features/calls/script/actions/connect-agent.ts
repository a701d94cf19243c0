import { defaultRingTimeout } from '../../dialling/dial-context.js'
import Type from 'typebox'
import { Id, reference } from '../../../../infrastructure/http/shapes.js'
import { otherParty } from '../../dialling/team-members.js'
import { action, problem } from './action.js'
import { ringbackFile, ringbackProblems } from './ringback.js'
import { RingTimeout, RingbackAudioId } from './shared-params.js'

/** Connects the call with an agent until either side hangs up. */
export const connectAgent = action({
  name: 'connect_agent',
  summary: 'Rings the apps and softphones of an agent and connects the call until either side hangs up',
  params: Type.Object({
    agent_id: reference('agent', Id()),
    timeout: Type.Optional(RingTimeout),
    ringback_audio_id: RingbackAudioId,
  }),
  async check(workspace, params, { media, members }) {
    const isKnown = await members.agentExists(workspace, params.agent_id)
    return [
      ...(isKnown ? [] : [problem('agent_id', 'is not an agent of this workspace')]),
      ...(await ringbackProblems(workspace, params, media)),
    ]
  },
  async run(context, params) {
    const ringback = await ringbackFile(context, params)
    const options = {
      ringTimeout: params.timeout ?? defaultRingTimeout,
      callerName: otherParty(context.call).name,
    }
    return context.join(async ({ dial, withRingback }) => {
      const route = await context.members.routeTo(context.call, params.agent_id)
      return route ? withRingback(ringback, async () => dial(route, options)) : 'offline'
    })
  },
})
