/**
 * By what a list of steps knows each while somebody edits it: a step keeps its key when it gets another name, so that
 * what shows it stays where it is, with the focus in it.
 */
import type { Step } from './steps'

/** Keys by the ids of steps, also of such as are gone: undo may bring them back. */
export type Keys = ReadonlyMap<string, string>

/** Each step's key: the one that it has, or else its id, unless another step has that as its key. */
export function keysOf(steps: readonly Step[], before: Keys = new Map()): Keys {
  const keys = new Map(before)
  const taken = new Set<string>()
  // Those that are known keep theirs.
  for (const { id } of steps.toSorted((a, b) => Number(before.has(b.id)) - Number(before.has(a.id)))) {
    let key = keys.get(id) ?? id
    for (let count = 2; taken.has(key); count++) key = `${id} ${count}`
    taken.add(key)
    keys.set(id, key)
  }
  return keys
}

/** The id of the step that has a key now. */
export function idOfKey(keys: Keys, steps: readonly Step[], key: string): string {
  return steps.find(({ id }) => keys.get(id) === key)?.id ?? key
}

export function renamedKey(keys: Keys, id: string, to: string): Keys {
  const others = [...keys].filter(([one]) => one !== id)
  return new Map([...others, [to, keys.get(id) ?? id]])
}
