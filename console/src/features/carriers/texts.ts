import { defineTextGroups } from '../../i18n/texts'
import en from './locales/en.json'

export const { carriers: carriersTexts, settings: settingsTexts } = defineTextGroups('carriers', en)
