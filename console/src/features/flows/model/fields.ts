/** The fields of a step's form, from the JSON Schema of its parameters (`GET /call-flows/node-types`). */
import { writtenNumber } from '../../../api/written-number'
import { type Params, isRecord } from './steps'

export type ReferenceKind =
  'agent' | 'audio' | 'extension' | 'outbound_gateway' | 'phone_number' | 'team' | 'voice_agent'

/** One parameter; its name is its path. */
export type Field = { name: string; required: boolean } & (
  | { kind: 'reference'; of: ReferenceKind }
  | { kind: 'line' | 'text' | 'url'; placeholders: boolean; mayBeEmpty: boolean }
  | { kind: 'number'; min?: number; max?: number; byDefault?: number; step?: number }
  | { kind: 'flag'; byDefault: boolean }
  | { kind: 'choice'; values: readonly (string | number)[]; byDefault?: string | number }
  /** An object that may be missing. */
  | { kind: 'group'; fields: readonly Field[] }
  /** Drawn by an editor of that name. */
  | { kind: 'editor'; editor: string }
)

/** The parts of a JSON Schema that a form depends on. */
export interface Schema {
  type?: string | string[]
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  items?: Schema
  enum?: readonly (string | number)[]
  additionalProperties?: unknown
  minimum?: number
  maximum?: number
  minLength?: number
  pattern?: string
  'x-reference'?: string
  'x-outcome'?: true
  'x-field'?: { kind?: string; default?: unknown; placeholders?: true; telephone?: true }
}

/** Kinds that a schema may name without being an editor. */
const texts: ReadonlySet<string> = new Set(['text', 'url'])

/** @param within path of the object with the schema */
export function fieldsOf({ properties = {}, required = [] }: Schema, within = ''): Field[] {
  return Object.entries(properties).flatMap(([key, schema]) => {
    const base = { name: within + key, required: required.includes(key) }
    const hint = schema['x-field'] ?? {}
    if (hint.kind === 'none') return []
    if (hint.kind !== undefined && !texts.has(hint.kind)) {
      return [{ ...base, kind: 'editor', editor: hint.kind }]
    }
    return fieldOf(schema, base)
  })
}

/** None for a value that no field can show. */
function fieldOf(schema: Schema, base: { name: string; required: boolean }): Field[] {
  const { type, enum: values, 'x-reference': of, 'x-field': hint = {} } = schema
  const byDefault = hint.default
  if (of !== undefined) return [{ ...base, kind: 'reference', of: of as ReferenceKind }]
  if (values) return [{ ...base, kind: 'choice', values, ...given(byDefault as string | number | undefined) }]
  switch (type) {
    case 'boolean':
      return [{ ...base, kind: 'flag', byDefault: byDefault === true }]
    case 'integer':
    case 'number':
      return [
        {
          ...{ ...base, kind: 'number', ...given(byDefault as number | undefined) },
          ...(schema.minimum !== undefined && { min: schema.minimum }),
          ...(schema.maximum !== undefined && { max: schema.maximum }),
          ...(type === 'number' && { step: 0.1 }),
        },
      ]
    case 'string': {
      const kind = hint.kind === 'text' || hint.kind === 'url' ? hint.kind : 'line'
      const placeholders = hint.placeholders ?? false
      return [{ ...base, kind, placeholders, mayBeEmpty: kind !== 'url' && admitsEmpty(schema) }]
    }
    case 'object':
      if (!schema.properties) return [{ ...base, kind: 'editor', editor: 'headers' }]
      return [{ ...base, kind: 'group', fields: fieldsOf(schema, `${base.name}.`) }]
    default:
      return []
  }
}

function given<T>(byDefault: T | undefined) {
  return byDefault === undefined ? {} : { byDefault }
}

function admitsEmpty({ minLength = 0, pattern = '' }: Schema): boolean {
  return minLength === 0 && new RegExp(pattern).test('')
}

/** The outcomes that parameters name, by the `x-outcome` of their schema. */
export function outcomesIn(schema: Schema, value: unknown): string[] {
  if (schema['x-outcome']) return typeof value === 'string' && value !== '' ? [value] : []
  if (schema.items) {
    const { items } = schema
    return Array.isArray(value) ? value.flatMap((item) => outcomesIn(items, item)) : []
  }
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
    outcomesIn(property, isRecord(value) ? value[name] : undefined),
  )
}

/**
 * A value with the telephone numbers in it as the API takes them, by the `telephone` of their schemas, and of those that name a
 * number of the workspace.
 */
export function withNumbers(schema: Schema, value: unknown): unknown {
  const { properties, items, 'x-reference': of, 'x-field': hint } = schema
  if (typeof value === 'string')
    return hint?.telephone || of === 'phone_number' ? writtenNumber(value) : value
  if (Array.isArray(value)) return items ? value.map((item) => withNumbers(items, item)) : value
  if (!properties || !isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => {
      const property = Object.hasOwn(properties, name) ? properties[name] : undefined
      return [name, property ? withNumbers(property, one) : one]
    }),
  )
}

/** Whether a schema has `x-outcome` anywhere. */
export function namesOutcomes({ properties = {}, items, 'x-outcome': isOutcome }: Schema): boolean {
  return isOutcome === true || [...Object.values(properties), ...(items ? [items] : [])].some(namesOutcomes)
}

/** The parameters of a new step: texts that must be there, and may be empty. */
export function emptyParams(fields: readonly Field[]): Params {
  return Object.fromEntries(
    fields.flatMap((field) =>
      'mayBeEmpty' in field && field.mayBeEmpty && field.required ? [[field.name, '']] : [],
    ),
  )
}
