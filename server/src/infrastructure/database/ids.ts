/** Prefixed ids that sort by the time of their making: `call_01k8…` (a ULID in lower case). */
import { randomFillSync } from 'node:crypto'
import { monotonicFactory } from 'ulid'

/** Random bytes that are drawn many at a time: ulid's own source asks the system for each character. */
const pool = new Uint8Array(4_096)
let used = pool.length

function random(): number {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  return (pool[used++] ?? 0) / 256
}

const ulid = monotonicFactory(random)

/** Prefixes of the contract (Conventions, 7) and of our own records. */
export type IdPrefix =
  | 'ag'
  | 'ses'
  | 'inv'
  | 'ent'
  | 'dev'
  | 'te'
  | 'mem'
  | 'pn'
  | 'si'
  | 'ex'
  | 'acl'
  | 'gw'
  | 'gr'
  | 'va'
  | 'vas'
  | 'vse'
  | 'dia'
  | 'vat'
  | 'aip'
  | 'aik'
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
  | 'off'
  | 'job'
  | 'cr'
  | 'log'
  | 'str'
  | 'msg'
  | 'conv'
  | 'car'
  | 'rd'
  | 'al'
  | 'att'
  | 'can'
  | 'note'
  | 'aic'
  | 'air'
  | 'evs'
  | 'eva'
  | 'evr'
  | 'ers'

/** Makes an id. */
export function newId(prefix: IdPrefix): string {
  return `${prefix}_${ulid().toLowerCase()}`
}

/** Whether a text looks like an id of a kind. No row has an id that does not, and id columns cannot hold it. */
export function isId(text: string, prefix: IdPrefix): boolean {
  return text.startsWith(`${prefix}_`) && /^[a-z]+_[0-9a-z]{26}$/.test(text)
}
