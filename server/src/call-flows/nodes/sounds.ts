/** Nodes that let the caller hear something, and those that keep what is said. */
import Type from 'typebox'
import { play } from '../../calls/actions/play.js'
import { AudioId } from '../../calls/actions/shared-params.js'
import { tts } from '../../calls/actions/tts.js'
import { actionNode, node } from './node-type.js'

export const playNode = actionNode(play)
export const ttsNode = actionNode(tts)

export const voicemailNode = node({
  type: 'voicemail',
  params: Type.Object({
    greeting_audio_id: Type.Optional(AudioId),
    max_duration: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 3600, description: 'Seconds; 60 by default' }),
    ),
    beep: Type.Optional(Type.Boolean({ description: 'true by default' })),
  }),
})

/** Records the call from here on; the flow goes on at once. */
export const recordingNode = node({
  type: 'recording',
  params: Type.Object({
    format: Type.Optional(Type.Enum(['wav', 'mp3'], { description: 'wav by default' })),
    stereo: Type.Optional(Type.Boolean()),
    answer_call: Type.Optional(Type.Boolean({ description: 'true by default' })),
  }),
})
