/** Error messages for people: the API's own where it answered. */
import { ApiError } from '@jackfield/sdk'
import { defineTexts, textOf } from '../i18n/texts'
import { OldPage } from './fetched'
import { Unreached, isTimeout } from './reach'

const texts = defineTexts('errors', {
  en: {
    network: 'The server cannot be reached.',
    timeout: 'The server did not answer in time.',
    limited_one: 'Too many requests. Try again in a second.',
    limited_other: 'Too many requests. Try again in {{count}} seconds.',
    old: 'The console has been updated: reload the page.',
    unknown: 'Something went wrong in this page: {{message}}',
  },
  de: {
    network: 'Der Server ist nicht zu erreichen.',
    timeout: 'Der Server hat nicht rechtzeitig geantwortet.',
    limited_one: 'Zu viele Anfragen. Versuchen Sie es in einer Sekunde wieder.',
    limited_other: 'Zu viele Anfragen. Versuchen Sie es in {{count}} Sekunden wieder.',
    old: 'Die Konsole wurde aktualisiert: Laden Sie die Seite neu.',
    unknown: 'Auf dieser Seite ging etwas schief: {{message}}',
  },
})

export function messageOf(error: unknown): string {
  if (error instanceof ApiError) {
    return error.status === 429 ? textOf(texts, 'limited', { count: error.retryAfter ?? 60 }) : error.message
  }
  if (isTimeout(error)) return textOf(texts, 'timeout')
  if (error instanceof Unreached) return textOf(texts, 'network')
  if (error instanceof OldPage) return textOf(texts, 'old')
  return textOf(texts, 'unknown', { message: error instanceof Error ? error.message : String(error) })
}

/** Whether a retry may help: no response, or a server error. */
export function isWorthRetrying(error: unknown): boolean {
  return error instanceof ApiError ? error.status >= 500 : error instanceof Unreached || isTimeout(error)
}

export function isStatus(error: unknown, status: number): boolean {
  return error instanceof ApiError && error.status === status
}
