/** The meaning of a carrier's word or code in its table, in any case. */
export function meaningIn<T>(table: Readonly<Record<string, T>>, word: string): T | undefined {
  if (Object.hasOwn(table, word)) return table[word]
  const folded = word.toLowerCase()
  const [, meaning] = Object.entries(table).find(([known]) => known.toLowerCase() === folded) ?? []
  return meaning
}
