import Type, { type Static } from 'typebox'
import { nullable } from '../../infrastructure/http/shapes.js'
import { logLevels, loggingParts } from './log-levels.js'

const Part = Type.Enum([...loggingParts], { description: '`server` is every server' })

const Level = Type.Enum([...logLevels, 'default'], { description: '`default`: as the part was started' })

export const SetLogLevel = Type.Object(
  {
    part: Part,
    level: Level,
    minutes: Type.Optional(
      nullable(
        Type.Integer({
          minimum: 1,
          maximum: 10_080,
          description: 'After which it is as it was started; null or left out: when you say so',
        }),
      ),
    ),
  },
  { additionalProperties: false },
)
export type SetLogLevel = Static<typeof SetLogLevel>

export const LogLevelShape = Type.Object(
  {
    part: Part,
    level: Level,
    until: nullable(Type.String({ format: 'date-time' })),
  },
  { title: 'LogLevel' },
)

export const LogLevelsShape = Type.Object({ data: Type.Array(LogLevelShape) })

export const DrainShape = Type.Object(
  {
    draining: Type.Boolean({ description: 'Whether no call may begin' }),
    since: nullable(Type.String({ format: 'date-time' })),
    live_calls: Type.Integer({ description: 'Calls that still live, of all workspaces' }),
    empty: Type.Boolean({ description: 'Whether none does' }),
  },
  { title: 'Drain' },
)
