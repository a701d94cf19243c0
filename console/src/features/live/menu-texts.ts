import { defineTexts } from '../../i18n/texts'

/** Menu texts: they load before the page. */
export const liveMenuTexts = defineTexts('live-menu', {
  en: { title: 'Live board' },
  de: { title: 'Live-Tafel' },
})
