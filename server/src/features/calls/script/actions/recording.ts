import Type from 'typebox'
import { action } from './action.js'
import { AnswerCall } from './shared-params.js'

/** Records the call from here to its end; the script continues at once, even if recording is not allowed. */
export const recording = action({
  name: 'recording',
  summary: 'Records the call from here to its end; the script continues at once',
  params: Type.Object({
    format: Type.Optional(
      Type.Enum(['wav', 'mp3'], { description: 'wav by default', 'x-field': { default: 'wav' } }),
    ),
    stereo: Type.Optional(
      Type.Boolean({
        description: 'The call’s party on the left, what they hear on the right; false by default',
      }),
    ),
    answer_call: AnswerCall,
  }),
  async run(context, { format = 'wav', stereo = false, answer_call }) {
    const { recorder, call, line } = context
    if (!(await recorder.mayRecord(call))) return 'completed'
    await context.open(answer_call)
    await recorder.begin(call, line, { format, stereo, play: async (source) => context.play(source) })
    return 'completed'
  },
})
