import { defineTexts } from '../../i18n/texts'
import en from './locales/en.json'

export const sipAccountsTexts = defineTexts('sip-accounts', en)
