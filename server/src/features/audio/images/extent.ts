/** Size of a whole picture. */
export interface Extent {
  /** Pixels. */
  width: number
  height: number
  /** Bytes from its first to its last; what a file holds beyond is no part of the picture. */
  length: number
}
