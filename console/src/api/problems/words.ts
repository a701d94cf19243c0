/**
 * The API's errors in the words of the person who reads them. The API says in English what is wrong, for programmers; each of
 * its sentences has one here, in every language. Loaded with the first error.
 */
import { ApiError } from '@jackfield/sdk'
import { common } from '../../i18n/common'
import { type AnyTextKey, type TextValues, defineTextGroups, textOf } from '../../i18n/texts'
import en from './locales/en.json'
import { matcherOf } from './matching'
import patterns from './patterns.json'

const texts = defineTextGroups('problems', en)
const ruleNamed = matcherOf(patterns.rules)
const refusalNamed = matcherOf(patterns.refusals)
const reportNamed = matcherOf(patterns.reports)

/** What is wrong with one field, without its name: a form shows it there. */
export function ruleInWords(field: string, message: string): string {
  const rule = ruleIn(field, message)
  if (rule) return rule
  return withDetail(textOf(texts.general, 'status400'), message)
}

/** Name of a field for people: that of its last part, as `params.prompt.text` is a text. */
export function labelOf(field: string): string {
  const name = field.split('.').findLast((part) => part !== '' && !/^\d+$/.test(part)) ?? ''
  const known = [name, name.replace(/_ids?$/, '')].find((one) => one in en.fields || one in common.en)
  return known ? textOf(texts.fields, known as keyof typeof en.fields) : name.replaceAll('_', ' ')
}

export function errorInWords(error: ApiError): string {
  if (error.errors.length === 0) return refusalInWords(error)
  return error.errors
    .map(({ field, messages }) => {
      const rule = messages.map((message) => ruleInWords(field, message)).join(' ')
      const label = labelOf(field)
      return label ? textOf(texts.general, 'atField', { field: label, rule }) : rule
    })
    .join('\n')
}

/** What the API reports of a recording or a provider; what has no words stays as it is. */
export function reportInWords(text: string): string {
  const found = reportNamed(text)
  return found ? textOf(texts.reports, found.name, found.values) : text
}

function refusalInWords({ status, message }: ApiError): string {
  const found = refusalNamed(message)
  if (found) return textOf(texts.refusals, found.name, valuesOf(found.values))
  return ruleIn('', message) ?? withDetail(textOf(texts.general, generalKey(status)), message)
}

function withDetail(sentence: string, message: string): string {
  return textOf(texts.general, 'detail', { sentence, message })
}

function generalKey(status: number): AnyTextKey<typeof en.general> {
  const key = `status${status}`
  if (key in en.general) return key as keyof typeof en.general
  return status >= 500 ? 'status500' : 'status400'
}

function ruleIn(field: string, message: string): string | undefined {
  for (const text of withoutField(field, message)) {
    const found = ruleNamed(text)
    if (!found) continue
    const { rule, ...others } = found.values
    const inner: TextValues = rule === undefined ? {} : { rule: ruleIn(others['column'] ?? '', rule) ?? rule }
    return textOf(texts.rules, found.name, { ...valuesOf(others), ...inner })
  }
  return undefined
}

/** A rule begins with the name of its field, whole or the last part, or is a sentence of its own. */
function withoutField(field: string, message: string): string[] {
  const names = [field, field.split('.').at(-1) ?? '', 'the body', message.split(' ', 1)[0] ?? '']
  const rests = names
    .filter((name) => name && message.startsWith(`${name} `))
    .map((name) => message.slice(name.length + 1))
  return [...rests.slice(0, 1), message, ...rests.slice(1)]
}

function valuesOf(values: Readonly<Record<string, string>>): TextValues {
  const entries = Object.entries(values).map(([name, value]) => [
    name,
    name === 'count' ? Number(value) || value : value,
  ])
  return Object.fromEntries(entries) as TextValues
}
