/** When all was well again: seconds in which everything that was asked was answered. */

export interface Asked {
  /** Milliseconds since 1970. */
  at: number
  isWell: boolean
}

/** So many seconds in a row must be well. */
export const wellSeconds = 5

/**
 * @param asked probes, calls and texts, of all seconds looked at
 * @param from milliseconds since 1970: when the fault was over
 * @param until up to when all of them are judged
 * @returns seconds from `from` to the first of five in a row in which all was well; null when there are none yet
 */
export function recoverySeconds(asked: readonly Asked[], from: number, until: number): number | null {
  const seconds = Math.floor((until - from) / 1000)
  const isWell = Array.from({ length: Math.max(0, seconds) }, () => ({ any: false, all: true }))
  for (const one of asked) {
    const second = isWell[Math.floor((one.at - from) / 1000)]
    if (!second) continue
    second.any = true
    second.all &&= one.isWell
  }
  for (let first = 0; first + wellSeconds <= isWell.length; first++) {
    if (isWell.slice(first, first + wellSeconds).every(({ any, all }) => any && all)) return first
  }
  return null
}
