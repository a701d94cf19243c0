/** Where in a step a problem is, as the step's form names its fields. */
import { errorWords } from '../../../api/problems/load'
import { type AnyTextKey, textOf } from '../../../i18n/texts'
import { stepTexts } from '../texts'

/** @param place path within the step: `params.audio_id`, `next.busy`, or empty */
function placeLabel(place: string): string {
  const [part, ...names] = place.split('.')
  if (part === 'next') return textOf(stepTexts, 'outcomes')
  const named = names.findLast((name) => !/^\d+$/.test(name))
  if (named === undefined) return ''
  const key = [names.join('_'), named].map((name) => `field_${name}`).find((one) => one in stepTexts.en)
  if (key !== undefined) return textOf(stepTexts, key as AnyTextKey<typeof stepTexts.en>)
  return errorWords()?.labelOf(named) ?? ''
}

/** `Text to speak: Required.` */
export function inPlace(place: string, message: string): string {
  const label = placeLabel(place)
  return label ? `${label}: ${message}` : message
}
