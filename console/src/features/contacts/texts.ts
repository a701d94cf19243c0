import { defineTextGroups } from '../../i18n/texts'
import en from './locales/en.json'

export const { contacts: contactsTexts, addressBooks: bookTexts } = defineTextGroups('contacts', en)
