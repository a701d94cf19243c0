import Type from 'typebox'
import { action, problem } from './action.js'
import { AudioId } from './shared-params.js'

const defaultSeconds = 60
const defaultGreeting = 'Please leave a message after the tone.'

/** 1000 Hz for 400 ms. */
const beepTone = 'tone_stream://%(400,0,1000)'

/** Takes a message from the caller. */
export const voicemail = action({
  name: 'voicemail',
  summary: 'Takes a message from the caller',
  params: Type.Object({
    greeting_audio_id: Type.Optional({
      ...AudioId,
      description: 'Audio before the tone; “Please leave a message after the tone.” by default',
    }),
    max_duration: Type.Optional(
      Type.Integer({
        ...{ minimum: 1, maximum: 3600 },
        description: 'Seconds of the message; 60 by default',
        'x-field': { default: defaultSeconds },
      }),
    ),
    beep: Type.Optional(
      Type.Boolean({
        description: 'Whether a tone says when to speak; true by default',
        'x-field': { default: true },
      }),
    ),
  }),
  async check(workspace, { greeting_audio_id }, { media }) {
    if (greeting_audio_id === undefined || (await media.audioFile(workspace, greeting_audio_id))) return []
    return [problem('greeting_audio_id', 'is not an audio of this workspace')]
  },
  async run(context, { greeting_audio_id, max_duration = defaultSeconds, beep = true }) {
    const { recorder, media, call, line, signal, workspace } = context
    await context.open()
    if (!(await recorder.hasMessage(line))) {
      const chosen = greeting_audio_id ? await media.audioFile(workspace, greeting_audio_id) : null
      await context.play(chosen ?? (await media.speechFile(workspace, defaultGreeting, {})))
      if (beep) await context.play(beepTone)
    }
    if (!signal.aborted) await recorder.takeMessage(call, line, max_duration, signal)
    return 'completed'
  },
})
