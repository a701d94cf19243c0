/** Building blocks that request and response schemas share. */
import Type, { type Static, type TSchema } from 'typebox'

/**
 * A schema that also admits null. Types are joined rather than put in `anyOf`, so that a validation
 * failure says one thing about the field.
 */
export function nullable<T extends TSchema>(schema: T) {
  const { type, ...rest } = schema as T & { type?: string }
  return Type.Unsafe<Static<T> | null>({ ...rest, type: [type, 'null'] })
}

/** A string that a pattern restricts; `rule` is the text of the error when it does not match. */
export function patterned(pattern: string, rule: string, options: { description?: string } = {}) {
  return Type.String({ pattern, 'x-rule': rule, ...options })
}

/** ISO 8601 in UTC. */
export const Timestamp = Type.String({ format: 'date-time' })

/** An id that a caller names, for example `pn_01k…`: ASCII, as the columns of ids can be compared with nothing else. */
export function Id(options: { description?: string } = {}) {
  return patterned('^[!-~]{1,64}$', 'an id', options)
}

/**
 * A reference to another resource of the workspace. `x-reference` has its kind, so that everything a value refers to can
 * be found from its schema.
 */
export function reference<T extends TSchema>(kind: string, schema: T): T {
  return { ...schema, 'x-reference': kind }
}

/** `x-field`: what a form must know of a value beside its schema. */
export interface FieldHint {
  /**
   * `text` has several lines, `url` is a web address, and `none` has no field: that of another value shows it. Any other
   * name is that of an editor of the console (`console/src/features/flows/model/editors.ts`).
   */
  readonly kind?: 'text' | 'url' | 'none' | (string & {})
  /** What holds where the value is missing. Unlike `default` of JSON Schema, nothing fills it in. */
  readonly default?: string | number | boolean
  /** The text may hold placeholders: `{{caller_number}}`. */
  readonly placeholders?: true
  /** The text is a telephone number, or may be one: forms send it without separators. */
  readonly telephone?: true
}

export const idParams = Type.Object({ id: Id() })

/** Two-letter ISO 3166-1 code. */
export const CountryCode = patterned('^[A-Z]{2}$', 'a two-letter ISO 3166-1 country code in capitals')

/** No control characters, and no halves of a surrogate pair: JSON columns refuse those. */
export const printable = '^[^\\u0000-\\u001f\\u007f\\ud800-\\udfff]*$'

/** Any text that can be kept. */
export const wellFormed = '^[^\\ud800-\\udfff]*$'

/** A name that people read: no control characters. */
export function Title(minLength: number, maxLength: number) {
  return Type.String({ minLength, maxLength, pattern: printable, 'x-rule': 'free of control characters' })
}

/** An amount of USD, to the millionth. */
export function Usd(minimum: number, maximum: number, description = 'USD') {
  return Type.Number({ minimum, maximum, 'x-decimals': 6, description })
}
