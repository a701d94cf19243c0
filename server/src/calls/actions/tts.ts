import Type from 'typebox'
import { wellFormed } from '../../http/shapes.js'
import { action, problem } from './action.js'

/** Speaks a text. */
export const tts = action({
  name: 'tts',
  params: Type.Object({
    text: Type.String({ minLength: 1, maxLength: 3000, pattern: wellFormed, 'x-rule': 'a well-formed text' }),
    voice: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    speed: Type.Optional(Type.Number({ minimum: 0.5, maximum: 2, description: '1 is the normal speed' })),
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
