import Type from 'typebox'
import { action, problem } from './action.js'
import { AnswerCall, AudioId } from './shared-params.js'

/**
 * Plays an audio of the workspace; in the background with `continue_on_play`, unless it is the last action, when the
 * call ends after the audio.
 */
export const play = action({
  name: 'play',
  summary: 'Plays an audio',
  params: Type.Object({
    audio_id: { ...AudioId, description: 'Audio to play' },
    answer_call: AnswerCall,
    continue_on_play: Type.Optional(
      Type.Boolean({ description: 'true plays it in the background; false by default' }),
    ),
  }),
  async check(workspace, { audio_id }, { media }) {
    const known = await media.audioFile(workspace, audio_id)
    return known ? [] : [problem('audio_id', 'is not an audio of this workspace')]
  },
  async run(context, { audio_id, answer_call, continue_on_play = false }) {
    const file = await context.media.audioFile(context.workspace, audio_id)
    // Deleted since the script was accepted: the script continues.
    if (!file) return 'failed'
    await context.open(answer_call)
    if (continue_on_play && !context.isLast) await context.playInBackground(file)
    else await context.play(file)
    return 'completed'
  },
})
