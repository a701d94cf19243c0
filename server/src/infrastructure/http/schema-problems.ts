/** What ajv found wrong, in the form of the contract's 400: by dotted path, in words. */
import type { ErrorObject } from 'ajv'
import type { FieldProblem } from './errors.js'

/** At most this many fields are reported in one answer. */
const maxProblems = 50

/** Their failure says nothing that the failures inside them do not. */
const keywordsAround = new Set(['anyOf', 'if', 'propertyNames'])

export function schemaProblems(errors: readonly ErrorObject[]): FieldProblem[] {
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
