/** Differences between two states of a flow, ignoring the positions of the steps. */
import { type Step, isRecord } from './steps'

export interface ChangedStep {
  id: string
  /** Previous name; undefined if it has not changed. */
  was: string | undefined
  /** Paths that differ: `params.text`, `next.busy`. */
  places: string[]
}

export interface Differences {
  added: string[]
  removed: string[]
  changed: ChangedStep[]
}

export function differencesOf(before: readonly Step[], now: readonly Step[]): Differences {
  const old = new Map(before.map((step) => [step.id, step]))
  const left = new Map(
    before.filter(({ id }) => !now.some((step) => step.id === id)).map((one) => [one.id, one]),
  )
  const come = now.filter(({ id }) => !old.has(id))
  const renamed = new Map<string, Step>()
  for (const step of come) {
    // Renamed, otherwise equal.
    const same = [...left.values()].find((one) => contentOf(one) === contentOf(step))
    if (!same) continue
    renamed.set(step.id, same)
    left.delete(same.id)
  }
  const nameNow = new Map([...renamed].map(([id, { id: was }]) => [was, id]))
  return {
    added: come.map(({ id }) => id).filter((id) => !renamed.has(id)),
    removed: [...left.keys()],
    changed: now.flatMap((step): ChangedStep[] => {
      const earlier = old.get(step.id) ?? renamed.get(step.id)
      if (!earlier) return []
      const places = placesThatDiffer(withNames(earlier, nameNow), step)
      const was = renamed.get(step.id)?.id
      return places.length > 0 || was !== undefined ? [{ id: step.id, was, places }] : []
    }),
  }
}

/** Edges to the same step are equal, whatever the step's name is. */
function withNames(step: Step, nameNow: ReadonlyMap<string, string>): Step {
  const next = Object.entries(step.next).map(([outcome, to]) => [outcome, nameNow.get(to) ?? to])
  return { ...step, next: Object.fromEntries(next) as Step['next'] }
}

function placesThatDiffer(before: Step, now: Step): string[] {
  return [
    ...(before.type === now.type ? [] : ['type']),
    ...keysThatDiffer(before.params, now.params).map((key) => `params.${key}`),
    ...keysThatDiffer(before.next, now.next).map((key) => `next.${key}`),
  ]
}

function keysThatDiffer(
  before: Readonly<Record<string, unknown>>,
  now: Readonly<Record<string, unknown>>,
): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(now)])].filter(
    (key) => textOf(before[key]) !== textOf(now[key]),
  )
}

/** A step without its edges. */
function contentOf({ type, params }: Step): string {
  return textOf([type, params])
}

/** Stable JSON: databases may reorder an object's keys. */
function textOf(value: unknown): string {
  return (
    JSON.stringify(value, (_key, held: unknown) =>
      isRecord(held) ? Object.fromEntries(Object.entries(held).sort(([a], [b]) => (a < b ? -1 : 1))) : held,
    ) ?? ''
  )
}
