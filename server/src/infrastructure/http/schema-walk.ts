/**
 * One walk over a value beside its schema, before ajv sees it: how many parts it has, which size rules it breaks, and
 * properties that are null where the schema gives null no meaning, which it removes. Its cost is linear in the value.
 */
import type { TSchema } from 'typebox'
import type { FieldProblem } from './errors.js'
import type { JsonSchema } from './json-schema.js'

/** A value with more parts than this is not searched for all of its problems: the first one is reported. */
export const maxParts = 5_000

/** Characters of a string that count as one part. */
const charsOfPart = 64

/** Problems that one walk reports at most. */
const maxExcess = 50

/** What a walk found. */
export interface Walk {
  /** Properties, items and pieces of strings that the schema speaks of. */
  readonly parts: number
  /** Broken size rules. Complete only where `parts` is at most {@link maxParts}: beyond it the walk stops at the first. */
  readonly excess: readonly FieldProblem[]
}

class Progress implements Walk {
  parts = 0
  readonly excess: FieldProblem[] = []

  get isOver(): boolean {
    return this.parts > maxParts && this.excess.length > 0
  }

  report(place: Place | null, rule: string): void {
    if (this.excess.length >= maxExcess) return
    const field = pathOf(place)
    this.excess.push({ field, messages: [`${field || 'the body'} ${rule}`] })
  }
}

interface Place {
  readonly above: Place | null
  readonly name: string | number
}

type Visit = (value: unknown, place: Place | null, progress: Progress) => void

/** Prepares the walk of a schema whose objects are closed where they refuse unknown fields. */
export function walkOf(schema: TSchema): (value: unknown) => Walk {
  const visit = visitOf(schema)
  return (value) => {
    const progress = new Progress()
    visit?.(value, null, progress)
    return progress
  }
}

/** Prepares what copies a value without the null properties that its schema gives no meaning. */
export function nullsRemoved(schema: TSchema): <T>(value: T) => T {
  const walk = walkOf(schema)
  return (value) => {
    const copy = structuredClone(value)
    walk(copy)
    return copy
  }
}

/** Undefined where nothing of the value can break a size rule. */
function visitOf(schema: JsonSchema): Visit | undefined {
  if (schema.anyOf) return visitOfAny(schema.anyOf)
  const types = typesOf(schema)
  const visits = [
    ...(types.includes('string') ? [visitOfString(schema)] : []),
    ...(types.includes('array') ? [visitOfArray(schema)] : []),
    ...(types.includes('object') ? [visitOfObject(schema)] : []),
  ]
  if (visits.length < 2) return visits[0]
  return (value, place, progress) => {
    for (const visit of visits) visit(value, place, progress)
  }
}

function typesOf({ type }: JsonSchema): readonly string[] {
  return type === undefined ? [] : [type].flat()
}

/** A size that one choice refuses may be right for another one: only the parts are counted. */
function visitOfAny(choices: readonly JsonSchema[]): Visit {
  const visits = choices.map(visitOf)
  return (value, place, progress) => {
    const kept = progress.excess.length
    for (const visit of visits) {
      visit?.(value, place, progress)
      progress.excess.length = kept
    }
  }
}

function visitOfString({ maxLength = Infinity }: JsonSchema): Visit {
  return (value, place, progress) => {
    if (typeof value !== 'string') return
    progress.parts += Math.floor(value.length / charsOfPart)
    if (value.length > maxLength && isLonger(value, maxLength)) {
      progress.report(place, `must NOT have more than ${maxLength} characters`)
    }
  }
}

/** Characters are code points (JSON Schema, maxLength): two units of a string may be one. */
function isLonger(text: string, maxLength: number): boolean {
  if (text.length > 2 * maxLength) return true
  return [...text].length > maxLength
}

function visitOfArray({ items, maxItems = Infinity }: JsonSchema): Visit {
  const visit = items && visitOf(items)
  return (value, place, progress) => {
    if (!Array.isArray(value)) return
    progress.parts += value.length
    if (value.length > maxItems) progress.report(place, `must NOT have more than ${maxItems} items`)
    if (!visit) return
    for (let index = 0; index < value.length && !progress.isOver; index++) {
      visit(value[index], { above: place, name: index }, progress)
    }
  }
}

interface Property {
  readonly visit: Visit | undefined
  readonly admitsNull: boolean
}

function visitOfObject(schema: JsonSchema): Visit {
  const { maxProperties = Infinity, additionalProperties, patternProperties } = schema
  const properties = new Map(
    Object.entries(schema.properties ?? {}).map(([name, property]): [string, Property] => [
      name,
      { visit: visitOf(property), admitsNull: admitsNull(property) },
    ]),
  )
  const isClosed = additionalProperties === false
  const [ofPattern] = Object.values(patternProperties ?? {})
  const others = typeof additionalProperties === 'object' ? additionalProperties : ofPattern
  const visitOther = others && visitOf(others)
  return (value, place, progress) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return
    const fields = value as Record<string, unknown>
    const names = Object.keys(fields)
    progress.parts += names.length
    if (names.length > maxProperties) {
      progress.report(place, `must NOT have more than ${maxProperties} properties`)
    }
    if (isClosed && names.length > properties.size) {
      for (const name of names) {
        if (!properties.has(name)) progress.report({ above: place, name }, 'is not a known field')
        if (progress.isOver && progress.excess.length >= maxExcess) return
      }
    }
    for (const name of names) {
      if (progress.isOver) return
      const property = properties.get(name)
      // A client that writes unset fields as null means that they are not there.
      if (property && fields[name] === null && !property.admitsNull) delete fields[name]
      else (property ? property.visit : visitOther)?.(fields[name], { above: place, name }, progress)
    }
  }
}

function admitsNull(schema: JsonSchema): boolean {
  if (schema.anyOf) return schema.anyOf.some(admitsNull)
  if (schema.enum) return schema.enum.includes(null)
  if ('const' in schema) return schema.const === null
  return schema.type === undefined || typesOf(schema).includes('null')
}

function pathOf(place: Place | null): string {
  const names: (string | number)[] = []
  for (let one = place; one; one = one.above) names.push(one.name)
  return names.reverse().join('.')
}
