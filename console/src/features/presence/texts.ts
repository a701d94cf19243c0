import { defineTextGroups } from '../../i18n/texts'
import en from './locales/en.json'

export const {
  presence: presenceTexts,
  reasons: reasonTexts,
  roles: roleWords,
  states: stateWords,
} = defineTextGroups('presence', en)
