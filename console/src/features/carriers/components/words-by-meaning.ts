/** A carrier's words and codes: the API maps each word to its meaning, forms group them by meaning. */
/** @param table word to meaning, as the API has it */
export function wordsOf<Meaning extends string>(
  meanings: readonly Meaning[],
  table: Readonly<Record<string, Meaning>>,
): Record<Meaning, string[]> {
  const words = Object.keys(table)
  return Object.fromEntries(
    meanings.map((meaning) => [meaning, words.filter((word) => table[word] === meaning)]),
  ) as Record<Meaning, string[]>
}

/** @returns word to meaning, as the API takes it */
export function tableOf<Meaning extends string>(
  words: Readonly<Record<Meaning, readonly string[]>>,
): Record<string, Meaning> {
  return Object.fromEntries(
    entriesOf(words).flatMap(([meaning, list]) => list.map((word) => [word, meaning] as const)),
  )
}

/** Form fields that hold words. @param path of the words in the form */
export function wordEntries(
  path: string,
  words: Readonly<Record<string, readonly string[]>>,
): (readonly [field: string, word: string])[] {
  return entriesOf(words).flatMap(([meaning, list]) =>
    list.map((word) => [`${path}.${meaning}`, word] as const),
  )
}

/** Field of a word, for an error that the API reports at it. @param path of the words in the form */
export function wordField(
  path: string,
  words: Readonly<Record<string, readonly string[]>>,
  word: string,
): string {
  const [meaning] = entriesOf(words).find(([, list]) => list.includes(word)) ?? entriesOf(words)[0] ?? []
  return `${path}.${meaning}`
}

/** Duplicates, ignoring case. @returns the fields, each with what it repeats */
export function repeated(
  entries: readonly (readonly [field: string, word: string])[],
): Record<string, string> {
  const seen = new Set<string>()
  const again = entries.filter(([, word]) => {
    const folded = word.trim().toLowerCase()
    const isAgain = folded !== '' && seen.has(folded)
    seen.add(folded)
    return isAgain
  })
  return Object.fromEntries(again)
}

function entriesOf<Meaning extends string>(words: Readonly<Record<Meaning, readonly string[]>>) {
  return Object.entries(words) as [Meaning, readonly string[]][]
}
