/** What a step of a call has noted, for people. What is for engineers alone has no words, and is left out. */
import { common } from '../../i18n/common'
import { textOf } from '../../i18n/texts'
import { causeInWords } from './causes'
import { detailTexts, valueTexts } from './texts'

/** Details by the API's names. @returns names and values in words */
export function detailsInWords(details: object): [string, string][] {
  return Object.entries(details).flatMap(([name, value]): [string, string][] => {
    if (!(name in detailTexts.en || name in common.en)) return []
    const words = name === 'cause' && typeof value === 'string' ? causeInWords(value) : valueInWords(value)
    return words === undefined ? [] : [[textOf(detailTexts, name as keyof typeof detailTexts.en), words]]
  })
}

/** Undefined for nothing, and for what is no plain value. */
export function valueInWords(value: unknown): string | undefined {
  if (value === null || value === undefined || value === '') return undefined
  if (Array.isArray(value)) {
    if (value.length === 0) return textOf(valueTexts, 'none')
    const parts = value.map((one: unknown) => valueInWords(one))
    return parts.includes(undefined) ? undefined : parts.join(', ')
  }
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return undefined
  const text = String(value)
  return text in valueTexts.en ? textOf(valueTexts, text as keyof typeof valueTexts.en) : text
}
