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

/** A string that a pattern restricts; `rule` is what a caller is told when it does not match. */
export function patterned(pattern: string, rule: string, options: { description?: string } = {}) {
  return Type.String({ pattern, 'x-rule': rule, ...options })
}

/** ISO 8601 in UTC. */
export const Timestamp = Type.String({ format: 'date-time' })

/** Prefixed sortable id, for example `pn_01k…`. */
export const idParams = Type.Object({ id: Type.String({ maxLength: 64 }) })

/** Two-letter ISO 3166-1 code. */
export const CountryCode = patterned('^[A-Z]{2}$', 'a two-letter ISO 3166-1 country code in capitals')

const printable = '^[^\\u0000-\\u001f\\u007f]*$'

/** A name that people read: no control characters. */
export function Title(minLength: number, maxLength: number) {
  return Type.String({ minLength, maxLength, pattern: printable, 'x-rule': 'free of control characters' })
}
