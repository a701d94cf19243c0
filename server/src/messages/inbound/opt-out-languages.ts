/**
 * The words by which clients opt out of messages, in again, and ask for help, by language.
 *
 * STOP, QUIT, END, REVOKE, OPT OUT, CANCEL and UNSUBSCRIBE are the words of 47 CFR 64.1200(a)(10); START, UNSTOP, YES, HELP
 * and INFO those of US carriers and of Twilio. Other languages have the word that their law or their carriers name where
 * there is one (ARRET, STOP, הסר, 수신거부, 退订, RET), and else the imperative or the noun that people write. Native speakers
 * have not reviewed these yet: workspaces add their own words.
 */
export type OptOutWord = 'stop' | 'start' | 'help'

export interface LanguageWords {
  readonly meaning: OptOutWord
  /** ISO 3166-1 codes of our number or the client's; null: in all countries, as the words mean nothing else elsewhere. */
  readonly countries: readonly string[] | null
  readonly words: string
}

const of = (codes: string) => codes.split(' ')

const french = of('FR BE CH CA LU MC SN CI CM CD MA TN DZ RE GP MQ GF BF ML NE TG BJ GA CG MG')
const spanish = of('ES MX US AR CO CL PE VE EC GT CU BO DO HN PY SV NI CR PA UY PR GQ')
const portuguese = of('PT BR AO MZ CV GW ST')
const german = of('DE AT CH LI LU')
const italian = of('IT CH SM VA')
const dutch = of('NL BE SR')

/** Words that end nothing but messages, wherever they are written. */
const everywhere: readonly LanguageWords[] = [
  { meaning: 'stop', countries: null, words: 'STOP STOPALL UNSUBSCRIBE OPTOUT' },
  { meaning: 'start', countries: null, words: 'START UNSTOP СТАРТ' },
  // French
  { meaning: 'stop', countries: null, words: 'ARRÊT ARRÊTER ARRÊTEZ DÉSABONNER DÉSABONNEMENT DÉSINSCRIRE' },
  { meaning: 'help', countries: null, words: 'AIDE AYUDA AJUDA HILFE AIUTO' },
  // Spanish, Portuguese, Catalan
  { meaning: 'stop', countries: null, words: 'PARAR DESUSCRIBIR DESUSCRIBIRME DESCADASTRAR' },
  // German, Dutch, and the Nordic languages
  { meaning: 'stop', countries: null, words: 'STOPP STOPPEN ABMELDEN ABBESTELLEN AFMELDEN UITSCHRIJVEN' },
  { meaning: 'stop', countries: null, words: 'AVREGISTRERA AVSLUTA AVMELD AFMELD LOPETA' },
  { meaning: 'help', countries: null, words: 'HJÄLP HJELP HJÆLP APUA' },
  // Slavic languages
  { meaning: 'stop', countries: null, words: 'СТОП ОТПИСАТЬСЯ ОТПИСКА ВІДПИСАТИСЯ ВІДПИСКА ОТПИШИ' },
  { meaning: 'stop', countries: null, words: 'WYPISZ REZYGNUJĘ ODHLÁSIT ODHLÁSIŤ ODJAVA ОДЈАВА' },
  { meaning: 'help', countries: null, words: 'ПОМОЩЬ ДОПОМОГА POMOC ПОМОЩ' },
  // Greek, Romanian, Hungarian, Turkish, Hebrew, Arabic
  {
    meaning: 'stop',
    countries: null,
    words: 'ΣΤΟΠ ΔΙΑΓΡΑΦΗ DEZABONARE LEIRATKOZÁS İPTAL הסר הסרה توقف إلغاء قف',
  },
  // Chinese, Japanese, Korean, Vietnamese, Thai, Hindi, Indonesian, Malay
  {
    meaning: 'stop',
    countries: null,
    words: '退订 退訂 取消 停止 配信停止 ストップ 수신거부 중지 ยกเลิก हटाएं रोकें BERHENTI',
  },
]

/** Words that mean something else in other languages, or much else in their own. */
const byCountry: readonly LanguageWords[] = [
  { meaning: 'stop', countries: spanish, words: 'BAJA ALTO CANCELAR FIN SALIR' },
  { meaning: 'start', countries: spanish, words: 'ALTA' },
  { meaning: 'stop', countries: portuguese, words: 'SAIR CANCELAR' },
  { meaning: 'stop', countries: french, words: 'FIN ANNULER' },
  { meaning: 'stop', countries: german, words: 'ENDE' },
  { meaning: 'stop', countries: italian, words: 'FINE CANCELLA BASTA FERMA' },
  { meaning: 'stop', countries: dutch, words: 'EINDE' },
  { meaning: 'stop', countries: of('TR CY'), words: 'RET DUR' },
  { meaning: 'stop', countries: of('CN'), words: 'TD T' },
  { meaning: 'stop', countries: of('VN'), words: 'HUY HỦY' },
  { meaning: 'stop', countries: of('ID MY BN SG'), words: 'BATAL' },
  { meaning: 'stop', countries: of('HU'), words: 'ÁLLJ' },
]

/** Clear alone, and with a "please": an appointment is cancelled by the same words, so nothing else may stand beside them. */
const alone: readonly LanguageWords[] = [
  { meaning: 'stop', countries: null, words: 'CANCEL END QUIT REVOKE' },
  { meaning: 'start', countries: null, words: 'YES' },
  { meaning: 'help', countries: null, words: 'HELP INFO' },
]

export const languageWords = {
  /** What may have more about messages beside it: `stop all messages`. */
  clear: everywhere,
  /** What may have no more than a "please" beside it. */
  alone: [...alone, ...byCountry],
} as const

/** Polite forms: they change no meaning, wherever they stand. */
export const politeForms: readonly string[] = [
  ...['PLEASE', 'PLS', 'PLZ', 'THANKS', 'THANK YOU', 'THANK U', 'THX', 'TY', 'KINDLY', 'MANY THANKS'],
  ...['POR FAVOR', 'GRACIAS', 'OBRIGADO', 'OBRIGADA', 'MERCI', 'SVP', 'SIL VOUS PLAÎT', 'S IL VOUS PLAÎT'],
  ...[
    'SIL TE PLAÎT',
    'S IL TE PLAÎT',
    'BITTE',
    'DANKE',
    'VIELEN DANK',
    'PER FAVORE',
    'GRAZIE',
    'ALSTUBLIEFT',
    'AUB',
  ],
  ...['DANK U', 'BEDANKT', 'TACK', 'TAKK', 'TAK', 'KIITOS', 'PROSZĘ', 'DZIĘKUJĘ', 'ПОЖАЛУЙСТА', 'СПАСИБО'],
  ...['БУДЬ ЛАСКА', 'ДЯКУЮ', 'LÜTFEN', 'TEŞEKKÜRLER', 'PROSÍM', 'DĚKUJI', 'בבקשה', 'תודה', 'شكرا'],
]

/** What people write from an instruction: "Reply STOP to unsubscribe", "text STOP to 12345". */
export const instructionVerbs: readonly string[] = ['REPLY', 'TEXT', 'TXT', 'SEND']

/** What may follow any word that ends messages. */
export const endedThings: readonly string[] = [
  'TEXTING',
  'MESSAGING',
  'CONTACTING',
  'SPAMMING',
  'SENDING',
].flatMap((verb) => [
  ...['', ' ME', ' US', ' THIS NUMBER'].map((whom) => verb + whom),
  ...['MESSAGES', 'TEXTS', 'SMS', 'TEXT MESSAGES'].flatMap((what) => [
    ...['', ' ME'].map((whom) => `${verb}${whom} ${what}`),
    ...['THESE', 'ANY MORE', 'MORE'].map((which) => `${verb} ME ${which} ${what}`),
  ]),
])

/** What may follow a clear one only. */
export const endedThingsOfClear: readonly string[] = [
  ...['ALL', 'NOW', 'IMMEDIATELY', 'ALL MESSAGES', 'ALL TEXTS', 'MESSAGES', 'TEXTS', 'SMS', 'TEXT MESSAGES'],
  ...['THE MESSAGES', 'THE TEXTS', 'THESE MESSAGES', 'THESE TEXTS'],
]

/** What may follow words that take an object themselves. */
export const objectForms: readonly string[] = ['ME', 'ME FROM THIS LIST', 'ME FROM ALL MESSAGES']
export const wordsWithObject: ReadonlySet<string> = new Set(['UNSUBSCRIBE', 'OPTOUT'])
