/** Nodes that let the caller hear something, and those that keep what is said. */
import { play } from '../../calls/actions/play.js'
import { recording } from '../../calls/actions/recording.js'
import { tts } from '../../calls/actions/tts.js'
import { voicemail } from '../../calls/actions/voicemail.js'
import { actionNode } from './node-type.js'

export const playNode = actionNode(play)
export const ttsNode = actionNode(tts)
export const voicemailNode = actionNode(voicemail)

/** Records the call from here on; the flow continues at once. */
export const recordingNode = actionNode(recording)
