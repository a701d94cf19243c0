/** What the API's schemas ask for, so that no page forgets any of it. */

export interface Schema {
  type?: string | string[]
  enum?: unknown[]
  properties?: Record<string, Schema>
  items?: Schema
  additionalProperties?: Schema | boolean
  minimum?: number
  maximum?: number
  description?: string
}

/** Places of all values that may be sent, such as `queue.max_wait` and `hours.0.from`. */
export function placesIn(schema: Schema, at = ''): string[] {
  const below = (name: string) => (at === '' ? name : `${at}.${name}`)
  if (schema.properties) {
    return Object.entries(schema.properties).flatMap(([name, one]) => placesIn(one, below(name)))
  }
  if (schema.items?.properties) return placesIn(schema.items, below('0'))
  return [at]
}

/** Some value of a schema: all that it may hold is there, once. */
export function sampleOf(schema: Schema): unknown {
  if (schema.properties) {
    return Object.fromEntries(Object.entries(schema.properties).map(([name, one]) => [name, sampleOf(one)]))
  }
  if (schema.enum) return schema.enum[0]
  switch (schema.type) {
    case 'array':
      return [sampleOf(schema.items ?? {})]
    case 'object':
      return { 'X-Name': 'value' }
    case 'integer':
    case 'number':
      return schema.minimum ?? 1
    case 'boolean':
      return true
    default:
      return 'text'
  }
}
