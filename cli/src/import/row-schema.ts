/** Validates lines with the schema of the endpoint's body, from the server's OpenAPI document. */
import type { FieldProblem } from '@jackfield/sdk'
import { type ErrorObject, Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'

/** The parts of an OpenAPI document that are used here. */
export interface OpenApiDocument {
  paths: Record<
    string,
    { post?: { requestBody?: { content: { 'application/json': { schema: BodySchema } } } } }
  >
}

interface BodySchema {
  properties?: Record<string, { type?: string | string[] }>
  required?: string[]
}

/** The body of one endpoint. */
export interface RowSchema {
  /** All fields of the body. */
  fields: readonly string[]
  required: readonly string[]
  /** Converts cells to the schema's types: numbers, booleans and lists. */
  bodyOf(cells: Readonly<Record<string, string>>): Record<string, unknown>
  /** Problems of a body, by the schema alone. */
  problemsOf(body: Readonly<Record<string, unknown>>): FieldProblem[]
}

const yes = /^(true|yes|1)$/i
const no = /^(false|no|0)$/i

/** The schema of `POST path`. */
export function rowSchema(document: OpenApiDocument, path: string): RowSchema {
  const schema = document.paths[path]?.post?.requestBody?.content['application/json'].schema
  if (!schema) throw new Error(`this server has no POST ${path}: it is older than this program`)
  // The document has OpenAPI keywords, and formats that Ajv does not know.
  const ajv = new Ajv2020({ strict: false, allErrors: true, verbose: true })
  formats.default(ajv)
  ajv.addSchema(document, 'api')
  const pointer = `/paths/${escaped(path)}/post/requestBody/content/${escaped('application/json')}/schema`
  const check = ajv.compile({ $ref: `api#${pointer}` })
  const properties = schema.properties ?? {}
  return {
    fields: Object.keys(properties),
    required: schema.required ?? [],
    bodyOf: (cells) =>
      Object.fromEntries(
        Object.entries(cells).map(([name, text]) => [name, valueOf(text, [properties[name]?.type].flat())]),
      ),
    problemsOf: (body) => (check(body) ? [] : problems(check.errors ?? [])),
  }
}

/** Converts a cell; an invalid one stays as it is, for the schema to refuse. */
function valueOf(text: string, types: readonly (string | undefined)[]): unknown {
  if (types.includes('boolean')) return yes.test(text) ? true : no.test(text) ? false : text
  if (types.includes('integer') || types.includes('number')) {
    return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text
  }
  if (types.includes('array')) return text.split(';').map((part) => part.trim())
  return text
}

function escaped(part: string): string {
  return encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))
}

function problems(errors: readonly ErrorObject[]): FieldProblem[] {
  const byField = new Map<string, Set<string>>()
  for (const error of errors) {
    const missing = error.params['missingProperty'] as string | undefined
    const path = [...error.instancePath.split('/').slice(1), ...(missing === undefined ? [] : [missing])]
    const field = path.join('.')
    byField.set(field, (byField.get(field) ?? new Set()).add(messageOf(field || 'the line', error)))
  }
  return [...byField].map(([field, messages]) => ({ field, messages: [...messages] }))
}

/** The API's own messages, if the document has them. */
function messageOf(field: string, { keyword, params, message, parentSchema }: ErrorObject): string {
  const rule = (parentSchema as { 'x-rule'?: string } | undefined)?.['x-rule']
  switch (keyword) {
    case 'required':
      return `${field} is required`
    case 'enum':
      return `${field} must be one of ${(params['allowedValues'] as unknown[]).join(', ')}`
    case 'pattern':
      return `${field} must be ${rule ?? `of the form ${String(params['pattern'])}`}`
    case 'type':
      if ([params['type']].flat().includes('boolean')) return `${field} must be true or false`
      return `${field} must be of type ${[params['type']].flat().join(' or ')}`
    default:
      return `${field} ${message ?? 'is invalid'}`
  }
}
