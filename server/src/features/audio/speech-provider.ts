import type { Lane } from './lanes.js'

/** Renders speech to a WAV file. */
export interface SpeechProvider {
  readonly name: string
  hasVoice(voice: string): Promise<boolean>
  render(request: Required<SpeechRequest>, target: string, consumer: SpeechFor): Promise<void>
}

export interface SpeechRequest {
  text: string
  voice?: string
  /** 1 is the normal speed. */
  speed?: number
}

/** The workspace for which speech is rendered, and whether a live call waits for it. */
export interface SpeechFor {
  readonly workspaceId: string
  readonly lane: Extract<Lane, 'live' | 'speech'>
}
