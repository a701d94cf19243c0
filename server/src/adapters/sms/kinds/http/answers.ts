/** Reads the answer of a carrier to a submission. */
import { STATUS_CODES } from 'node:http'
import type { GuardedResponse } from '../../../../infrastructure/http-client/guarded-client.js'
import { retryAfterOf } from '../../../../infrastructure/http-client/retry-after.js'
import { type RefusalKind, SubmitError } from '../../link.js'
import { meaningIn } from '../../meaning.js'
import { storedId, parseJson, textAt } from './pointers.js'
import type { HttpCarrierSettings } from './settings.js'

type Settings = Pick<
  HttpCarrierSettings,
  'message_id' | 'success_statuses' | 'success_value' | 'error_code' | 'error_message' | 'refusals'
>

/** Statuses that are about the carrier or our account there, not about the message. */
const ofCarrier = new Set([401, 402, 403, 404, 405, 406, 407, 410, 415])

/** Characters of an answer that is not JSON. */
const maxTextLength = 1_000

/** A carrier is not waited for longer than this, whatever it says. */
const maxRetryAfterMs = 3_600_000

/** @returns the carrier's id of the message, or null when it gives none @throws {SubmitError} */
export function takenId(settings: Settings, { status, headers, body }: GuardedResponse): string | null {
  const document = documentOf(body)
  const { success_statuses: statuses, success_value: wanted, message_id: place } = settings
  const isTaken = statuses.length > 0 ? statuses.includes(status) : status >= 200 && status < 300
  const shown = wanted && textAt(document, wanted.pointer)
  if (!isTaken || (wanted && !wanted.values.includes(shown ?? ''))) {
    throw refusal(settings, { status, headers, document, isTaken, shown })
  }
  const id = place?.startsWith('header:') ? headerOf(headers, place) : textAt(document, place)
  return id ? storedId(id) : null
}

function refusal(
  settings: Settings,
  {
    status,
    headers,
    document,
    isTaken,
    shown,
  }: {
    status: number
    headers: GuardedResponse['headers']
    document: unknown
    isTaken: boolean
    /** The value that shows whether the answer is a success. */
    shown: string | null
  },
): SubmitError {
  const retryAfter = retryAfterOf(headers['retry-after'])
  const retryAfterMs = retryAfter === undefined ? undefined : Math.min(retryAfter, maxRetryAfterMs)
  const said = textAt(document, settings.error_code) ?? (isTaken ? shown : null)
  const known = meaningIn(settings.refusals, said ?? '') ?? meaningIn(settings.refusals, String(status))
  const kind = known ?? (isTaken ? 'permanent' : kindOf(status, retryAfterMs))
  const code = said ?? String(status)
  const message =
    textAt(document, settings.error_message) ??
    `The carrier answers ${status} ${STATUS_CODES[status] ?? ''}`.trim()
  const waits = kind === 'throttled' || kind === 'destination'
  return new SubmitError(kind, code, message, waits ? retryAfterMs : undefined)
}

function kindOf(status: number, retryAfterMs: number | undefined): RefusalKind {
  if (status === 429 || (status === 503 && retryAfterMs !== undefined)) return 'throttled'
  // A gateway timeout: the carrier may have the message.
  if (status === 504) return 'unanswered'
  if (status >= 500 || status === 408 || status === 425) return 'temporary'
  return status < 400 || ofCarrier.has(status) ? 'carrier' : 'permanent'
}

function headerOf(headers: GuardedResponse['headers'], place: string): string | null {
  const value = headers[place.slice('header:'.length).toLowerCase()]
  return (Array.isArray(value) ? value[0] : value) ?? null
}

function documentOf(body: Buffer): unknown {
  const text = body.toString()
  try {
    return parseJson(text)
  } catch {
    // `ERR: 105`, `0: Accepted for delivery`, `OK 4711`
    const plain = text.trim().slice(0, maxTextLength)
    return { text: plain, words: plain.split(/[\s:,;|=]+/).filter(Boolean) }
  }
}
