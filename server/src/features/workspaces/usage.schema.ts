import Type, { type Static } from 'typebox'

/** Days that one answer covers at most. */
export const maxDays = 366

const date = (description: string) =>
  Type.String({ pattern: '^20[0-9]{2}-', format: 'date', 'x-rule': 'a date of this century', description })

const days = {
  from: Type.Optional(date('First day in UTC, YYYY-MM-DD; by default 29 days before the last')),
  to: Type.Optional(date('Last day in UTC; today by default')),
}

const format = Type.Enum(['csv', 'jsonl'], {
  default: 'csv',
  description: 'csv with a heading, or a JSON object on each line',
})

export const ExportQuery = Type.Object({ ...days, format })
export type ExportQuery = Static<typeof ExportQuery>

export const UsageQuery = Type.Object({
  ...days,
  group_by: Type.Enum(['day', 'month'], { default: 'day' }),
})
export type UsageQuery = Static<typeof UsageQuery>

const sums = {
  calls: Type.Integer({ description: 'Calls that began' }),
  seconds: Type.Integer({ description: 'From answer to end, begun seconds counted' }),
  cost: Type.Number({ description: 'USD, of calls' }),
  messages: Type.Integer({ description: 'SMS and MMS that were accepted, or came in' }),
  segments: Type.Integer({ description: 'Of these messages' }),
  message_cost: Type.Number({ description: 'USD, of messages that a carrier has taken' }),
}

export const UsageShape = Type.Object(
  {
    from: Type.String(),
    to: Type.String(),
    group_by: Type.Enum(['day', 'month']),
    data: Type.Array(
      Type.Object({
        period: Type.String({
          description: 'YYYY-MM-DD or YYYY-MM; those without calls and messages are left out',
        }),
        direction: Type.Enum(['inbound', 'outbound']),
        ...sums,
      }),
    ),
    total: Type.Object(sums),
  },
  { title: 'Usage' },
)
