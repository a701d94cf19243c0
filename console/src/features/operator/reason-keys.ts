/** Texts for the checklist's reasons; the API names the reason and its values. */
import type { TextKey } from '../../i18n/texts'
import { reasonTexts } from './texts'

export type ReasonKey = TextKey<(typeof reasonTexts)['en']>

/** Whether a reason has a text: a newer server may know more. */
export function isReasonKey(key: string): key is ReasonKey {
  return key in reasonTexts.en
}
