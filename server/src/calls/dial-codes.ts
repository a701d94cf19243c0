/** What phones dial besides numbers and names: codes before a number, and codes that stand alone. */
import type { Arrival } from '../switch/arrival.js'

/** Before a number: `*67` and `*82` of North America, `#31#` and `*31#` of GSM (3GPP TS 22.030) and of ETSI networks. */
const prefix = /^(\*67|#31#|\*31#|\*82)(.+)$/

/** Withholds the number, or shows it, where a code before what was dialled says so. */
export function withoutPrefix(arrival: Arrival): Arrival {
  const [, code, dialled] = prefix.exec(arrival.dialled) ?? []
  if (code === undefined || dialled === undefined) return arrival
  return { ...arrival, dialled, isWithheld: code !== '*82' }
}

/** Whether a call flow may have it as its `dial_code`. */
export function isDialCode(dialled: string): boolean {
  return /^(0|[*#][0-9]{1,4}#?)$/.test(dialled)
}
