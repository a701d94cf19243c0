import Type, { type Static } from 'typebox'
import { Timestamp, nullable } from '../../infrastructure/http/shapes.js'

/** Everything that is looked at, in the order in which a new operator sets it up. */
export const checkIds = [
  'switch',
  'sip_address',
  'media_address',
  'sip_certificate',
  'web_address',
  'web_certificate',
  'disk',
  'workspace',
  'credit',
  'trunk',
  'number',
  'caller_signing',
  'caller_verification',
  'sms_carrier',
  'ai_provider',
  'push',
  'mail',
] as const
export type CheckId = (typeof checkIds)[number]

const states = ['done', 'todo', 'failing', 'optional', 'unknown'] as const

export const ChecklistShape = Type.Object(
  {
    checked_at: Timestamp,
    is_complete: Type.Boolean({ description: 'Whether nothing is `todo` or `failing`' }),
    items: Type.Array(
      Type.Object({
        id: Type.Unsafe<CheckId>({ enum: checkIds }),
        state: Type.Unsafe<(typeof states)[number]>({
          enum: states,
          description:
            '`todo`: not set up yet; `failing`: set up, and something is wrong; `optional`: not set up, and much works without; `unknown`: could not be looked at',
        }),
        reason: Type.String({ description: 'Why it is in this state, as one word for programs' }),
        values: Type.Unsafe<Record<string, string>>({
          type: 'object',
          additionalProperties: { type: 'string' },
          description: 'What the message speaks of',
        }),
        message: Type.String({ description: 'The same for people' }),
        advice: nullable(Type.String({ description: 'What to do; null where nothing is to be done' })),
        command: nullable(Type.String({ description: 'A command that does it, or begins it' })),
        docs: Type.String({ description: 'The page of the documentation about it' }),
      }),
    ),
  },
  { title: 'OperatorChecklist' },
)
export type Checklist = Static<typeof ChecklistShape>
export type CheckState = (typeof states)[number]
