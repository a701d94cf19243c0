import { defineTexts } from '../../i18n/texts'

export const flowsTexts = defineTexts('flows', {
  en: {
    add: 'New flow',
    copyOf: 'Copy of {{title}}',
    deleteConsequence: 'Calls that run it go on to their end. Its versions go with it.',
    deleteNamed: 'Delete {{title}}',
    description: 'What happens with a call: prompts, menus, hours, people, queues and voice agents.',
    dialCode: 'Dial code',
    dialCodeHint: 'What phones dial to reach it, as *98 or 0; empty for none.',
    duplicate: 'Duplicate {{title}}',
    emptyHint:
      'Draw what callers hear and whom they reach, try it without a telephone, and give it to a number.',
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
    deleteConsequence: 'Anrufe, die ihn durchlaufen, gehen zu Ende. Seine Fassungen gehen mit ihm.',
    deleteNamed: '{{title}} löschen',
    description:
      'Was mit einem Anruf geschieht: Ansagen, Menüs, Zeiten, Menschen, Warteschlangen und Sprachassistenten.',
    dialCode: 'Wählcode',
    dialCodeHint: 'Was Telefone wählen, um ihn zu erreichen, etwa *98 oder 0; leer für keinen.',
    duplicate: '{{title}} verdoppeln',
    emptyHint:
      'Zeichnen Sie, was Anrufer hören und wen sie erreichen, probieren Sie es ohne Telefon aus und geben Sie es einer Nummer.',
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
