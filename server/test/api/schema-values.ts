/** Random values for the schemas of the OpenAPI document: mostly right, each part now and then wrong. */
import fc from 'fast-check'
import { malice } from './malice.js'

type Json = Record<string, any>

/** How many times a part is as its schema says, for each time that it is not. */
const rightForOneWrong = 8

const maxDepth = 6

/** What no schema expects in its place. */
const wrong = fc.oneof(
  fc.constantFrom<unknown>(...malice),
  fc.constantFrom<unknown>(null, true, -1, 0, 1.5, 1e308, Number.MAX_SAFE_INTEGER, [], {}, [[]]),
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.jsonValue({ maxDepth: 4 }),
)

/** Values of a schema; of any kind at all where it says nothing. */
export function valuesOf(document: Json, schema: Json, depth = 0): fc.Arbitrary<unknown> {
  const right = rightValuesOf(document, resolved(document, schema), depth)
  return fc.oneof({ weight: rightForOneWrong, arbitrary: right }, { weight: 1, arbitrary: wrong })
}

/** Query strings and path parts: texts, of which some are what the schema wants. */
export function textsOf(document: Json, schema: Json): fc.Arbitrary<string> {
  const text = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
  return fc
    .oneof(valuesOf(document, schema).map(text), fc.string({ unit: 'binary', maxLength: 80 }))
    .map((value) => value.replace(/\p{Surrogate}/gu, '?'))
}

function resolved(document: Json, schema: Json): Json {
  const reference = schema['$ref'] as string | undefined
  return reference ? document['components'].schemas[reference.split('/').at(-1)!] : schema
}

function rightValuesOf(document: Json, schema: Json, depth: number): fc.Arbitrary<unknown> {
  if ('const' in schema) return fc.constant(schema['const'])
  if (schema['enum']) return fc.constantFrom(...(schema['enum'] as unknown[]))
  const choices = (schema['anyOf'] ?? schema['oneOf']) as Json[] | undefined
  if (choices) return fc.oneof(...choices.map((one) => valuesOf(document, one, depth + 1)))
  const types = [schema['type'] ?? 'any'].flat() as string[]
  return fc.oneof(...types.map((type) => ofType(document, schema, type, depth)))
}

function ofType(document: Json, schema: Json, type: string, depth: number): fc.Arbitrary<unknown> {
  switch (type) {
    case 'string':
      return textOf(schema)
    case 'integer':
    case 'number':
      return numberOf(schema, type)
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      return depth > maxDepth
        ? fc.constant([])
        : fc.array(valuesOf(document, (schema['items'] ?? {}) as Json, depth + 1), {
            minLength: Math.min(Number(schema['minItems'] ?? 0), 3),
            maxLength: Math.min(Number(schema['maxItems'] ?? 4) + 1, 5),
          })
    case 'object':
      return depth > maxDepth ? fc.constant({}) : objectOf(document, schema, depth)
    default:
      return fc.jsonValue({ maxDepth: 3 })
  }
}

function textOf(schema: Json): fc.Arbitrary<string> {
  const least = (schema['minLength'] as number | undefined) ?? 0
  const most = Math.min((schema['maxLength'] as number | undefined) ?? 60, 4_000)
  const plain = fc.string({ unit: 'grapheme', minLength: Math.min(least, 50), maxLength: Math.min(most, 60) })
  const ends = fc.constantFrom('x'.repeat(least), 'x'.repeat(most), 'x'.repeat(most + 1))
  const examples = schema['format'] === 'date-time' ? [fc.date({ noInvalidDate: true }).map(String)] : []
  const matching = schema['pattern'] ? [fc.stringMatching(new RegExp(schema['pattern'] as string, 'u'))] : []
  return fc.oneof(plain, ends, ...examples, ...matching, ...matching)
}

function numberOf(schema: Json, type: string): fc.Arbitrary<number> {
  const least = Number(schema['minimum'] ?? -10)
  const most = Number(schema['maximum'] ?? 10_000)
  const within =
    type === 'integer'
      ? fc.integer({ min: Math.ceil(least), max: Math.floor(most) })
      : fc.double({ min: least, max: most, noNaN: true })
  return fc.oneof(within, fc.constantFrom(least, most, least - 1, most + 1))
}

function objectOf(document: Json, schema: Json, depth: number): fc.Arbitrary<unknown> {
  const required = (schema['required'] ?? []) as string[]
  const properties = Object.entries((schema['properties'] ?? {}) as Json)
  const known = fc.record(
    Object.fromEntries(properties.map(([key, value]) => [key, valuesOf(document, value as Json, depth + 1)])),
    { requiredKeys: required.filter((key) => properties.some(([name]) => name === key)) },
  )
  const strangers = fc.dictionary(
    fc.oneof(fc.constantFrom('__proto__', 'constructor', 'toString', 'id', ''), fc.string()),
    fc.jsonValue({ maxDepth: 2 }),
    { maxKeys: 2 },
  )
  const withStrangers = fc.tuple(known, strangers).map(([one, other]) => ({ ...one, ...other }))
  return fc.oneof({ weight: 9, arbitrary: known }, { weight: 1, arbitrary: withStrangers })
}
