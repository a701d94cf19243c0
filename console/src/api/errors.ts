/** Error messages for people: the API's own where it answered. */
import { ApiError } from '@jackfield/sdk'
import { defineTexts, textOf } from '../i18n/texts'
import { OldPage } from './fetched'
import en from './locales/en.json'
import { Unreached, isTimeout } from './reach'

const texts = defineTexts('api', en)

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
