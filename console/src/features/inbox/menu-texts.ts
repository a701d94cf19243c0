import { defineTexts } from '../../i18n/texts'

/** What the menu calls the pages; apart, as every page loads it. */
export const inboxMenuTexts = defineTexts('inbox-menu', {
  en: { cannedReplies: 'Canned replies', inbox: 'Inbox' },
  de: { cannedReplies: 'Textbausteine', inbox: 'Posteingang' },
})
