/** Prefixed ids that sort by the time of their making: `call_01k8…` (a ULID in lower case). */
import { monotonicFactory } from 'ulid'

const ulid = monotonicFactory()

/** Prefixes of the contract (Conventions, 7) and of our own records. */
export type IdPrefix = 'pn' | 'acl' | 'gw' | 'au' | 'call' | 'leg' | 'evt' | 'job' | 'cr'

/** Makes an id. */
export function newId(prefix: IdPrefix): string {
  return `${prefix}_${ulid().toLowerCase()}`
}
