import { defineTexts } from '../../i18n/texts'

/** Menu texts: every page loads them. */
export const messagesMenuTexts = defineTexts('messages-menu', {
  en: { messages: 'Messages', optOuts: 'Opt-outs' },
  de: { messages: 'Nachrichten', optOuts: 'Abmeldungen' },
})
