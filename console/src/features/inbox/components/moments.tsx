/** Times in a message list: the time for today, the date for earlier days. */
import { perLocale } from '../../../i18n/language'

const wholeDay = perLocale((tag) => new Intl.DateTimeFormat(tag, { dateStyle: 'full' }))
const timeOfDay = perLocale((tag) => new Intl.DateTimeFormat(tag, { timeStyle: 'short' }))
const shortDay = perLocale((tag) => new Intl.DateTimeFormat(tag, { day: 'numeric', month: 'short' }))
const wholeTime = perLocale((tag) => new Intl.DateTimeFormat(tag, { dateStyle: 'full', timeStyle: 'long' }))

export function isSameDay(one: string, other: string): boolean {
  return new Date(one).toDateString() === new Date(other).toDateString()
}

export function dayOf(at: string): string {
  return wholeDay().format(new Date(at))
}

/** A short timestamp. */
export function ShortTime({ at, always = false }: { at: string; always?: boolean }) {
  const date = new Date(at)
  const isToday = always || isSameDay(at, new Date().toISOString())
  const shown = isToday ? timeOfDay() : shortDay()
  return (
    <time dateTime={date.toISOString()} title={wholeTime().format(date)} style={{ whiteSpace: 'nowrap' }}>
      {shown.format(date)}
    </time>
  )
}
