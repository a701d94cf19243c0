/** The words by which clients opt out of messages, and in again (CTIA Messaging Principles and Best Practices, 5.1.3). */

/** What a client wants who sends nothing but one of the words. */
export type OptOutWord = 'stop' | 'start' | 'help'

const words: ReadonlyMap<string, OptOutWord> = new Map([
  ...wordsFor('stop', 'STOP STOPALL UNSUBSCRIBE CANCEL END QUIT REVOKE OPTOUT'),
  ...wordsFor('start', 'START YES UNSTOP'),
  ...wordsFor('help', 'HELP INFO'),
])

/** The longest that can be a word, with what people put around it. */
const longest = 30

/**
 * The word that a text is, in whatever case, with spaces, hyphens, quotes and full stops left out: `Stop.`, `opt-out`.
 * Null for all other texts, those that hold one of the words among them.
 */
export function optOutWordOf(body: string): OptOutWord | null {
  if (body.length > longest) return null
  return words.get(body.replace(/[\s.!'"“”‘’-]/g, '').toUpperCase()) ?? null
}

function wordsFor(meaning: OptOutWord, list: string): [string, OptOutWord][] {
  return list.split(' ').map((word) => [word, meaning])
}
