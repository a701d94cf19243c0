/** The OpenAPI 3.1 document, derived from the endpoints. Its schemas are the validators' own. */
import Type, { type TSchema } from 'typebox'
import { bodyLimit } from './body-limit.js'
import type { Auth, Endpoint } from './endpoint.js'

type Json = Record<string, unknown>

const securitySchemes = {
  ApiKey: { type: 'apiKey', in: 'header', name: 'Authorization', description: '`ApiKey <API_KEY>`' },
  Operator: { type: 'apiKey', in: 'header', name: 'Authorization', description: '`Operator <TOKEN>`' },
  AccessToken: bearer(
    'An agent’s access token, from `POST /auth/login`; where an API key is taken, that of an agent with `is_admin`',
  ),
  ClientToken: bearer(
    'The JWT of a user of a customer’s app, signed with the secret of an API key: `iss` the key’s sid, `aud` client-api, `sub`, `domain`, `call_flow_id`, `exp`',
  ),
  CallToken: bearer('The `call_token` of one call'),
}

function bearer(description: string) {
  return { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description }
}

const bearerSchemes = { agent: 'AccessToken', client: 'ClientToken', call_token: 'CallToken' } as const

const FieldProblem = Type.Object({ field: Type.String(), messages: Type.Array(Type.String()) })

/** Shape of every failure. */
const ErrorShape = Type.Object(
  {
    statusCode: Type.Integer(),
    message: Type.Unsafe<string | string[]>({ type: ['string', 'array'], items: { type: 'string' } }),
    error: Type.Optional(Type.String()),
    errors: Type.Optional(Type.Array(FieldProblem)),
    retryAfter: Type.Optional(Type.Integer({ description: 'Seconds' })),
  },
  { title: 'Error' },
)

/** Builds the document. */
export function openApiDocument(endpoints: readonly Endpoint[], version: string): Json {
  const components: Record<string, unknown> = {}
  const paths: Record<string, Json> = {}
  for (const endpoint of endpoints) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation(endpoint, components) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Jackfield API',
      version,
      description:
        'Every path is relative to `https://<workspace>.<base domain>/api/v1`; those of the operator to `https://admin.<base domain>/api/v1`.',
    },
    servers: [{ url: '/api/v1' }],
    paths,
    components: { schemas: components, securitySchemes },
  }
}

function operation(endpoint: Endpoint, components: Record<string, unknown>): Json {
  const share = (schema: TSchema) => hoist(schema, components)
  return {
    operationId: operationId(endpoint),
    summary: endpoint.summary,
    ...(endpoint.description && { description: endpoint.description }),
    tags: [endpoint.tag],
    security: security(endpoint.auth),
    'x-auth': endpoint.auth,
    'x-rate-tier': endpoint.tier,
    ...(endpoint.body && { 'x-max-body-bytes': bodyLimit(endpoint.body) }),
    parameters: [
      ...parameters('path', endpoint.params, share),
      ...parameters('query', endpoint.query, share),
      ...(endpoint.idempotent ? [idempotencyKey] : []),
    ],
    ...requestBody(endpoint, share),
    responses: {
      [endpoint.status]: {
        description: 'Success',
        content: { [mediaTypeOf(endpoint.responseSchema)]: { schema: share(endpoint.responseSchema) } },
      },
      ...failures(endpoint, share),
    },
  }
}

function mediaTypeOf(schema: TSchema): string {
  return (schema as { contentMediaType?: string }).contentMediaType ?? 'application/json'
}

/** `PATCH /phone-numbers/:id` → `patch_phone_numbers_id`. */
export function operationId(endpoint: Pick<Endpoint, 'method' | 'path'>): string {
  return `${endpoint.method}${endpoint.path}`.replace(/[^A-Za-z0-9]+/g, '_').toLowerCase()
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  schema: { type: 'string', minLength: 1, maxLength: 255 },
  description: 'A repetition with the same key and body answers what the first request answered.',
}

function parameters(place: string, schema: TSchema | undefined, share: (schema: TSchema) => unknown): Json[] {
  if (!schema) return []
  const { properties, required = [] } = schema as unknown as {
    properties: Record<string, TSchema>
    required?: string[]
  }
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    // A parameter with a default is always present once validated, and yet need not be sent.
    required: place === 'path' || (required.includes(name) && !('default' in property)),
    schema: share(property),
  }))
}

function requestBody(endpoint: Endpoint, share: (schema: TSchema) => unknown): Json {
  const { body, upload } = endpoint
  if (!body && !upload) return {}
  const content: Json = body ? { 'application/json': { schema: share(sendable(body)) } } : {}
  if (upload) {
    content['multipart/form-data'] = {
      schema: {
        type: 'object',
        properties: { [upload.field]: { type: 'string', format: 'binary' } },
        ...(!body && { required: [upload.field] }),
      },
    }
  }
  return {
    requestBody: {
      required: upload !== undefined || endpoint.method !== 'POST' || needsFields(body),
      content,
    },
  }
}

/** Whether a body without a field breaks the schema: such a one need not be sent at all. */
function needsFields(body: TSchema | undefined): boolean {
  const { type, required } = sendable(body ?? {}) as { type?: string; required?: string[] }
  return type !== 'object' || (required ?? []).length > 0
}

/** What has a default need not be sent, though it is always there once validated. */
function sendable(schema: TSchema): TSchema {
  if (Array.isArray(schema)) return schema.map((item: TSchema) => sendable(item))
  if (typeof schema !== 'object' || schema === null) return schema
  const copy = Object.fromEntries(
    Object.entries(schema as Json).map(([key, value]) => [key, sendable(value as TSchema)]),
  )
  const { required, properties } = copy as { required?: string[]; properties?: Record<string, object> }
  if (required && properties) {
    copy['required'] = required.filter((name) => !('default' in (properties[name] ?? {})))
  }
  return copy
}

function failures(endpoint: Endpoint, share: (schema: TSchema) => unknown): Json {
  const answer = (description: string) => ({
    description,
    content: { 'application/json': { schema: share(ErrorShape) } },
  })
  const { auth } = endpoint
  const limited = auth.scheme !== 'open'
  const authenticated = limited && auth.scheme !== 'visitor'
  const isGraded = auth.scheme === 'api_key' || (auth.scheme === 'bearer' && auth.roles.length < 3)
  return {
    400: answer(endpoint.errors[400] ?? 'Invalid parameters'),
    ...(isGraded && { 403: answer('Insufficient permissions') }),
    ...(authenticated && { 401: answer('Missing or invalid credentials') }),
    ...(limited && { 429: answer('Rate limit exceeded') }),
    ...Object.fromEntries(Object.entries(endpoint.errors).map(([status, text]) => [status, answer(text)])),
  }
}

function security(auth: Auth): Json[] {
  if (auth.scheme === 'open' || auth.scheme === 'visitor') return []
  if (auth.scheme === 'bearer') return auth.kinds.map((kind) => ({ [bearerSchemes[kind]]: [] }))
  const operator = { Operator: [] }
  return auth.scheme === 'operator' ? [operator] : [{ ApiKey: [] }, operator, { AccessToken: [] }]
}

/** Moves schemas that have a title to the components, so that generated types have names. */
function hoist(schema: unknown, components: Record<string, unknown>): unknown {
  if (Array.isArray(schema)) return schema.map((item) => hoist(item, components))
  if (typeof schema !== 'object' || schema === null) return schema
  const copy = Object.fromEntries(
    Object.entries(schema as Json)
      .filter(([key, value]) => key !== 'pattern' || typeof value !== 'string' || isPortable(value))
      .map(([key, value]) => [key, hoist(value, components)]),
  )
  const title = copy['title']
  if (typeof title !== 'string' || copy['type'] !== 'object') return copy
  components[title] = copy
  return { $ref: `#/components/schemas/${title}` }
}

/**
 * Whether a pattern means the same to a generated client as to us. JSON Schema reads patterns with the flag u; most
 * generators leave it out, so that `[^\\ud800-\\udfff]` refuses every emoji and `\\p{L}` is a `p`, and some write
 * control characters as such. Those that name code points are the server's alone: `x-rule` says what they ask for.
 */
function isPortable(pattern: string): boolean {
  return !/\\[uxpPc]|[^ -~]/.test(pattern)
}
