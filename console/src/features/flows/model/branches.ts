/** Branches of a split: each is an outcome, and its edge moves with it. */
import type { Step } from './steps'

export interface Branch {
  outcome: string
  percent: number
}

/** The edges after a branch is renamed. */
export function edgesOfRenamed(next: Step['next'], from: string, to: string): Step['next'] {
  return Object.fromEntries(
    Object.entries(next).map(([outcome, target]) => [outcome === from ? to : outcome, target]),
  )
}

/** The edges after branches are removed; edges of other outcomes stay. */
export function edgesWithout(
  next: Step['next'],
  before: readonly Branch[],
  after: readonly Branch[],
): Step['next'] {
  const left = new Set(after.map(({ outcome }) => outcome))
  const gone = new Set(before.map(({ outcome }) => outcome).filter((outcome) => !left.has(outcome)))
  return Object.fromEntries(Object.entries(next).filter(([outcome]) => !gone.has(outcome)))
}
