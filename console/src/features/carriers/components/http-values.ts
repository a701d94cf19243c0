/** Form values of an HTTP carrier: '' stands for null, words are grouped by their meaning. */
import { type HeaderRow, headerFieldIn, headersOf } from '../../../design/headers'
import type { HttpSettings } from '../queries'
import {
  type ReceiptWords,
  type RefusalCodes,
  receiptStates,
  refusalMeanings,
  repeated,
  tableOf,
  wordEntries,
  wordField,
  wordsOf,
} from './words-by-meaning'

type Text<T> = { [Name in keyof T]: null extends T[Name] ? string : T[Name] }

export interface HttpValues {
  url: string
  method: HttpSettings['method']
  content_type: HttpSettings['content_type']
  body: string
  country: string | null
  number_format: HttpSettings['number_format']
  number_prefix: string
  inbound_number_format: HttpSettings['inbound_number_format']
  inbound_number_prefix: string
  takes_originators: boolean
  media: boolean
  timeout_seconds: number
  message_id: string
  success_statuses: string[]
  success_value: { pointer: string; values: string[] }
  error_code: string
  error_message: string
  inbound_auth: HttpSettings['inbound_auth']
  refusals: RefusalCodes
  encodings: HttpSettings['encodings']
  kinds: { pointer: string; texts: string[]; receipts: string[] }
  /** '' leaves the stored one, null removes it. */
  inbound_secret: string | null
  inbound: Text<HttpSettings['inbound']>
  receipts: Omit<Text<HttpSettings['receipts']>, 'statuses'> & { words: ReceiptWords }
  replacesHeaders: boolean
  headers: HeaderRow[]
}

const orEmpty = <T extends object>(fields: T) =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, value ?? ''])) as Text<T>

const orNull = (text: string) => text || null

export function httpValuesOf(settings: HttpSettings, hasHeaders: boolean): HttpValues {
  const { success_statuses, success_value, refusals, kinds, inbound, receipts, ...rest } = settings
  const { statuses, ...pointers } = receipts
  return {
    ...orEmpty(rest),
    success_statuses: success_statuses.map(String),
    success_value: success_value ?? { pointer: '', values: [] },
    refusals: wordsOf(refusalMeanings, refusals),
    kinds: kinds ?? { pointer: '', texts: [], receipts: [] },
    inbound_secret: '',
    inbound: orEmpty(inbound),
    receipts: {
      ...orEmpty(pointers),
      words: wordsOf(receiptStates, statuses),
    },
    replacesHeaders: !hasHeaders,
    headers: [],
  }
}

export function httpSettingsOf(values: HttpValues): Record<string, unknown> {
  const { success_value, refusals, kinds, inbound, receipts, inbound_secret, ...others } = values
  const { replacesHeaders, headers, ...rest } = others
  const { words, ...pointers } = receipts
  return {
    ...rest,
    country: values.country ?? '',
    message_id: orNull(values.message_id),
    error_code: orNull(values.error_code),
    error_message: orNull(values.error_message),
    success_statuses: values.success_statuses.map(Number),
    // Without a pointer and values there is no success check; the API refuses a pointer without values, at the field.
    success_value: success_value.pointer || success_value.values.length > 0 ? success_value : null,
    refusals: tableOf(refusals),
    kinds: kinds.pointer || kinds.texts.length > 0 || kinds.receipts.length > 0 ? kinds : null,
    inbound: {
      ...inbound,
      items: orNull(inbound.items),
      id: orNull(inbound.id),
      charset: orNull(inbound.charset),
      part_reference: orNull(inbound.part_reference),
      part: orNull(inbound.part),
      parts: orNull(inbound.parts),
    },
    receipts: {
      ...pointers,
      items: orNull(pointers.items),
      message_id: orNull(pointers.message_id),
      to: orNull(pointers.to),
      error_code: orNull(pointers.error_code),
      error_message: orNull(pointers.error_message),
      statuses: tableOf(words),
    },
    ...(inbound_secret !== '' && { inbound_secret: inbound_secret ?? '' }),
    ...(replacesHeaders && { headers: headersOf(headers) }),
  }
}

/** Duplicate names and words, which a JSON object cannot hold. @returns the fields, each with what it repeats */
export function repeatedIn(values: HttpValues): Record<string, string> {
  const { headers, refusals, kinds, receipts, replacesHeaders } = values
  const names = replacesHeaders
    ? headers.map(({ name }, index) => [`headers.${index}.name`, name] as const)
    : []
  const { texts, receipts: kindsOfReceipts } = kinds
  return {
    ...repeated(names),
    ...repeated(wordEntries('refusals', refusals)),
    ...repeated(wordEntries('kinds', { texts, receipts: kindsOfReceipts })),
    ...repeated(wordEntries('receipts.words', receipts.words)),
  }
}

/** Form path of an API field. */
export function httpFieldIn(field: string, { headers, refusals, receipts }: HttpValues): string {
  const [, table, word = ''] = /^(receipts\.statuses|refusals)\.(.+)$/.exec(field) ?? []
  if (table === 'refusals') return wordField('refusals', refusals, word)
  if (table) return wordField('receipts.words', receipts.words, word)
  // A list is one form field: the error belongs to the field.
  const listed = field.replace(
    /^(success_statuses|success_value\.values|kinds\.(?:texts|receipts)|inbound\.media)\.\d+$/,
    '$1',
  )
  return headerFieldIn(listed, headers)
}
