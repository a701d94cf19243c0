/** Identifies this server among others. */
export interface Instance {
  readonly version: string
  readonly serverId: string
}

/** Spans by what became of them, since the start. */
export interface SpanCounts {
  exported: number
  /** The collector was away, or refused. */
  failed: number
  /** Too many waited. */
  dropped: number
}
