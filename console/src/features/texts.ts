/** Words of the menu, which loads before the pages' texts. */
import { defineTextGroups } from '../i18n/texts'
import en from './locales/en.json'

export const menuTexts = defineTextGroups('features', en)
