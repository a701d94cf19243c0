/** A position in a recording. */
export interface Position {
  recordingId: string
  /** Start of the recording, in milliseconds since 1970. */
  beganAt: number
  seconds: number
}
