import { defineTexts } from '../../i18n/texts'

export const optOutTexts = defineTexts('opt-outs', {
  en: {
    add: 'New opt-out',
    all: 'All',
    client: 'Client’s number',
    clientHint: 'With its country code: +1 202 555 0142',
    description: 'Clients who want no more messages from a number. Sending to them is refused.',
    emptyHint:
      'Clients who send STOP are added automatically, and START removes them. Add clients who opted out in another way.',
    emptyTitle: 'No opt-outs yet',
    name: 'Opt-out of {{number}}',
    number: 'Your number',
    numberHint: 'This number stops sending messages to the client.',
    removeConsequence:
      'They can receive messages again. Do this only at their request: carriers and the law require it.',
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
      'Wer STOP sendet, wird hier automatisch eingetragen; START hebt es auf. Tragen Sie ein, wer sich auf anderem Weg abgemeldet hat.',
    emptyTitle: 'Noch keine Abmeldungen',
    name: 'Abmeldung von {{number}}',
    number: 'Ihre Nummer',
    numberHint: 'Diese Nummer sendet dem Kunden keine Nachrichten mehr.',
    removeConsequence:
      'Sie können wieder Nachrichten bekommen. Tun Sie das nur auf Wunsch des Kunden: Carrier und Gesetz verlangen das.',
    search: 'Nummern der Kunden suchen',
    since: 'Seit',
  },
})
