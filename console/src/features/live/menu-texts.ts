import { defineTexts } from '../../i18n/texts'

/** What the menu says: it is there before the page is. */
export const liveMenuTexts = defineTexts('live-menu', {
  en: { title: 'Live board' },
  de: { title: 'Live-Tafel' },
})
