/** Counted from the beginning of a leg. */
export interface SoundHeard {
  /** Packets that came to its port, from whatever source. */
  readonly packets: number
  /** Frames of silence that the switch read in place of sound. */
  readonly silences: number
}
