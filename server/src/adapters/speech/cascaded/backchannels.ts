/**
 * Words that show that a listener follows, and that do not begin a turn (Yngve, “On getting a word in edgewise”, 1970).
 * “No”, “stop” and “wait” are not among them.
 */
import { ofLanguage, wordsOf } from './words.js'

/** More words than this are a turn. */
const maxWords = 4

/** How speech to text writes sounds, in any language. */
const sounds = [
  'mhm',
  'mm',
  'mmm',
  'hm',
  'hmm',
  'mmhmm',
  'mmhm',
  'mhmm',
  'm',
  'h',
  'uh',
  'huh',
  'uhhuh',
  'aha',
  'ah',
  'oh',
  'ooh',
]

const words: Readonly<Record<string, readonly string[]>> = {
  en: 'yeah yep yup yes ya ok okay kay right alright all sure gotcha got it i see understood good great fine cool exactly'.split(
    ' ',
  ),
  de: 'ja jo jawohl okay ok genau gut stimmt richtig klar verstehe ich aha achso ach so mhm eben schön'.split(
    ' ',
  ),
  fr: "oui ouais ok okay d'accord accord d bien très bon voilà je vois c'est ça entendu exactement hein".split(
    ' ',
  ),
  es: 'sí si ok okay vale ya claro bien muy bueno entiendo de acuerdo ajá exacto correcto perfecto'.split(
    ' ',
  ),
  it: 'sì si ok okay va bene certo capisco esatto giusto ho capito perfetto già'.split(' '),
  pt: 'sim ok okay tá bom bem certo claro entendi pois é isso exato exatamente'.split(' '),
  nl: 'ja oké ok okay goed klopt precies prima juist duidelijk ik snap begrijp het'.split(' '),
  pl: 'tak okej ok dobrze rozumiem jasne racja no właśnie'.split(' '),
  tr: 'evet tamam peki anladım olur doğru tabii'.split(' '),
}

/** Words of the lists that mean nothing alone: “I see” is a backchannel, “I” is not. */
const parts = new Set(
  "i see got it all ich je c'est ça d ho capito va so de muy très ik snap begrijp het no tá".split(' '),
)

/** @param language ISO 639; null: any of those that are known */
export function isBackchannel(text: string, language: string | null): boolean {
  const said = wordsOf(text)
  if (said.length === 0 || said.length > maxWords) return false
  // A question wants an answer.
  if (text.trim().endsWith('?')) return false
  const known = new Set([...sounds, ...ofLanguage(words, language)])
  // It means yes in Polish, and no in English, Spanish and Italian.
  if (language !== 'pl') known.delete('no')
  return said.every((word) => known.has(word)) && (said.length > 1 || !parts.has(said[0] ?? ''))
}
