/** Counters that several servers share. */
export interface SharedCounters {
  /**
   * Counts once, in a window that begins with the first time.
   * @returns how often the name was counted in its window, and when that ends; null where servers cannot count together
   * now
   */
  add(name: string, windowMs: number): Promise<{ count: number; endsInMs: number } | null>
  /** Starts again from zero. */
  clear(name: string): Promise<void>
}
