import { defineTexts } from '../../i18n/texts'

/** What the menu says: it is there before the page is. */
export const historyMenuTexts = defineTexts('history-menu', {
  en: { title: 'History' },
  de: { title: 'Verlauf' },
})
