/** Star and hash codes that phones dial: prefixes of a number, and codes of their own. */
import type { Arrival } from '../../../adapters/freeswitch/arrival.js'

/** Prefixes: `*67` and `*82` of North America, `#31#` and `*31#` of GSM (3GPP TS 22.030) and of ETSI networks. */
const prefix = /^(\*67|#31#|\*31#|\*82)(.+)$/

/** Withholds or shows the caller's number, as the prefix says. */
export function withoutPrefix(arrival: Arrival): Arrival {
  const [, code, dialled] = prefix.exec(arrival.dialled) ?? []
  if (code === undefined || dialled === undefined) return arrival
  return { ...arrival, dialled, isWithheld: code !== '*82' }
}

/** True if a call flow may use it as its `dial_code`. */
export function isDialCode(dialled: string): boolean {
  return /^(0|[*#][0-9]{1,4}#?)$/.test(dialled)
}
