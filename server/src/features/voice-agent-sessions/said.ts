/** An utterance of a session. */
export interface Said {
  speaker: 'caller' | 'voice_agent'
  text: string
  isInterrupted: boolean
  at: Date
}
