import { defineTexts } from '../../i18n/texts'

/** What the menu calls the pages; apart, as every page loads it. */
export const messagesMenuTexts = defineTexts('messages-menu', {
  en: { messages: 'Messages', optOuts: 'Opt-outs' },
  de: { messages: 'Nachrichten', optOuts: 'Abmeldungen' },
})
