import { defaultRingTimeout } from '../../dialling/dial-context.js'
import Type from 'typebox'
import { Id, reference } from '../../../../infrastructure/http/shapes.js'
import { type ActionContext, action, problem } from './action.js'
import { ringbackFile, ringbackProblems } from './ringback.js'
import { RingTimeout, RingbackAudioId } from './shared-params.js'

/** Connects the call with a voice agent until either side hangs up, or its time is over. */
export const connectVoiceAgent = action({
  name: 'connect_voice_agent',
  summary: 'Connects the call with a voice agent until either side hangs up',
  params: Type.Object({
    voice_agent_id: reference('voice_agent', Id()),
    version: Type.Optional(Type.Integer({ minimum: 1, description: 'The published one by default' })),
    timeout: Type.Optional(RingTimeout),
    max_duration_seconds: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 7200,
        description: 'Seconds; 300 by default, or max_call_duration_seconds of the version if that is less',
        'x-field': { default: 300 },
      }),
    ),
    ringback_audio_id: RingbackAudioId,
  }),
  async check(workspace, params, { media, voiceAgents }) {
    const missing = await voiceAgents.missing(workspace, params.voice_agent_id, params.version)
    const isUnpublished = missing === 'version' && params.version === undefined
    return [
      ...(missing === 'voice_agent_id'
        ? [problem('voice_agent_id', 'is not a voice agent of this workspace')]
        : []),
      ...(isUnpublished ? [problem('voice_agent_id', 'is a voice agent without a published version')] : []),
      ...(missing === 'version' && !isUnpublished
        ? [problem('version', 'is not a version of this voice agent')]
        : []),
      ...(await ringbackProblems(workspace, params, media)),
    ]
  },
  async run(context, params) {
    const { call, voiceAgents } = context
    const ringTimeout = params.timeout ?? defaultRingTimeout
    const ringback = await ringbackFile(context, params)
    const outcome = await context.join(async ({ dial, withRingback }) => {
      const { voice_agent_id, version, max_duration_seconds } = params
      const route = await voiceAgents.routeTo(call, voice_agent_id, version, max_duration_seconds)
      if (!route || (await context.mayBegin(route))) return 'failed'
      return withRingback(ringback, async () => dial(route, { ringTimeout }))
    })
    // Always called: it forgets the call when it answers.
    const wasLost = voiceAgents.hasFailed(call.id)
    if (outcome === 'completed' && !wasLost) return outcome
    if (!context.signal.aborted) {
      const file = await apologyFile(context, params)
      await context.open()
      await context.play(file)
    }
    return outcome === 'no_answer' ? outcome : 'failed'
  },
})

/** What a caller hears when the voice agent cannot take the call, or fails during it. */
async function apologyFile(
  { media, voiceAgents, workspace }: ActionContext,
  { voice_agent_id, version }: { voice_agent_id: string; version?: number },
): Promise<string> {
  const { own, english } = await voiceAgents.apology(workspace, voice_agent_id, version)
  const speaksIt = own && (await media.hasVoice(own.language))
  // English has the operator's usual voice.
  return speaksIt
    ? media.speechFile(workspace, own.text, { voice: own.language })
    : media.speechFile(workspace, english, {})
}
