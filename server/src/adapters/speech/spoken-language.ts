/** The language of a voice agent whose version does not set one: detected by words that hardly any other language has. */
import { wordsOf } from './cascaded/words.js'

const frequent: Readonly<Record<string, ReadonlySet<string>>> = Object.fromEntries(
  Object.entries({
    en: `the and you is are how can help this of to for your please hello with what i am thank calling welcome good morning
      answer caller`,
    de: `der die das und sie ist ich wie kann ihnen helfen bitte guten tag für nicht mit du dir hallo willkommen bei von
      beantworte anrufer zu`,
    fr: `le la les et vous est je comment puis aider bonjour pour une des suis bienvenue chez avec de que votre réponds
      appelant`,
    es: `el la los y usted es cómo puedo ayudar ayudarle hola buenos días para una de en le soy bienvenido con su responde`,
    it: `il la e lei è come posso aiutarla aiutare buongiorno ciao per un una di sono benvenuto con che rispondi`,
    pt: `o a os e você é como posso ajudar ajudá olá bom dia para uma de em sou bem vindo com seu lhe responda`,
    nl: `de het en u is ik hoe kan helpen goedendag goedemorgen hallo voor een met welkom bij van uw beantwoord`,
    pl: `i w na jest jak mogę pomóc dzień dobry proszę witamy cześć do z się`,
    tr: `ve bir için nasıl yardımcı merhaba size olabilirim hoş geldiniz ben bu`,
  }).map(([language, words]) => [language, new Set(words.split(/\s+/))]),
)

/** Fewer words are not enough to detect a language. */
const leastWords = 2

/** Characters of a text that are looked at, from its beginning. */
const maxLength = 1_000

export interface Written {
  /** BCP 47. */
  readonly language?: string | null
  readonly greeting_message: string
  readonly instructions: string
}

/** @returns ISO 639; English if the language is unknown */
export function spokenLanguageOf({ language, greeting_message, instructions }: Written): string {
  const set = language?.split('-')[0]?.toLowerCase()
  return set ?? languageOf(greeting_message) ?? languageOf(instructions) ?? 'en'
}

/** @returns null where two are as likely, or the text is too short */
export function languageOf(text: string): string | null {
  const words = wordsOf(text.slice(0, maxLength))
  const counts = Object.entries(frequent)
    .map(([language, known]) => ({ language, count: words.filter((word) => known.has(word)).length }))
    .sort((a, b) => b.count - a.count)
  const [first, second] = counts
  if (!first || first.count < leastWords || first.count === second?.count) return null
  return first.language
}
