import Type from 'typebox'
import { Title, patterned } from '../../../infrastructure/http/shapes.js'
import { isTimeZone, localTime } from '../local-time.js'
import { flowNode, nodeProblem } from './flow-node.js'

const timeOfDay = (pattern: string) => patterned(pattern, 'a time of day, HH:MM')

const params = Type.Object({
  time_zone: Type.String({
    minLength: 1,
    maxLength: 64,
    description: 'IANA time zone, such as Europe/Berlin',
  }),
  hours: Type.Array(
    Type.Object({
      days: Type.Array(Type.Enum(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']), {
        minItems: 1,
        maxItems: 7,
        uniqueItems: true,
      }),
      from: timeOfDay('^([01][0-9]|2[0-3]):[0-5][0-9]$'),
      to: timeOfDay('^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$'),
    }),
    { maxItems: 50, description: 'Open from `from` until just before `to`' },
  ),
  holidays: Type.Optional(
    Type.Array(
      Type.Object({
        date: Type.String({ format: 'date', description: 'YYYY-MM-DD' }),
        title: Type.Optional(Title(1, 64)),
      }),
      { maxItems: 366, description: 'Days that take the outcome holiday' },
    ),
  ),
})

/**
 * Branches by the local clock: an hour that the end of daylight saving time repeats counts twice, and a skipped hour
 * never.
 */
export const businessHours = flowNode({
  type: 'business_hours',
  group: 'decide',
  summary: 'Branches by the opening hours of a place',
  params,
  fields: { hours: { kind: 'hours' }, time_zone: { kind: 'none' }, holidays: { kind: 'none' } },
  outcomes: ['open', 'closed', 'holiday'],
  check(_workspace, { params: { time_zone, hours } }) {
    const problems = hours.flatMap(({ from, to }, index) =>
      from < to ? [] : [nodeProblem(`params.hours.${index}.to`, 'must be later than from')],
    )
    if (!isTimeZone(time_zone)) problems.push(nodeProblem('params.time_zone', 'is not a known time zone'))
    return problems
  },
  decide({ time_zone, hours, holidays = [] }, _state, { now }) {
    const local = localTime(now, time_zone)
    const details = { time_zone, local_time: `${local.weekday} ${local.date} ${local.time}` }
    const holiday = holidays.find(({ date }) => date === local.date)
    if (holiday) return { outcome: 'holiday', details: { ...details, holiday } }
    const open = hours.find(
      ({ days, from, to }) => days.includes(local.weekday) && from <= local.time && local.time < to,
    )
    return open ? { outcome: 'open', details: { ...details, hours: open } } : { outcome: 'closed', details }
  },
})
