/** A place in a recording. */
export interface Position {
  recordingId: string
  /** When the recording began, in milliseconds since 1970. */
  beganAt: number
  seconds: number
}
