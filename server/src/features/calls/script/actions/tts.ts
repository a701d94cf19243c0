import Type from 'typebox'
import { action, problem } from './action.js'
import { SpokenText, Voice } from './shared-params.js'

/** Speaks a text. */
export const tts = action({
  name: 'tts',
  summary: 'Speaks a text',
  params: Type.Object({
    text: SpokenText,
    voice: Voice,
    speed: Type.Optional(
      Type.Number({ minimum: 0.5, maximum: 2, description: '1 by default', 'x-field': { default: 1 } }),
    ),
  }),
  async check(_workspace, { voice }, { media }) {
    if (voice === undefined || (await media.hasVoice(voice))) return []
    return [problem('voice', 'is not a known voice')]
  },
  async run(context, { text, voice, speed }) {
    const options = { ...(voice !== undefined && { voice }), ...(speed !== undefined && { speed }) }
    const file = await context.media.speechFile(context.workspace, text, options)
    await context.open()
    await context.play(file)
    return 'completed'
  },
})
