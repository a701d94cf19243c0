import Type, { type Static } from 'typebox'
import { maxUrlLength } from '../../infrastructure/http-client/urls.js'
import { headers } from '../../infrastructure/http/header-fields.js'
import {
  Id,
  Timestamp,
  nullable,
  patterned,
  printable,
  wellFormed,
} from '../../infrastructure/http/shapes.js'

/** At most this many parameters a tool, and values a parameter. */
const maxParameters = 50

const ToolParameter = Type.Object(
  {
    type: Type.Enum(['string', 'number', 'integer', 'boolean', 'array', 'object']),
    description: Type.String({
      maxLength: 1000,
      pattern: wellFormed,
      'x-rule': 'well-formed text',
      default: '',
    }),
    enum: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 255, pattern: printable, 'x-rule': 'printable' }), {
        minItems: 1,
        maxItems: maxParameters,
        uniqueItems: true,
        description: 'The only values; of strings',
      }),
    ),
    required: Type.Boolean({ default: false }),
  },
  { title: 'ToolParameter' },
)

const parameterName = patterned(
  '^[A-Za-z][A-Za-z0-9_]{0,63}$',
  'named by 1 to 64 letters, digits and underscores, a letter first',
)

/** A map whose keys are themselves restricted. */
function map<T>(names: object, values: object, maxProperties: number, description: string) {
  const schema = {
    type: 'object',
    propertyNames: names,
    additionalProperties: values,
    maxProperties,
    description,
  }
  return Type.Unsafe<Record<string, T>>(schema)
}

const fields = {
  name: patterned('^[a-z0-9_]{1,64}$', '1 to 64 lowercase letters, digits and underscores'),
  description: Type.String({
    minLength: 1,
    maxLength: 1000,
    pattern: wellFormed,
    'x-rule': 'well-formed text',
    description: 'When the model should call it',
  }),
  webhook_url: Type.String({
    maxLength: maxUrlLength,
    pattern: '^[!-~]+$',
    'x-rule': 'a URL of printable ASCII characters',
    description: 'http or https',
  }),
  webhook_method: Type.Enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
  webhook_headers: headers(20, 'Sent with each request; kept encrypted'),
  parameters: map<Static<typeof ToolParameter>>(
    parameterName,
    ToolParameter,
    maxParameters,
    'What the model fills in, by name',
  ),
  required_params: Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
    maxItems: maxParameters,
    uniqueItems: true,
    description: 'Names of parameters; the same as their `required`',
  }),
  is_active: Type.Boolean(),
}

export const VoiceAgentToolShape = Type.Object(
  {
    id: Type.String(),
    voice_agent_id: Type.String(),
    workspace_id: Type.String(),
    name: Type.String(),
    description: Type.String(),
    tool_type: Type.Enum(['builtin', 'custom']),
    webhook_url: nullable(Type.String({ description: 'null: built in' })),
    webhook_method: fields.webhook_method,
    webhook_headers: Type.Unsafe<Record<string, string>>({
      type: 'object',
      additionalProperties: { type: 'string' },
    }),
    parameters: Type.Unsafe<Record<string, Static<typeof ToolParameter>>>({
      type: 'object',
      additionalProperties: ToolParameter,
    }),
    required_params: Type.Array(Type.String()),
    is_active: Type.Boolean(),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'VoiceAgentTool' },
)

export const toolParams = Type.Object({ id: Id(), toolId: Id() })

export const CreateTool = Type.Object({
  name: fields.name,
  description: fields.description,
  tool_type: Type.Optional(Type.Enum(['custom'])),
  webhook_url: fields.webhook_url,
  webhook_method: Type.Optional(fields.webhook_method),
  webhook_headers: Type.Optional(fields.webhook_headers),
  parameters: Type.Optional(fields.parameters),
  required_params: Type.Optional(fields.required_params),
  is_active: Type.Optional(fields.is_active),
})
export type CreateTool = Static<typeof CreateTool>

export const UpdateTool = Type.Partial(Type.Object(fields))
export type UpdateTool = Static<typeof UpdateTool>
