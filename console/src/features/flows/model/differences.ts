/** In what two states of a flow differ. Where steps are drawn does not count. */
import { type Step, isRecord } from './steps'

export interface ChangedStep {
  id: string
  /** What it was called before; undefined when that has not changed. */
  was: string | undefined
  /** Places that differ: `params.text`, `next.busy`. */
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
    // Under another name it does the same.
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

/** Edges lead to the same step, whatever that is called by now. */
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

/** What a step does, apart from what follows it. */
function contentOf({ type, params }: Step): string {
  return textOf([type, params])
}

/** The same for the same value: databases keep objects in an order of their own. */
function textOf(value: unknown): string {
  return (
    JSON.stringify(value, (_key, held: unknown) =>
      isRecord(held) ? Object.fromEntries(Object.entries(held).sort(([a], [b]) => (a < b ? -1 : 1))) : held,
    ) ?? ''
  )
}
