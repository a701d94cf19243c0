import { defineTexts } from '../../i18n/texts'

export const cannedTexts = defineTexts('canned-replies', {
  en: {
    add: 'New canned reply',
    body: 'Text',
    bodyHint:
      '{name}, {number} and {agent} are filled with the client’s name and number and with who writes.',
    description: 'Texts that agents send often. All agents of the workspace insert them into their replies.',
    edit: 'Change {{title}}',
    emptyHint: 'Write what your agents type every day: opening hours, directions, thanks.',
    emptyTitle: 'No canned replies yet',
    remove: 'Delete {{title}}',
    search: 'Search titles and texts',
    what: 'Title',
  },
  de: {
    add: 'Neuer Textbaustein',
    body: 'Text',
    bodyHint:
      '{name}, {number} und {agent} werden mit Namen und Nummer des Kunden und mit dem gefüllt, der schreibt.',
    description:
      'Texte, die Agenten oft senden. Alle Agenten des Arbeitsbereichs fügen sie in ihre Antworten ein.',
    edit: '{{title}} ändern',
    emptyHint: 'Schreiben Sie auf, was Ihre Agenten täglich tippen: Öffnungszeiten, Wege, Dank.',
    emptyTitle: 'Noch keine Textbausteine',
    remove: '{{title}} löschen',
    search: 'Titel und Texte suchen',
    what: 'Titel',
  },
})
