/**
 * Validation by ajv, and the contract's 400 body. A walk comes first, whose cost is linear: what is too large is refused
 * there, and every problem at once is looked for only in values with few parts.
 */
import { Ajv, type ValidateFunction } from 'ajv'
import formats from 'ajv-formats'
import type { TSchema } from 'typebox'
import { type FieldProblem, ValidationError } from './errors.js'
import { schemaProblems } from './schema-problems.js'
import { maxParts, walkOf } from './schema-walk.js'
import { useHashedUniqueItems } from './unique-items.js'

const options = {
  allErrors: true,
  useDefaults: true,
  strict: true,
  allowUnionTypes: true,
  verbose: true,
}

/** On a property: when what is sent for it breaks its rules, the 400's message is an array of all messages. */
const allMessages = 'x-all-messages'

/** The program's own schemas are not checked themselves: at the first body that would take a tenth of a second. */
const own = { ...options, meta: false, validateSchema: false }

/** For values of few parts, and for those of many. */
const thorough = withKeywords(new Ajv(own))
const brief = withKeywords(new Ajv({ ...own, allErrors: false }))

function withKeywords(ajv: Ajv): Ajv {
  formats.default(ajv)
  useHashedUniqueItems(ajv)
  ajv.addVocabulary(['x-rule', 'x-reference', 'x-field', 'x-outcome', allMessages])
  // What `multipleOf` cannot say: 0.1 is no exact multiple of 0.000001 in binary fractions.
  ajv.addKeyword({
    keyword: 'x-decimals',
    type: 'number',
    schemaType: 'number',
    validate: (decimals: number, value: number) => Number(value.toFixed(decimals)) === value,
  })
  return ajv
}

/** Checks a value, fills in its defaults and removes nulls without meaning; throws {@link ValidationError}. */
export type Validator = (value: unknown) => void

/** Validator of a JSON body: unknown fields are refused where the schema closes its objects. */
export function bodyValidator(schema: TSchema): Validator {
  // Compiled at the first use: all that the API has would take a fifth of the time that a server takes to start.
  const walk = once(() => walkOf(closedSchema(schema)))
  const checkAll = once(() => thorough.compile(closedSchema(schema)))
  const checkFirst = once(() => brief.compile(closedSchema(schema)))
  return (value) => {
    const { parts, excess } = walk()(value)
    if (parts > maxParts && excess.length > 0) throw new ValidationError(excess)
    run(parts > maxParts ? checkFirst() : checkAll(), value)
  }
}

/**
 * Validator by a schema that was made of what somebody else has chosen, for one use: nothing of it outlives the
 * validator. The schema itself is not checked, which would take ten times as long as all the rest.
 */
export function passingValidator(schema: object): Validator {
  const passing = { useDefaults: false, ownProperties: true, meta: false, validateSchema: false }
  const ajv = new Ajv({ ...options, ...passing })
  useHashedUniqueItems(ajv)
  const check = ajv.compile(schema)
  return (value) => {
    run(check, value)
  }
}

/** Checks a value against a compiled schema at run time, such as an action's parameters below `path`. */
export function validateAt(check: Validator, value: unknown, path: string): FieldProblem[] {
  try {
    check(value)
    return []
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error
    return error.errors.map(({ field, messages }) => ({
      field: field ? `${path}.${field}` : path,
      messages: messages.map((message) => (field ? `${path}.${message}` : message.replace('the body', path))),
    }))
  }
}

function run(check: ValidateFunction, value: unknown): void {
  if (check(value)) return
  const errors = check.errors ?? []
  const asArray = errors.some(({ parentSchema }) => allMessages in (parentSchema ?? {}))
  throw new ValidationError(schemaProblems(errors), asArray)
}

function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}

/** Objects whose schema says nothing of further properties refuse them: a mistyped name is never ignored. */
export function closedSchema(schema: TSchema): TSchema {
  if (Array.isArray(schema)) return schema.map((item: TSchema) => closedSchema(item))
  if (typeof schema !== 'object' || schema === null) return schema
  const copy = Object.fromEntries(
    Object.entries(schema as Record<string, unknown>).map(([key, value]) => [
      key,
      closedSchema(value as TSchema),
    ]),
  )
  const isObject = [copy['type']].flat().includes('object')
  if (isObject && copy['properties'] && !('additionalProperties' in copy)) {
    copy['additionalProperties'] = false
  }
  return copy
}
