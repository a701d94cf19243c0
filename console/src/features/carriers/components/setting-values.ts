/** Form values of a carrier's settings, by their descriptions: the same object as the API's, with inputs at its fields. */
import { type HeaderRow, headerFieldIn, headersOf } from '../../../design/headers'
import type { Field, Kind } from '../kinds'
import { repeated, tableOf, wordEntries, wordField, wordsOf } from './words-by-meaning'

/** Settings by their first name. */
export type SettingValues = Record<string, unknown>

/** Inputs of settings. */
export function valuesOf(fields: readonly Field[], settings: object): SettingValues {
  return nested(fields.map((field) => [field.path, inputOf(field, valueAt(settings, field.path))]))
}

function inputOf(field: Field, value: unknown): unknown {
  switch (field.type) {
    case 'secret':
      return ''
    case 'headers':
      return []
    case 'meanings':
      return wordsOf(meaningsOf(field), (value ?? {}) as Record<string, string>)
    case 'tags':
      return ((value ?? []) as unknown[]).map(String)
    case 'choice':
    case 'ton':
    case 'npi':
      return typeof value === 'number' ? String(value) : (value ?? '')
    default:
      return value ?? ''
  }
}

/**
 * Settings in the API's format. Secrets that are not changed are left out.
 * @param replacesHeaders whether the headers replace those that are stored
 */
export function settingsOf(
  { optional }: Kind,
  fields: readonly Field[],
  values: SettingValues,
  replacesHeaders: boolean,
): Record<string, unknown> {
  const settings = nested(
    fields.flatMap((field) => {
      const value = settingOf(field, valueAt(values, field.path), replacesHeaders)
      return value === undefined ? [] : [[field.path, value] as const]
    }),
  )
  const empty = optional.filter((name) => name in values && isEmpty(values[name]))
  return { ...settings, ...Object.fromEntries(empty.map((name) => [name, null])) }
}

function settingOf(field: Field, input: unknown, replacesHeaders: boolean): unknown {
  switch (field.type) {
    case 'secret':
      return input === '' ? undefined : (input ?? '')
    case 'headers':
      return replacesHeaders ? headersOf(input as HeaderRow[]) : undefined
    case 'meanings':
      return tableOf(input as Record<string, string[]>)
    case 'tags':
      return field.numeric ? (input as string[]).map(Number) : input
    case 'country':
      return input ?? ''
    case 'flag':
      return input
    default:
      if (input === '' && field.nullable) return null
      // An empty number stays '', which the API refuses.
      return field.numeric && input !== '' ? Number(input) : input
  }
}

/** Whether a text, a list, or every field of an object is empty. */
function isEmpty(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return !value
  return Object.values(value).every(isEmpty)
}

/**
 * Duplicate words, which a JSON object cannot hold.
 * @param at path of the settings in the form
 * @returns the form's fields, each with what it repeats
 */
export function repeatedIn(
  fields: readonly Field[],
  values: SettingValues,
  at: string,
  replacesHeaders: boolean,
): Record<string, string> {
  const groups = new Map<string, (readonly [field: string, word: string])[]>()
  for (const field of fields) {
    const entries = wordsIn(field, valueAt(values, field.path), `${at}.${field.path}`, replacesHeaders)
    const group = field.distinct ?? field.path
    groups.set(group, [...(groups.get(group) ?? []), ...entries])
  }
  return Object.assign({}, ...[...groups.values()].map(repeated)) as Record<string, string>
}

function wordsIn(
  field: Field,
  input: unknown,
  path: string,
  replacesHeaders: boolean,
): (readonly [field: string, word: string])[] {
  if (field.type === 'meanings') return wordEntries(path, input as Record<string, string[]>)
  if (field.type === 'headers') {
    const rows = replacesHeaders ? (input as HeaderRow[]) : []
    return rows.map(({ name }, index) => [`${path}.${index}.name`, name])
  }
  return field.distinct ? (input as string[]).map((word) => [path, word]) : []
}

/** Form path of an API field. @param at path of the settings in the form */
export function fieldIn(
  apiField: string,
  fields: readonly Field[],
  values: SettingValues,
  at: string,
): string {
  const [, path] = /^settings\.(.+)$/.exec(apiField) ?? []
  if (path === undefined) return apiField
  const field = fields.find((one) => path.startsWith(`${one.path}.`))
  if (!field) return `${at}.${path}`
  const own = `${at}.${field.path}`
  const input = valueAt(values, field.path)
  switch (field.type) {
    case 'meanings':
      return wordField(own, input as Record<string, string[]>, path.slice(field.path.length + 1))
    case 'headers':
      return `${at}.${headerFieldIn(path, input as HeaderRow[], field.path)}`
    default:
      // A list is one form field: the error belongs to the field.
      return own
  }
}

export function meaningsOf({ choices = [] }: Field): readonly string[] {
  return choices.map(({ value }) => value)
}

function valueAt(settings: object, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (within, name) => (within as Record<string, unknown> | null | undefined)?.[name],
      settings,
    )
}

function nested(entries: readonly (readonly [path: string, value: unknown])[]): Record<string, unknown> {
  const all: Record<string, unknown> = {}
  for (const [path, value] of entries) {
    const [own = '', ...above] = path.split('.').reverse()
    let within = all
    for (const name of above.reverse()) within = (within[name] ??= {}) as Record<string, unknown>
    within[own] = value
  }
  return all
}

/** Values of the form of a carrier. */
export interface CarrierValues extends Record<string, unknown> {
  title: string
  throughput: number
  window_size: number
  settings: SettingValues
  replacesHeaders: boolean
}
