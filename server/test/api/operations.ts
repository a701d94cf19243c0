/** The API's operations as its OpenAPI document tells them, and a check of answers against it. */
import { randomBytes } from 'node:crypto'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { expect } from 'chai'
import { App } from '../../src/app/app.js'
import { readConfig } from '../../src/config/config.js'
import type { Auth } from '../../src/infrastructure/http/endpoint.js'
import type { Answer } from '../support/api-client.js'

type Json = Record<string, any>

export interface Operation {
  /** For example `GET /phone-numbers/{id}`. */
  name: string
  method: string
  path: string
  auth: Auth
  parameters: { name: string; in: 'path' | 'query' | 'header'; schema: Json }[]
  /** Schema of the JSON body. */
  body: Json | undefined
  takesOnlyFiles: boolean
  responses: Json
  successStatus: number
}

/** The document of this build; the suite compares it with the one that is served. */
export function builtDocument(): Json {
  const secret = randomBytes(32).toString('base64')
  const config = readConfig({
    JACKFIELD_OPERATOR_TOKEN: secret,
    JACKFIELD_SECRET_KEY: secret,
    JACKFIELD_DATABASE_PASSWORD: '',
    JACKFIELD_SWITCH_PASSWORD: '',
  })
  return new App(config).openApi()
}

/** Lists all operations. */
export function operationsOf(document: Json): Operation[] {
  return Object.entries(document['paths'] as Json).flatMap(([path, methods]) =>
    Object.entries(methods as Json).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase(),
      path,
      auth: operation['x-auth'],
      parameters: operation.parameters,
      body: bodyOf(document, operation.requestBody),
      takesOnlyFiles: Boolean(operation.requestBody) && !bodyOf(document, operation.requestBody),
      responses: operation.responses,
      successStatus: Number(Object.keys(operation.responses).find((status) => status.startsWith('2'))),
    })),
  )
}

/**
 * Makes a check that an answer is one that the operation declares, in status and shape. A field that
 * the shape does not name is a failure too: that is how secrets leak.
 */
export function answerCheck(document: Json): (operation: Operation, answer: Answer, hint?: string) => void {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  formats.default(ajv)
  ajv.addSchema(closed(document) as object, 'api')
  return ({ name, method, path, responses }, answer, hint = '') => {
    const what = `${name} ${hint} answered ${answer.status} ${JSON.stringify(answer.body).slice(0, 500)}`
    const declared = responses[answer.status] as Json | undefined
    expect(declared, `${what}: this status is not declared`).to.exist
    const type = Object.keys(declared!['content'] as Json)[0]!
    const [sent = ''] = String(answer.headers['content-type']).split(';')
    expect(type.endsWith('/*') ? sent.replace(/\/.*/, '/*') : sent, what).to.equal(type)
    if (type !== 'application/json') return
    const steps = ['paths', path, method.toLowerCase(), 'responses', answer.status, 'content', type, 'schema']
    const pointer = steps.map((step) => encodeURIComponent(pointerStep(String(step)))).join('/')
    const check = ajv.getSchema(`api#/${pointer}`)
    expect(check, `${what}: no schema at ${pointer}`).to.be.a('function')
    expect(check!(answer.body), `${what}: ${ajv.errorsText(check!.errors)}`).to.equal(true)
    if (answer.status >= 400) expect(answer.body.statusCode, what).to.equal(answer.status)
  }
}

/** Every place in a JSON schema where a value may stand, with its schema. */
export function placesOf(document: Json, schema: Json, path: (string | number)[] = []): Place[] {
  const own = resolved(document, schema)
  const below = Object.entries((own['properties'] ?? {}) as Json).flatMap(([key, property]) =>
    placesOf(document, property as Json, [...path, key]),
  )
  const items = own['items'] ? placesOf(document, own['items'] as Json, [...path, 0]) : []
  return [...(path.length > 0 ? [{ path, schema: own }] : []), ...below, ...items]
}

export interface Place {
  path: (string | number)[]
  schema: Json
}

/** A copy of a body with another value in one place. */
export function replaced(
  body: unknown,
  [step, ...rest]: readonly (string | number)[],
  value: unknown,
): unknown {
  if (step === undefined) return value
  const copy: Record<string | number, unknown> = Object.assign(Array.isArray(body) ? [] : {}, body)
  copy[step] = replaced(copy[step], rest, value)
  return typeof step === 'number' && !Array.isArray(copy) ? [copy[step]] : copy
}

function bodyOf(document: Json, requestBody: Json | undefined): Json | undefined {
  const schema = requestBody?.['content']['application/json']?.schema as Json | undefined
  return schema && resolved(document, schema)
}

function resolved(document: Json, schema: Json): Json {
  const reference = schema['$ref'] as string | undefined
  if (!reference) return schema
  return document['components'].schemas[reference.split('/').at(-1)!]
}

function pointerStep(step: string): string {
  return step.replaceAll('~', '~0').replaceAll('/', '~1')
}

function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed)
  if (typeof value !== 'object' || value === null) return value
  const copy: Json = Object.fromEntries(Object.entries(value).map(([key, one]) => [key, closed(one)]))
  if (copy['type'] === 'object' && copy['properties'] && !('additionalProperties' in copy)) {
    copy['additionalProperties'] = false
  }
  return copy
}
