/** Times in a message list: the time for today, the date for earlier days. */
import { locale } from '../../../i18n/language'

export function isSameDay(one: string, other: string): boolean {
  return new Date(one).toDateString() === new Date(other).toDateString()
}

export function dayOf(at: string): string {
  return new Intl.DateTimeFormat(locale(), { dateStyle: 'full' }).format(new Date(at))
}

/** A short timestamp. */
export function ShortTime({ at, always = false }: { at: string; always?: boolean }) {
  const date = new Date(at)
  const isToday = always || isSameDay(at, new Date().toISOString())
  const shown = isToday
    ? new Intl.DateTimeFormat(locale(), { timeStyle: 'short' })
    : new Intl.DateTimeFormat(locale(), { day: 'numeric', month: 'short' })
  const whole = new Intl.DateTimeFormat(locale(), { dateStyle: 'full', timeStyle: 'long' })
  return (
    <time dateTime={date.toISOString()} title={whole.format(date)} style={{ whiteSpace: 'nowrap' }}>
      {shown.format(date)}
    </time>
  )
}
