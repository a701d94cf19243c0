import { defineTexts } from '../../i18n/texts'

/** Menu texts: every page loads them. */
export const inboxMenuTexts = defineTexts('inbox-menu', {
  en: { cannedReplies: 'Canned replies', inbox: 'Inbox' },
  de: { cannedReplies: 'Textbausteine', inbox: 'Posteingang' },
})
