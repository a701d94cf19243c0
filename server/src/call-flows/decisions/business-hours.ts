import type { BusinessHoursParams } from '../nodes/business-hours.js'
import { decision } from './decision.js'
import { localTime } from './local-time.js'

/** By the local clock: an hour that the end of daylight saving time repeats counts twice, and a skipped hour never. */
export const businessHours = decision<BusinessHoursParams>((params, state, { now }) => {
  const { time_zone, hours, holidays = [] } = params
  const local = localTime(now, time_zone)
  const details = { time_zone, local_time: `${local.weekday} ${local.date} ${local.time}` }
  const holiday = holidays.find(({ date }) => date === local.date)
  if (holiday) return { outcome: 'holiday', state, details: { ...details, holiday } }
  const open = hours.find(
    ({ days, from, to }) => days.includes(local.weekday) && from <= local.time && local.time < to,
  )
  return open
    ? { outcome: 'open', state, details: { ...details, hours: open } }
    : { outcome: 'closed', state, details }
})
