import { defineTextGroups } from '../../i18n/texts'
import en from './locales/en.json'

export const {
  causes: causeTexts,
  details: detailTexts,
  values: valueTexts,
} = defineTextGroups('call-words', en)
