/** Parameters of paths and queries: texts that become what their schema asks for, and names that nothing knows. */
import type { TSchema } from 'typebox'
import { type FieldProblem, ValidationError } from './errors.js'
import { bodyValidator } from './validation.js'

type Texts = Readonly<Record<string, unknown>>

/** Turns the texts into values and checks them. @throws {ValidationError} */
export type TextReader = (sent: Texts) => Record<string, unknown>

/** Plain decimal notation: `Infinity`, `0x10` and `1e1` are numbers to JavaScript only. */
const integer = /^-?[0-9]{1,15}$/
const decimal = /^-?[0-9]{1,15}(\.[0-9]{1,15})?$/

/** Unknown names reported in one answer. */
const maxUnknown = 50

export function textReader(schema: TSchema): TextReader {
  const properties = propertiesOf(schema)
  const check = bodyValidator(schema)
  return (sent) => {
    const values = Object.fromEntries(
      Object.entries(sent).map(([name, value]) => [name, converted(properties.get(name), value)]),
    )
    check(values)
    return values
  }
}

interface QueryRules {
  readonly query?: TSchema
  /** Whether it answers a list, which takes the general form of lists (contract, Conventions 4). */
  readonly isList: boolean
}

/** What every list takes, though not each of them can search or sort: such a request is no mistake. */
const generalForm = ['page', 'limit', 'search', 'sort', 'order', 'sort_field', 'sort_order']

/** `sort` and `order` are the general form of `sort_field` and `sort_order` (contract, Conventions 4). */
const shortNames = { sort: 'sort_field', order: 'sort_order' } as const

export function queryReader({ query: schema, isList }: QueryRules): TextReader {
  const properties = propertiesOf(schema)
  const read = schema && textReader(schema)
  const taken = new Set([...properties.keys(), ...(isList ? generalForm : [])])
  return (sent) => {
    const unknown = Object.keys(sent).filter((name) => !taken.has(name))
    if (unknown.length > 0) throw new ValidationError(unknown.slice(0, maxUnknown).map(problemOf(taken)))
    const values: Record<string, unknown> = {}
    for (const [short, long] of Object.entries(shortNames)) {
      if (sent[short]) values[long] = sent[short]
    }
    Object.assign(values, sent)
    const known = Object.entries(values).filter(([name]) => properties.has(name))
    return read?.(Object.fromEntries(known)) ?? {}
  }
}

interface Property {
  readonly type?: string
  readonly items?: Property
}

function propertiesOf(schema: TSchema | undefined): ReadonlyMap<string, Property> {
  const { properties = {} } = (schema ?? {}) as { readonly properties?: Record<string, Property> }
  return new Map(Object.entries(properties))
}

/** The text itself where it is not of the type: the schema refuses it then. */
function converted(property: Property | undefined, sent: unknown): unknown {
  if (property?.type === 'array') return [sent].flat().map((one) => converted(property.items, one))
  if (typeof sent !== 'string') return sent
  switch (property?.type) {
    case 'integer':
      return integer.test(sent) ? Number(sent) : sent
    case 'number':
      return decimal.test(sent) ? Number(sent) : sent
    case 'boolean':
      return sent === 'true' || (sent === 'false' ? false : sent)
    default:
      return sent
  }
}

function problemOf(taken: ReadonlySet<string>): (name: string) => FieldProblem {
  return (name) => {
    const meant = nearest(taken, name)
    const hint = meant === undefined ? '' : `: did you mean ${meant}?`
    return { field: name, messages: [`${name} is not a known query parameter${hint}`] }
  }
}

/** The name that was probably meant: one or, in a longer one, two edits away. */
function nearest(taken: ReadonlySet<string>, sent: string): string | undefined {
  const near = [...taken]
    .filter((name) => Math.abs(name.length - sent.length) <= 2)
    .map((name) => ({ name, edits: editsBetween(name, sent.toLowerCase()) }))
    .filter(({ edits }) => edits <= (sent.length > 4 ? 2 : 1))
  return near.sort((one, other) => one.edits - other.edits)[0]?.name
}

/** The Levenshtein distance. */
function editsBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (const [i, char] of [...a].entries()) {
    const next = [i + 1]
    for (let j = 0; j < b.length; j++) {
      const replaced = (row[j] ?? 0) + Number(char !== b[j])
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
