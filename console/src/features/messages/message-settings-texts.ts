import { defineTexts } from '../../i18n/texts'

export const messageSettingsTexts = defineTexts('message-settings', {
  en: {
    help_reply: 'Answer to a client who asks for help',
    help_words: 'Own words for help',
    help_words_hint: 'In addition to HELP, INFO and the same in other languages.',
    replace_look_alikes: 'Plain marks',
    replace_look_alikes_hint:
      'Quotes, dashes and spaces are replaced by plain ones where that saves segments.',
    no_reply_hint: 'None is sent until you write one. {{number}} stands for your number.',
    reply_hint: 'Empty: the usual answer. {{number}} stands for your number.',
    start_reply: 'Answer to a client who opts in again',
    start_words: 'Own words to opt in',
    start_words_hint: 'In addition to START, UNSTOP and YES.',
    stop_reply: 'Answer to a client who opts out',
    stop_words: 'Own words to opt out',
    stop_words_hint: 'In addition to STOP and the words of your country’s languages and the client’s.',
    title: 'Words and answers',
  },
  de: {
    help_reply: 'Antwort auf eine Bitte um Hilfe',
    help_words: 'Eigene Wörter für Hilfe',
    help_words_hint: 'Neben HELP, INFO und ihren Entsprechungen in anderen Sprachen.',
    replace_look_alikes: 'Einfache Zeichen',
    replace_look_alikes_hint:
      'Anführungszeichen, Striche und Leerzeichen werden durch ähnliche ersetzt, wo das Segmente spart.',
    no_reply_hint: 'Es geht keine hinaus, bis Sie eine schreiben. {{number}} steht für Ihre Nummer.',
    reply_hint: 'Leer: die übliche Antwort. {{number}} steht für Ihre Nummer.',
    start_reply: 'Antwort auf eine neue Anmeldung',
    start_words: 'Eigene Wörter zum Anmelden',
    start_words_hint: 'Neben START, UNSTOP und YES.',
    stop_reply: 'Antwort auf eine Abmeldung',
    stop_words: 'Eigene Wörter zum Abmelden',
    stop_words_hint:
      'Neben STOP und seinesgleichen, in den Sprachen des Landes des Kunden und Ihres eigenen.',
    title: 'Wörter und Antworten',
  },
})
