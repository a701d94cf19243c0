/**
 * Whether what a caller has said is a whole sentence, by how it ends. A caller who pauses behind “my order number is”,
 * or after two digits of it, will say more; one who has said “the printer is broken” will not.
 */
import { ofLanguage, wordsOf } from './words.js'

/** Behind these words something follows: articles, prepositions, conjunctions, and sounds of hesitation. */
const leading: Readonly<Record<string, readonly string[]>> = {
  en: `a an the my your our their his its and or but because so if while of from with at for to into about than i i'm i'd
    i'll we we'd let's um umm uh er erm hmm every another between without number`.split(/\s+/),
  de: `ein eine einen einem einer der die dem den des mein meine meinen meiner unser unsere und oder aber weil dass denn
    wenn ob von vom mit für beim zum zur im am über möchte würde hätte äh ähm öh hm also nummer lautet`.split(
    /\s+/,
  ),
  fr: `un une le la les de du des à au aux mon ma mes notre nos et ou mais parce que qui pour avec sans chez dans sur par
    je j'ai c'est voudrais euh heu ben alors donc numéro`.split(/\s+/),
  es: `un una unos unas el la los las de del a al mi mis nuestro nuestra y o pero porque que para con sin en por su sus
    quiero quisiera eh em este pues entonces número`.split(/\s+/),
  it: `un uno una il lo la gli le di del della dei al alla mio mia miei e o ma perché che per con senza da dal vorrei
    ehm eh allora quindi numero`.split(/\s+/),
  pt: `um uma o a os as de do da ao à meu minha e ou mas porque que para com sem em na por queria eh então
    número`.split(/\s+/),
  nl: `een de mijn onze en of maar omdat van met voor bij naar eh uh ehm dus nummer`.split(/\s+/),
  pl: `lub albo ale bo że z w na od dla przez mój moja numer eee yyy więc`.split(/\s+/),
  tr: `ve veya ama çünkü bir benim numaram şey yani`.split(/\s+/),
}

/** Forms of “to be”: the end of “yes, it is”, and the middle of “my name is”. */
const being: Readonly<Record<string, readonly string[]>> = {
  en: ['is', 'are', 'was', 'were', 'be'],
  de: ['ist', 'sind', 'war', 'waren'],
  fr: ['est', 'sont', 'était'],
  es: ['es', 'son', 'está', 'era'],
  it: ['è', 'sono', 'era'],
  pt: ['é', 'são', 'está', 'era'],
  nl: ['is', 'zijn', 'was'],
}

/** Before a form of “to be” these are a whole sentence with it. */
const pronouns = new Set(
  `it that this he she they we you there what who where how which i er es ist sie das wir ihr was wer wo wie il elle ce on ça
  él ella eso lui lei questo ele ela isso hij zij dat dit wat wie waar`.split(/\s+/),
)

/** Digits that are read out: callers pause in a number, and its end cannot be known. */
const digits = new Set(
  `zero oh nought one two three four five six seven eight nine double triple null eins zwei zwo drei vier fünf sechs
  sieben acht neun zéro un deux trois quatre cinq sept huit neuf cero uno dos tres cuatro cinco seis siete ocho nueve
  due tre quattro sei sette otto nove um dois duas três quatro sete oito een twee drie vijf zes zeven negen`.split(
    /\s+/,
  ),
)

/** Stems of words for numbers that are read out, in the languages above. */
const numbered =
  /\b(number|code|pin|account|reference|phone|telephone|nummer|kennung|numéro|numero|número|código|codice|numer|numara)/u

/** Punctuation that speech to text writes behind an open end. */
const openEnd = /(?:[,;:]|\.\.\.|…|[-–—])\s*$/u

/** @param language ISO 639; null: any of those that are known */
export function isFinished(text: string, language: string | null): boolean {
  const said = wordsOf(text)
  const [beforeLast, last] = [said.at(-2) ?? '', said.at(-1)]
  if (last === undefined || openEnd.test(text)) return false
  if (/[?!]["”’)]*\s*$/u.test(text)) return true
  if (ofLanguage(being, language).includes(last)) return pronouns.has(beforeLast)
  if (isSpelled(said)) return false
  return !ofLanguage(leading, language).includes(last)
}

/** Ends in digits that are read out one by one, or in those of something that has a number. */
function isSpelled(said: readonly string[]): boolean {
  const isDigit = (word: string) => digits.has(word) || /^\d+$/.test(word)
  const last = said.at(-1) ?? ''
  if (!isDigit(last)) return false
  const isRow = said.length > 1 && said.slice(-2).every((word) => digits.has(word) || /^\d$/.test(word))
  const isNothingElse = said.length > 1 || /^\d{2,}$/.test(last)
  return isRow || numbered.test(said.join(' ')) || (isNothingElse && said.every(isDigit))
}
