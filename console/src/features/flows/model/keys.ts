/**
 * Stable keys of the steps while they are edited: a step keeps its key when it is renamed, so that
 * its element stays, with the focus in it.
 */
import type { Step } from './steps'

/** Keys by the ids of steps, including removed ones: undo may restore them. */
export type Keys = ReadonlyMap<string, string>

/** Key of each step: its previous one, or else its id, unless another step has that as its key. */
export function keysOf(steps: readonly Step[], before: Keys = new Map()): Keys {
  const keys = new Map(before)
  const taken = new Set<string>()
  // Known steps keep their keys.
  for (const { id } of steps.toSorted((a, b) => Number(before.has(b.id)) - Number(before.has(a.id)))) {
    let key = keys.get(id) ?? id
    for (let count = 2; taken.has(key); count++) key = `${id} ${count}`
    taken.add(key)
    keys.set(id, key)
  }
  return keys
}

/** Id of the step that has a key now. */
export function idOfKey(keys: Keys, steps: readonly Step[], key: string): string {
  return steps.find(({ id }) => keys.get(id) === key)?.id ?? key
}

export function renamedKey(keys: Keys, id: string, to: string): Keys {
  const others = [...keys].filter(([one]) => one !== id)
  return new Map([...others, [to, keys.get(id) ?? id]])
}
