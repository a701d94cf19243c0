/**
 * The largest JSON body of an endpoint, by its schema: what the schema takes fits however it is written, with room for
 * escapes and spaces, and a page of text for what it refuses in words.
 */
import type { TSchema } from 'typebox'
import type { JsonSchema } from './json-schema.js'

/** Every endpoint takes as much, so that a mistake of some size is named by its field. */
const leastBytes = 16_384

/** No endpoint takes more, whatever its schema leaves open. */
export const mostBytes = 1_000_000

/** Of a character: one beyond the basic plane may be written as two escapes, `\ud83d\ude00`. */
const bytesOfChar = 12

/** Quotes, comma, colon, and the line and indentation of a part. */
const bytesAround = 64

/** Characters of a string that only its pattern or format bounds. */
const unsaidLength = 4_096

/** Bytes of the largest body, between 16 kB and 1 MB. */
export function bodyLimit(schema: TSchema): number {
  return Math.max(leastBytes, Math.min(mostBytes, Math.ceil(bytesOf(schema))))
}

/** `Infinity` where the schema sets no bound. */
function bytesOf(schema: JsonSchema): number {
  if (schema.anyOf) return Math.max(...schema.anyOf.map(bytesOf))
  if (schema.enum) return bytesAround + Math.max(...schema.enum.map(bytesOfText))
  if ('const' in schema) return bytesAround + bytesOfText(schema.const)
  if (schema.type === undefined) return Infinity
  return bytesAround + Math.max(...[schema.type].flat().map((type) => bytesOfType(schema, type)))
}

function bytesOfText(value: unknown): number {
  return bytesOfChar * String(value).length
}

function bytesOfType(schema: JsonSchema, type: string): number {
  switch (type) {
    case 'string':
      return bytesOfChar * (schema.maxLength ?? lengthOfPattern(schema.pattern) ?? unsaidLength)
    case 'array':
      return (schema.maxItems ?? Infinity) * bytesOf(schema.items ?? {})
    case 'object':
      return bytesOfObject(schema)
    default:
      return bytesAround
  }
}

/** Length of a pattern that repeats one class of characters, such as `^[!-~]{1,64}$`. */
function lengthOfPattern(pattern = ''): number | undefined {
  const [, most] = /^\^\[[^\]]+\]\{(?:\d+,)?(\d+)\}\$$/.exec(pattern) ?? []
  return most === undefined ? undefined : Number(most)
}

function bytesOfObject(schema: JsonSchema): number {
  const { properties = {}, additionalProperties, patternProperties = {}, propertyNames = {} } = schema
  const known = Object.entries(properties).map(([name, one]) => bytesOfText(name) + bytesOf(one))
  const others =
    typeof additionalProperties === 'object' ? additionalProperties : Object.values(patternProperties)[0]
  const isOpen = others !== undefined || additionalProperties === true
  const ofName = bytesOfChar * (propertyNames.maxLength ?? unsaidLength)
  const open = isOpen ? (schema.maxProperties ?? Infinity) * (ofName + bytesOf(others ?? {})) : 0
  return known.reduce((sum, one) => sum + one, 0) + open
}
