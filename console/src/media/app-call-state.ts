import type { MicrophoneProblem } from './microphone'

export interface TalkState {
  at: 'talking'
  since: number
  isMuted: boolean
  isHeld: boolean
  /** The connection is lost, or its sound, and on its way back. */
  isAway: boolean
  /** Why the other side hears nothing, where the microphone is gone. */
  microphone: MicrophoneProblem | null
  /** What was asked for last and not done, in the server's words. */
  refusal: string | null
}

export type AppCallState =
  /** The socket opens, and the server looks for the call. */
  | { at: 'connecting' }
  | { at: 'answering' }
  | TalkState
  /** `no_sound`: the network lets none through; or what the server says. */
  | { at: 'ended'; reason: string; talkedMs: number }
