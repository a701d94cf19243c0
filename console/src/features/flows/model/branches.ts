/** The branches of a split: each is an outcome, whose edge goes where its branch goes. */
import type { Step } from './steps'

export interface Branch {
  outcome: string
  percent: number
}

/** The edges, when one branch has another name. */
export function edgesOfRenamed(next: Step['next'], from: string, to: string): Step['next'] {
  return Object.fromEntries(
    Object.entries(next).map(([outcome, target]) => [outcome === from ? to : outcome, target]),
  )
}

/** The edges that are left when branches are removed; what is no branch's stays. */
export function edgesWithout(
  next: Step['next'],
  before: readonly Branch[],
  after: readonly Branch[],
): Step['next'] {
  const left = new Set(after.map(({ outcome }) => outcome))
  const gone = new Set(before.map(({ outcome }) => outcome).filter((outcome) => !left.has(outcome)))
  return Object.fromEntries(Object.entries(next).filter(([outcome]) => !gone.has(outcome)))
}
