/**
 * The words by which clients opt out of messages, in again, and ask for help, by language.
 *
 * STOP, QUIT, END, REVOKE, OPT OUT, CANCEL and UNSUBSCRIBE are the words of 47 CFR 64.1200(a)(10); START, UNSTOP, YES, HELP
 * and INFO those of US carriers and of Twilio. Other languages have the word that their law or their carriers name where
 * there is one (ARRET, STOP, הסר, 수신거부, 退订, RET), and else the imperative or the noun that people write. Native speakers
 * have not reviewed these yet: workspaces add their own words.
 */
export type OptOutWord = 'stop' | 'start' | 'help'

/**
 * Words of one meaning, separated by spaces. They apply if our number or the client's is of one of the countries (ISO
 * 3166-1 codes). Words without countries mean nothing else in other languages, and apply everywhere.
 */
export type LanguageWords = readonly [meaning: OptOutWord, words: string, countries?: string]

const french = 'FR BE CH CA LU MC SN CI CM CD MA TN DZ RE GP MQ GF BF ML NE TG BJ GA CG MG'
const spanish = 'ES MX US AR CO CL PE VE EC GT CU BO DO HN PY SV NI CR PA UY PR GQ'

/** Words that end nothing but messages, wherever they are written. */
const everywhere: readonly LanguageWords[] = [
  ['stop', 'STOP STOPALL UNSUBSCRIBE OPTOUT'],
  ['start', 'START UNSTOP СТАРТ'],
  // French
  ['stop', 'ARRÊT ARRÊTER ARRÊTEZ DÉSABONNER DÉSABONNEMENT DÉSINSCRIRE'],
  // French, Spanish, Portuguese, German, Italian
  ['help', 'AIDE AYUDA AJUDA HILFE AIUTO'],
  // Spanish, Portuguese, Catalan
  ['stop', 'PARAR DESUSCRIBIR DESUSCRIBIRME DESCADASTRAR'],
  // German, Dutch, and the Nordic languages
  ['stop', 'STOPP STOPPEN ABMELDEN ABBESTELLEN AFMELDEN UITSCHRIJVEN'],
  ['stop', 'AVREGISTRERA AVSLUTA AVMELD AFMELD LOPETA'],
  ['help', 'HJÄLP HJELP HJÆLP APUA'],
  // Slavic languages
  ['stop', 'СТОП ОТПИСАТЬСЯ ОТПИСКА ВІДПИСАТИСЯ ВІДПИСКА ОТПИШИ'],
  ['stop', 'WYPISZ REZYGNUJĘ ODHLÁSIT ODHLÁSIŤ ODJAVA ОДЈАВА'],
  ['help', 'ПОМОЩЬ ДОПОМОГА POMOC ПОМОЩ'],
  // Greek, Romanian, Hungarian, Turkish, Hebrew, Arabic
  ['stop', 'ΣΤΟΠ ΔΙΑΓΡΑΦΗ DEZABONARE LEIRATKOZÁS İPTAL הסר הסרה توقف إلغاء قف'],
  // Chinese, Japanese, Korean, Thai, Hindi, Indonesian, Malay
  ['stop', '退订 退訂 取消 停止 配信停止 ストップ 수신거부 중지 ยกเลิก हटाएं रोकें BERHENTI'],
]

/** Words that mean something else in other languages, or much else in their own. */
const byCountry: readonly LanguageWords[] = [
  ['stop', 'BAJA ALTO CANCELAR FIN SALIR', spanish],
  ['start', 'ALTA', spanish],
  ['stop', 'SAIR CANCELAR', 'PT BR AO MZ CV GW ST'],
  ['stop', 'FIN ANNULER', french],
  ['stop', 'ENDE', 'DE AT CH LI LU'],
  ['stop', 'FINE CANCELLA BASTA FERMA', 'IT CH SM VA'],
  ['stop', 'EINDE', 'NL BE SR'],
  ['stop', 'RET DUR', 'TR CY'],
  ['stop', 'TD T', 'CN'],
  ['stop', 'HUY HỦY', 'VN'],
  ['stop', 'BATAL', 'ID MY BN SG'],
  ['stop', 'ÁLLJ', 'HU'],
]

/** Appointments are cancelled by the same words: they count only alone, or with a "please". */
const alone: readonly LanguageWords[] = [
  ['stop', 'CANCEL END QUIT REVOKE'],
  ['start', 'YES'],
  ['help', 'HELP INFO'],
]

export const languageWords = {
  /** Words that may have more about messages next to them: `stop all messages`. */
  clear: everywhere,
  /** Words that may have no more than a "please" next to them. */
  alone: [...alone, ...byCountry],
} as const

/** Polite forms, which change no meaning at any position. */
export const politeForms: readonly string[] = [
  ...['PLEASE', 'PLS', 'PLZ', 'THANKS', 'THANK YOU', 'THANK U', 'THX', 'TY', 'KINDLY', 'MANY THANKS'],
  ...['POR FAVOR', 'GRACIAS', 'OBRIGADO', 'OBRIGADA', 'MERCI', 'SVP', 'SIL VOUS PLAÎT', 'S IL VOUS PLAÎT'],
  ...['SIL TE PLAÎT', 'S IL TE PLAÎT', 'BITTE', 'DANKE', 'VIELEN DANK', 'PER FAVORE', 'GRAZIE', 'AUB'],
  ...['ALSTUBLIEFT', 'DANK U', 'BEDANKT', 'TACK', 'TAKK', 'TAK', 'KIITOS', 'PROSZĘ', 'DZIĘKUJĘ'],
  ...['ПОЖАЛУЙСТА', 'СПАСИБО', 'БУДЬ ЛАСКА', 'ДЯКУЮ', 'LÜTFEN', 'TEŞEKKÜRLER', 'PROSÍM', 'DĚKUJI'],
  ...['בבקשה', 'תודה', 'شكرا'],
]

/** Verbs that people copy from an instruction: "Reply STOP to unsubscribe", "text STOP to 12345". */
export const instructionVerbs: readonly string[] = ['REPLY', 'TEXT', 'TXT', 'SEND']

/** Words that may follow any word that ends messages. */
export const endedThings: readonly string[] = [
  ...['TEXTING', 'MESSAGING', 'CONTACTING', 'SPAMMING', 'SENDING'],
].flatMap((verb) => [
  ...['', ' ME', ' US', ' THIS NUMBER'].map((recipient) => verb + recipient),
  ...['MESSAGES', 'TEXTS', 'SMS', 'TEXT MESSAGES'].flatMap((what) => [
    ...['', ' ME'].map((recipient) => `${verb}${recipient} ${what}`),
    ...['THESE', 'ANY MORE', 'MORE'].map((which) => `${verb} ME ${which} ${what}`),
  ]),
])

/** Words that may follow a clear one only. */
export const endedThingsOfClear: readonly string[] = [
  ...['ALL', 'NOW', 'IMMEDIATELY', 'ALL MESSAGES', 'ALL TEXTS', 'MESSAGES', 'TEXTS', 'SMS', 'TEXT MESSAGES'],
  ...['THE MESSAGES', 'THE TEXTS', 'THESE MESSAGES', 'THESE TEXTS'],
]

/** Words that may follow words with an object of their own. */
export const objectForms: readonly string[] = ['ME', 'ME FROM THIS LIST', 'ME FROM ALL MESSAGES']
export const wordsWithObject: ReadonlySet<string> = new Set(['UNSUBSCRIBE', 'OPTOUT'])
