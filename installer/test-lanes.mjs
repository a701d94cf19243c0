/**
 * Lanes: most tests wait far more than they work, for audio, timeouts and programs that start; so as many run side
 * by side as there are lanes.
 */
import { availableParallelism } from 'node:os'

/** Two tests of calls keep one core of two busy; beside them there is room for one that works more than it waits. */
export const LANES = Number(process.env['JACKFIELD_TEST_LANES'] ?? Math.ceil(availableParallelism() * 1.5))

/** Environment variable `<lane>/<lanes>`, from 0: by it tests keep to ports of their own. */
const LANE = 'JACKFIELD_TEST_LANE'

/**
 * Does pieces of work in their order, as many at a time as there are lanes.
 * @template T
 * @param {readonly T[]} pieces
 * @param {(piece: T, env: Record<string, string>) => Promise<void>} work
 */
export async function inLanes(pieces, work) {
  const left = [...pieces]
  const lanes = Array.from({ length: LANES }, async (_, lane) => {
    for (let piece = left.shift(); piece !== undefined; piece = left.shift()) {
      await work(piece, { [LANE]: `${lane}/${LANES}` })
    }
  })
  await Promise.all(lanes)
}
