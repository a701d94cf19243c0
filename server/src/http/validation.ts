/** Validation by ajv, and the contract's 400 body: every problem at once, by dotted path. */
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import formats from 'ajv-formats'
import type { TSchema } from 'typebox'
import { type FieldProblem, ValidationError } from './errors.js'

const options = {
  allErrors: true,
  useDefaults: true,
  strict: true,
  allowUnionTypes: true,
  verbose: true,
}

/** On a property: when what is sent for it breaks its rules, the 400's message is an array of all messages. */
const allMessages = 'x-all-messages'

/** Bodies are taken as they are; query strings and path parameters are text and are converted. */
const strictAjv = new Ajv(options)
const textAjv = new Ajv({ ...options, coerceTypes: 'array', removeAdditional: true })
for (const ajv of [strictAjv, textAjv]) {
  formats.default(ajv)
  ajv.addVocabulary(['x-rule', 'x-reference', allMessages])
  // What `multipleOf` cannot say: 0.1 is no exact multiple of 0.000001 in binary fractions.
  ajv.addKeyword({
    keyword: 'x-decimals',
    type: 'number',
    schemaType: 'number',
    validate: (decimals: number, value: number) => Number(value.toFixed(decimals)) === value,
  })
}

/** At most this many problems are reported in one answer. */
const maxProblems = 50

/** Checks a value and fills in its defaults; throws {@link ValidationError}. */
export type Validator = (value: unknown) => void

/** Validator of a JSON body: unknown fields are refused where the schema closes its objects. */
export function bodyValidator(schema: TSchema): Validator {
  return validator(() => strictAjv.compile(closed(schema)))
}

/**
 * Validator by a schema that was made of what somebody else has chosen, for one use: nothing of it outlives the
 * validator. The schema itself is not checked, which would take ten times as long as all the rest.
 */
export function passingValidator(schema: object): Validator {
  const passing = { useDefaults: false, ownProperties: true, meta: false, validateSchema: false }
  const check = new Ajv({ ...options, ...passing }).compile(schema)
  return validator(() => check)
}

/** Validator of a query string or of path parameters: values are converted, unknown ones dropped. */
export function textValidator(schema: TSchema): Validator {
  return validator(() => textAjv.compile({ ...schema, additionalProperties: false }))
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

/** Compiled at the first use: all that the API has would take a fifth of the time that a server takes to start. */
function validator(compile: () => ValidateFunction): Validator {
  let check: ValidateFunction | undefined
  return (value) => {
    check ??= compile()
    if (check(value)) return
    const errors = check.errors ?? []
    const asArray = errors.some(({ parentSchema }) => allMessages in (parentSchema ?? {}))
    throw new ValidationError(fieldProblems(errors), asArray)
  }
}

/** Objects whose schema says nothing of further properties refuse them: a mistyped name is never ignored. */
function closed(schema: TSchema): TSchema {
  if (Array.isArray(schema)) return schema.map((item: TSchema) => closed(item))
  if (typeof schema !== 'object' || schema === null) return schema
  const copy = Object.fromEntries(
    Object.entries(schema as Record<string, unknown>).map(([key, value]) => [key, closed(value as TSchema)]),
  )
  const isObject = [copy['type']].flat().includes('object')
  if (isObject && copy['properties'] && !('additionalProperties' in copy)) {
    copy['additionalProperties'] = false
  }
  return copy
}

/** Their failure says nothing that the failures inside them do not. */
const keywordsAround = new Set(['anyOf', 'if', 'propertyNames'])

function fieldProblems(errors: readonly ErrorObject[]): FieldProblem[] {
  const byField = new Map<string, Set<string>>()
  for (const error of errors) {
    if (keywordsAround.has(error.keyword)) continue
    const field = fieldOf(error)
    const messages = byField.get(field) ?? new Set()
    messages.add(messageOf(field, error))
    byField.set(field, messages)
    if (byField.size >= maxProblems) break
  }
  return [...byField].map(([field, messages]) => ({ field, messages: [...messages] }))
}

function fieldOf(error: ErrorObject): string {
  const path = error.instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
  if (error.propertyName !== undefined) path.push(error.propertyName)
  if (error.keyword === 'required') path.push(String(error.params['missingProperty']))
  if (error.keyword === 'additionalProperties') path.push(String(error.params['additionalProperty']))
  return path.join('.')
}

function messageOf(field: string, error: ErrorObject): string {
  const name = field || 'the body'
  const rule = (error.parentSchema as { 'x-rule'?: string } | undefined)?.['x-rule']
  switch (error.keyword) {
    case 'required':
      return `${name} is required`
    case 'additionalProperties':
      return `${name} is not a known field`
    case 'enum':
      return `${name} must be one of ${(error.params['allowedValues'] as unknown[]).join(', ')}`
    case 'pattern':
      return `${name} must be ${rule ?? `of the form ${String(error.params['pattern'])}`}`
    case 'x-decimals':
      return `${name} must have at most ${String(error.schema)} decimals`
    case 'type':
      return `${name} must be of type ${[error.params['type']].flat().join(' or ')}`
    default:
      return `${name} ${error.message ?? 'is invalid'}`
  }
}
