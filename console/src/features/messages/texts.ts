import { defineTextGroups } from '../../i18n/texts'
import en from './locales/en.json'

export const {
  messages: messagesTexts,
  optOuts: optOutTexts,
  settings: messageSettingsTexts,
} = defineTextGroups('messages', en)
