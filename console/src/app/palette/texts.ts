import { defineTexts } from '../../i18n/texts'
import en from './locales/en.json'

export const paletteTexts = defineTexts('palette', en)
