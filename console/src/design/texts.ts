/** Texts of what all pages share, by component. */
import { defineTextGroups } from '../i18n/texts'
import en from './locales/en.json'

export const designTexts = defineTextGroups('design', en)
