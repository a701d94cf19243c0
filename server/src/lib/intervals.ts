/** Spans of time that may overlap. */

export interface Interval {
  readonly since: Date
  readonly until: Date
}

/** Whole seconds that at least one of them covers, rounded to the nearest. */
export function secondsIn(intervals: readonly Interval[]): number {
  let covered = 0
  let reached = -Infinity
  const ordered = [...intervals].sort((one, other) => Number(one.since) - Number(other.since))
  for (const { since, until } of ordered) {
    covered += Math.max(0, until.getTime() - Math.max(since.getTime(), reached))
    reached = Math.max(reached, until.getTime())
  }
  return Math.round(covered / 1000)
}
