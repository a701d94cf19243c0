/** The order of found destinations: exact matches, then people who are available, then the rest. */
import { type Destination, destinationKinds, destinationStates } from './destinations.schema.js'

/** @param search as it was typed */
export function byRelevance(found: readonly Destination[], search: string): Destination[] {
  const wanted = folded(search)
  const ranked = found.map((destination, index) => ({
    destination,
    index,
    rank: rankOf(destination, wanted),
  }))
  ranked.sort((one, other) => compared(one.rank, other.rank) || one.index - other.index)
  return ranked.map(({ destination }) => destination)
}

function rankOf(destination: Destination, wanted: string): number[] {
  const { kind, state, free_agents, is_registered } = destination
  // A number that was typed is always the last one.
  if (kind === 'outside_number') return [2]
  const isExact = wanted !== '' && namesOf(destination).includes(wanted)
  const reach = state === null ? 0 : destinationStates.indexOf(state)
  const isWithout = free_agents === 0 || is_registered === false
  return [isExact ? 0 : 1, destinationKinds.indexOf(kind), isExact ? 0 : reach, Number(isWithout)]
}

function namesOf({ name, username, extension, number }: Destination): string[] {
  return [name, username, extension, number].flatMap((text) => (text ? [folded(text)] : []))
}

/** Without case, accents and the separators of numbers. */
function folded(text: string): string {
  const plain = text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim()
  return /^\+?[\d\s().-]+$/.test(plain) ? plain.replace(/[\s().-]/g, '') : plain
}

function compared(one: readonly number[], other: readonly number[]): number {
  for (const [index, rank] of one.entries()) {
    const difference = rank - (other[index] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}
