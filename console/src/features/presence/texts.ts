import { defineTextGroups } from '../../i18n/texts'
import en from './locales/en.json'

export const {
  presence: presenceTexts,
  roles: roleWords,
  states: stateWords,
} = defineTextGroups('presence', en)
