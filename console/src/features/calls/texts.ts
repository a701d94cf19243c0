import { defineTextGroups } from '../../i18n/texts'
import en from './locales/en.json'

export const {
  calls: callsTexts,
  own: ownCallsTexts,
  missed: missedCallsTexts,
  words: callWords,
  recordings: recordingTexts,
} = defineTextGroups('calls', en)
