/** Words of a text, as rules about them need them: in lower case, without punctuation. */
export function wordsOf(text: string): string[] {
  const plain = text.normalize('NFC').toLowerCase().replace(/[’`´]/g, "'")
  return plain.match(/[\p{L}\p{M}\p{N}']+/gu) ?? []
}

/**
 * Lists of words by language, as they apply to one: all of them where the language is not known.
 * @param language ISO 639, or null
 */
export function ofLanguage<T>(lists: Readonly<Record<string, readonly T[]>>, language: string | null): T[] {
  const own = language === null ? undefined : lists[language]
  return own ? [...own] : Object.values(lists).flat()
}
