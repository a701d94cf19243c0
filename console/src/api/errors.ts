/** Error messages for people. */
import { ApiError, type FieldProblem } from '@jackfield/sdk'
import { defineTexts, textOf } from '../i18n/texts'
import { OldPage } from './fetched'
import en from './locales/en.json'
import { errorWords } from './problems/load'
import { Unreached, isTimeout } from './reach'

const texts = defineTexts('api', en)

export function messageOf(error: unknown): string {
  if (error instanceof ApiError) {
    if (error.status === 429) return textOf(texts, 'limited', { count: error.retryAfter ?? 60 })
    return errorWords()?.errorInWords(error) ?? textOf(texts, 'refused')
  }
  if (isTimeout(error)) return textOf(texts, 'timeout')
  if (error instanceof Unreached) return textOf(texts, 'network')
  if (error instanceof OldPage) return textOf(texts, 'old')
  return textOf(texts, 'unknown', { message: error instanceof Error ? error.message : String(error) })
}

/** What is wrong with one field, for the field itself to show. */
export function fieldMessage({ field, messages }: FieldProblem): string {
  const words = errorWords()
  if (!words) return textOf(texts, 'refused')
  return messages.map((message) => words.ruleInWords(field, message)).join(' ')
}

/** Whether a retry may help: no response, or a server error. */
export function isWorthRetrying(error: unknown): boolean {
  return error instanceof ApiError ? error.status >= 500 : error instanceof Unreached || isTimeout(error)
}

export function isStatus(error: unknown, status: number): boolean {
  return error instanceof ApiError && error.status === status
}
