/** JSON documents and the places in them (RFC 6901). */
import { createHash } from 'node:crypto'
import type { Pointer } from './settings.js'

/** The rule that a pointer breaks, to follow "must", or undefined. */
export function brokenPointerRule(pointer: string): string | undefined {
  const isPointer = /^(\/([^~/]|~[01])*)*$/.test(pointer)
  return isPointer ? undefined : 'be a JSON Pointer (RFC 6901), such as /messages/0/id'
}

/** The value at a pointer; undefined if there is none. */
export function valueAt(document: unknown, pointer: Pointer): unknown {
  return pointer.split('/').slice(1).map(unescaped).reduce(memberOf, document)
}

/** The text, number or boolean at a pointer, as text; null if there is none. */
export function textAt(document: unknown, pointer: Pointer | null): string | null {
  const value = pointer === null ? undefined : valueAt(document, pointer)
  const isPlain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
  // Half of a surrogate pair is no character, and nothing that a database can hold.
  return isPlain ? String(value).replace(/\p{Surrogate}/gu, '\ufffd') : null
}

function unescaped(token: string): string {
  return token.replaceAll('~1', '/').replaceAll('~0', '~')
}

function memberOf(value: unknown, token: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  if (Array.isArray(value))
    return /^(0|[1-9]\d*)$/.test(token) ? (value as unknown[])[Number(token)] : undefined
  return Object.hasOwn(value, token) ? (value as Record<string, unknown>)[token] : undefined
}

/** Strings and numbers of JSON, each taken whole: a pattern that left a number in its middle would look at it again. */
const jsonToken = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/** An integer that a double may not hold. */
const longInteger = /^-?\d{16,}$/

/** Parses JSON. Integers of 16 digits and more, as in some carriers' ids, become text. @throws {SyntaxError} */
export function parseJson(text: string): unknown {
  // Unchanged first: invalid JSON must not become valid.
  JSON.parse(text)
  return JSON.parse(text.replace(jsonToken, (token) => (longInteger.test(token) ? `"${token}"` : token)))
}

/** Longest id of a carrier that is stored unchanged. */
const maxIdLength = 128

/** A carrier's id of a message for storage and look-up: ids that do not fit the column are hashed. */
export function storedId(id: string): string {
  const isKeepable = id.length <= maxIdLength && /^[ -~]+$/.test(id)
  return isKeepable ? id : createHash('sha256').update(id).digest('hex')
}
