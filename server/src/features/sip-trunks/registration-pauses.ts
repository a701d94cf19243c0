/** When the next REGISTER of a binding is due. All of it is spread by chance, so that many bindings do not come together. */

const shortestMs = 5_000
/** For a registrar that says no: a wrong password is not tried often, since carriers lock accounts and ban addresses. */
const refusedSeconds = [60, 300, 900, 3_600]
const silentSeconds = [10, 20, 40, 80, 160, 300]

/** Between half and four fifths of what the registrar grants. @param seconds granted @returns milliseconds */
export function refreshAfter(seconds: number, chance = Math.random()): number {
  return Math.max(seconds * 1_000 * (0.5 + 0.3 * chance), Math.min(shortestMs, seconds * 800))
}

/** @param failures in a row, this one among them @param retryAfter seconds that the registrar asks for @returns milliseconds */
export function pauseAfter(
  kind: 'refused' | 'silent',
  failures: number,
  retryAfter: number,
  chance = Math.random(),
): number {
  const steps = kind === 'refused' ? refusedSeconds : silentSeconds
  const pause = steps[Math.min(failures, steps.length) - 1] ?? 300
  return Math.max(pause, retryAfter) * 1_000 * (1 + 0.2 * chance)
}
