import type { MicrophoneProblem } from './microphone'

export interface TalkState {
  at: 'talking'
  since: number
  isMuted: boolean
  isHeld: boolean
  /** The connection, or its media, is lost and being restored. */
  isAway: boolean
  /** Why the other side hears nothing, if the microphone is gone. */
  microphone: MicrophoneProblem | null
  /** The server's error for the last action. */
  refusal: string | null
}

export type AppCallState =
  /** The socket opens, and the server looks up the call. */
  | { at: 'connecting' }
  | { at: 'answering' }
  | TalkState
  /** `no_sound`: the network blocks the media; or the server's reason. */
  | { at: 'ended'; reason: string; talkedMs: number }
