/** Local time and date at a place. */

export interface LocalTime {
  /** YYYY-MM-DD */
  date: string
  weekday: 'sun' | 'mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat'
  /** HH:MM, from 00:00 to 23:59. */
  time: string
}

/** @param timeZone of the IANA database; its summer time is followed */
export function localTime(now: Date, timeZone: string): LocalTime {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
  })
  const parts = new Map(format.formatToParts(now).map(({ type, value }) => [type, value]))
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? ''
  return {
    date: `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`,
    weekday: part('weekday').toLowerCase() as LocalTime['weekday'],
    time: `${part('hour')}:${part('minute')}`,
  }
}

/** Whether a name is of the IANA database. */
export function isTimeZone(name: string): boolean {
  // Offsets such as +02:00 are valid too, but have no daylight saving time, so they are mistakes.
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) instanceof Intl.DateTimeFormat
  } catch {
    return false
  }
}
