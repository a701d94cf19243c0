import { defineTexts } from '../../i18n/texts'

export const flowsTexts = defineTexts('flows', {
  en: {
    add: 'New flow',
    copyOf: 'Copy of {{title}}',
    deleteConsequence: 'Live calls of this flow continue to their end. Its versions are deleted with it.',
    deleteNamed: 'Delete {{title}}',
    description: 'What happens with a call: prompts, menus, hours, people, queues and voice agents.',
    dialCode: 'Dial code',
    dialCodeHint: 'What phones dial to reach it, as *98 or 0; empty for none.',
    duplicate: 'Duplicate {{title}}',
    emptyHint:
      'Design what callers hear and who they reach, test it without a phone, and assign it to a number.',
    emptyTitle: 'No call flows yet',
    inbound: 'Inbound calls',
    made: 'The flow is made',
    outbound: 'Outbound calls',
    search: 'Search flows',
    title: 'Call flows',
    trigger: 'For',
    triggerHint: 'Numbers take their calls to flows for inbound calls; clients and the API run the others.',
    what: 'Title',
  },
  de: {
    add: 'Neuer Ablauf',
    copyOf: 'Kopie von {{title}}',
    deleteConsequence:
      'Laufende Anrufe gehen darin bis zum Ende weiter. Seine Fassungen werden mit ihm gelöscht.',
    deleteNamed: '{{title}} löschen',
    description:
      'Was mit einem Anruf geschieht: Ansagen, Menüs, Zeiten, Menschen, Warteschlangen und Sprachassistenten.',
    dialCode: 'Wählcode',
    dialCodeHint: 'Was Telefone wählen, um ihn zu erreichen, etwa *98 oder 0; leer für keinen.',
    duplicate: '{{title}} verdoppeln',
    emptyHint:
      'Legen Sie fest, was Anrufer hören und wen sie erreichen, testen Sie es ohne Telefon und weisen Sie es einer Nummer zu.',
    emptyTitle: 'Noch keine Abläufe',
    inbound: 'Eingehende Anrufe',
    made: 'Der Ablauf ist angelegt',
    outbound: 'Ausgehende Anrufe',
    search: 'Abläufe suchen',
    title: 'Anrufabläufe',
    trigger: 'Für',
    triggerHint:
      'Nummern geben ihre Anrufe an Abläufe für eingehende Anrufe; Clients und die API benutzen die anderen.',
    what: 'Titel',
  },
})
