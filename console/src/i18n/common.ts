/** Words that all features share. The translators of features know them too. */
import en from './locales/en.json'
import { defineTextGroups } from './texts'

export const { common, directions: directionWords } = defineTextGroups('i18n', en)
