/** Form values of a carrier: the settings of its kind. */
import type { Carrier, SmppSettings } from '../queries'
import {
  type HttpValues,
  httpFieldIn,
  httpSettingsOf,
  httpValuesOf,
  repeatedIn as repeatedInHttp,
} from './http-values'
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

/** Numeric settings chosen from lists, whose option values are strings. */
const byNumber = ['short_code_ton', 'short_code_npi', 'addr_ton', 'addr_npi'] as const
/** The same; empty means: derived from each number. */
const asTheyAre = ['source_ton', 'source_npi', 'destination_ton', 'destination_npi'] as const

type Chosen = (typeof byNumber)[number] | (typeof asTheyAre)[number]

type SmppValues = Omit<SmppSettings, Chosen | 'receipt_statuses' | 'refusals' | 'country'> &
  Record<Chosen, string> & {
    country: string | null
    words: ReceiptWords
    refusals: RefusalCodes
    password: string | null
  }

export interface CarrierValues extends Record<string, unknown> {
  title: string
  throughput: number
  window_size: number
  smpp?: SmppValues
  http?: HttpValues
}

export function valuesOf(carrier: Carrier): CarrierValues {
  const { title, throughput, window_size, settings, secrets } = carrier
  const common = { title, throughput, window_size }
  const hasHeaders = secrets.some((name) => name.startsWith('headers.'))
  return 'host' in settings
    ? { ...common, smpp: smppValuesOf(settings) }
    : { ...common, http: httpValuesOf(settings, hasHeaders) }
}

function smppValuesOf({ receipt_statuses, refusals, ...settings }: SmppSettings): SmppValues {
  const chosen = [...byNumber, ...asTheyAre].map((name) => [name, String(settings[name] ?? '')] as const)
  return {
    ...settings,
    ...(Object.fromEntries(chosen) as Record<Chosen, string>),
    words: wordsOf(receiptStates, receipt_statuses),
    refusals: wordsOf(refusalMeanings, refusals),
    password: '',
  }
}

/** Settings in the API's format; unchanged secrets are not sent. */
export function settingsOf({ smpp, http }: CarrierValues): Record<string, unknown> {
  if (http) return httpSettingsOf(http)
  return smpp ? smppSettingsOf(smpp) : {}
}

function smppSettingsOf({
  password,
  words,
  refusals,
  country,
  ...rest
}: SmppValues): Record<string, unknown> {
  return {
    ...rest,
    ...Object.fromEntries(byNumber.map((name) => [name, Number(rest[name])])),
    ...Object.fromEntries(asTheyAre.map((name) => [name, rest[name] === '' ? null : Number(rest[name])])),
    country: country ?? '',
    receipt_statuses: tableOf(words),
    refusals: tableOf(refusals),
    ...(password !== '' && { password: password ?? '' }),
  }
}

/** Duplicate names and words, which a JSON object cannot hold. @returns the fields, each with what it repeats */
export function repeatedIn({ smpp, http }: CarrierValues): Record<string, string> {
  if (smpp)
    return {
      ...repeated(wordEntries('smpp.words', smpp.words)),
      ...repeated(wordEntries('smpp.refusals', smpp.refusals)),
    }
  const fields = Object.entries(http ? repeatedInHttp(http) : {})
  return Object.fromEntries(fields.map(([field, word]) => [`http.${field}`, word]))
}

/** Form path of an API field. */
export function fieldIn(field: string, { smpp, http }: CarrierValues): string {
  const [, name] = /^settings\.(.+)$/.exec(field) ?? []
  if (name === undefined) return field
  if (http) return `http.${httpFieldIn(name, http)}`
  const [, table, word = ''] = /^(receipt_statuses|refusals)\.(.+)$/.exec(name) ?? []
  if (!smpp || !table) return `smpp.${name}`
  return table === 'refusals'
    ? wordField('smpp.refusals', smpp.refusals, word)
    : wordField('smpp.words', smpp.words, word)
}
