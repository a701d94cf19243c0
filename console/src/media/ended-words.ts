/** Texts of the reasons for which calls end, as in docs/integrate/apps.md. */
import { defineTexts, useTexts } from '../i18n/texts'
import en from './locales/en.json'

export const mediaTexts = defineTexts('media', en)

const isKnown = (reason: string): reason is keyof typeof mediaTexts.en => reason in mediaTexts.en

/** Text of a reason; unknown ones count as a failed call. */
export function useEndedWords(): (reason: string) => string {
  const t = useTexts(mediaTexts)
  return (reason) => t(isKnown(reason) ? reason : 'failed')
}
