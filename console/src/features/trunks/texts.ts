import { defineTextGroups } from '../../i18n/texts'
import en from './locales/en.json'

export const {
  trunks: trunksTexts,
  headers: headersTexts,
  registration: registrationTexts,
} = defineTextGroups('trunks', en)
