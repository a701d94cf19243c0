import { createHash } from 'node:crypto'

/** Chance that a seed decides: evenly spread numbers, at least 0 and less than 1. */
export function chance(seed: number): () => number {
  let drawn = 0
  return () => createHash('sha256').update(`${seed}:${drawn++}`).digest().readUInt32BE() / 2 ** 32
}
