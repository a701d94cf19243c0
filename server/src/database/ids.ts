/** Prefixed ids that sort by the time of their making: `call_01k8…` (a ULID in lower case). */
import { monotonicFactory } from 'ulid'

const ulid = monotonicFactory()

/** Prefixes of the contract (Conventions, 7) and of our own records. */
export type IdPrefix =
  | 'ag'
  | 'te'
  | 'mem'
  | 'pn'
  | 'si'
  | 'ex'
  | 'acl'
  | 'gw'
  | 'va'
  | 'vas'
  | 'vat'
  | 'au'
  | 'con'
  | 'ab'
  | 'cf'
  | 'wh'
  | 'whd'
  | 'pc'
  | 'call'
  | 'leg'
  | 'rec'
  | 'evt'
  | 'job'
  | 'cr'
  | 'log'

/** Makes an id. */
export function newId(prefix: IdPrefix): string {
  return `${prefix}_${ulid().toLowerCase()}`
}
