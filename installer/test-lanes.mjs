/**
 * Lanes: as many pieces of work run concurrently as the processors can carry. Tests of calls mostly wait,
 * for audio, timeouts and programs that start; tests of the API compute. Each piece declares how many processors it
 * keeps busy, and a lane takes the first piece that fits.
 */
import { availableParallelism } from 'node:os'

const PROCESSORS = availableParallelism()

/** Most lanes: four pieces that mostly wait leave two processors idle for some of the time, and three for more. */
const LANES = Number(process.env['JACKFIELD_TEST_LANES'] ?? 2 * PROCESSORS)

/** Processors that may be busy at once: with more, the pieces only take longer, and their timeouts come before their work is done. */
const CAPACITY = PROCESSORS

/** Environment variable `<lane>/<lanes>`, from 0: tests derive their ports from it. */
const LANE = 'JACKFIELD_TEST_LANE'

/**
 * Does all pieces of work, the first that fits first.
 * @template {object} T its `cores`: how many processors it keeps busy [1]
 * @param {readonly T[]} pieces
 * @param {(piece: T, env: Record<string, string>) => Promise<void>} work
 * @param {{lanes?: number, capacity?: number}} [limits]
 */
export async function inLanes(pieces, work, { lanes = LANES, capacity = CAPACITY } = {}) {
  const left = [...pieces]
  const free = Array.from({ length: lanes }, (_, lane) => lane)
  /** @type {Set<Promise<void>>} */
  const running = new Set()
  let busy = 0
  while (left.length > 0 || running.size > 0) {
    const next = running.size === 0 ? 0 : left.findIndex((piece) => busy + coresOf(piece) <= capacity)
    const lane = next === -1 || left.length === 0 ? undefined : free.shift()
    if (lane === undefined) {
      await Promise.race(running)
      continue
    }
    const [piece] = left.splice(next, 1)
    if (piece === undefined) continue
    busy += coresOf(piece)
    const done = work(piece, { [LANE]: `${lane}/${lanes}` }).finally(() => {
      busy -= coresOf(piece)
      free.push(lane)
      running.delete(done)
    })
    running.add(done)
  }
}

/** @param {object} piece */
function coresOf(piece) {
  return 'cores' in piece ? Number(piece.cores) : 1
}
