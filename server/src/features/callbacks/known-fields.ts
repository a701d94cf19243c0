/** Takes of a customer's answer what a schema knows: one field that is not known does not spoil the others. */
import type { TSchema } from 'typebox'

interface SchemaParts {
  type?: string | string[]
  properties?: Record<string, TSchema>
  items?: TSchema
}

/**
 * A value without the fields that its schema does not know, and without those that are null where the schema has no
 * null: they count as left out.
 * @param ignored is given the path of each unknown field
 */
export function knownFields(
  schema: TSchema,
  value: unknown,
  path: string,
  ignored: (path: string) => void,
): unknown {
  const { properties, items } = schema as SchemaParts
  if (Array.isArray(value)) {
    return items
      ? value.map((one: unknown, index) => knownFields(items, one, `${path}.${index}`, ignored))
      : value
  }
  if (typeof value !== 'object' || value === null) return value
  if (!properties || 'additionalProperties' in schema) return value
  const kept: Record<string, unknown> = {}
  for (const [name, part] of Object.entries(value as Record<string, unknown>)) {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (!property) ignored(`${path}.${name}`)
    else if (part !== null || takesNull(property)) {
      kept[name] = knownFields(property, part, `${path}.${name}`, ignored)
    }
  }
  return kept
}

function takesNull(schema: TSchema): boolean {
  const { type } = schema as SchemaParts
  return type === undefined || [type].flat().includes('null')
}
