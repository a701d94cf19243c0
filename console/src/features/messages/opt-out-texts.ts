import { defineTexts } from '../../i18n/texts'

export const optOutTexts = defineTexts('opt-outs', {
  en: {
    add: 'New opt-out',
    all: 'All',
    client: 'Client’s number',
    clientHint: 'With its country code: +1 202 555 0142',
    description: 'Clients who want no more messages from a number. Sending to them is refused.',
    emptyHint:
      'A client who sends STOP is listed here by itself, and START takes it back. Add those who told you otherwise.',
    emptyTitle: 'Nobody has opted out',
    name: 'Opt-out of {{number}}',
    number: 'Your number',
    numberHint: 'It sends no more messages to this client.',
    removeConsequence:
      'They may be sent messages again. Only on their own word: carriers and the law ask for that.',
    search: 'Search clients’ numbers',
    since: 'Since',
  },
  de: {
    add: 'Neue Abmeldung',
    all: 'Alle',
    client: 'Nummer des Kunden',
    clientHint: 'Mit Landesvorwahl: +1 202 555 0142',
    description:
      'Kunden, die von einer Nummer keine Nachrichten mehr wollen. An sie zu senden wird abgelehnt.',
    emptyHint:
      'Wer STOP sendet, steht hier von selbst; START nimmt es zurück. Tragen Sie ein, wer es Ihnen anders gesagt hat.',
    emptyTitle: 'Niemand hat sich abgemeldet',
    name: 'Abmeldung von {{number}}',
    number: 'Ihre Nummer',
    numberHint: 'Sie sendet diesem Kunden keine Nachrichten mehr.',
    removeConsequence:
      'Man darf ihnen wieder schreiben. Nur auf ihren eigenen Wunsch: Carrier und Gesetz verlangen das.',
    search: 'Nummern der Kunden suchen',
    since: 'Seit',
  },
})
