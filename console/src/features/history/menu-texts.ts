import { defineTexts } from '../../i18n/texts'

/** Menu texts: they load before the page. */
export const historyMenuTexts = defineTexts('history-menu', {
  en: { title: 'History' },
  de: { title: 'Verlauf' },
})
