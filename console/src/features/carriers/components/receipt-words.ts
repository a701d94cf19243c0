/** The words of a carrier's receipts: the API keeps what each means, forms gather them by that. */

export const receiptStates = ['delivered', 'undelivered', 'failed', 'pending'] as const

export type ReceiptState = (typeof receiptStates)[number]

export type ReceiptWords = Record<ReceiptState, string[]>

export function wordsOf(statuses: Readonly<Record<string, ReceiptState>>): ReceiptWords {
  const wordsFor = (state: ReceiptState) => Object.keys(statuses).filter((word) => statuses[word] === state)
  return {
    delivered: wordsFor('delivered'),
    undelivered: wordsFor('undelivered'),
    failed: wordsFor('failed'),
    pending: wordsFor('pending'),
  }
}

export function statusesOf(words: ReceiptWords): Record<string, ReceiptState> {
  return Object.fromEntries(
    receiptStates.flatMap((state) => words[state].map((word) => [word, state] as const)),
  )
}

/** The fields of a form with the words in them. @param path of the words in the form */
export function wordEntries(path: string, words: ReceiptWords): (readonly [field: string, word: string])[] {
  return receiptStates.flatMap((state) => words[state].map((word) => [`${path}.${state}`, word] as const))
}

/** Under which state a word stands. */
export function stateOf(words: ReceiptWords, word: string): ReceiptState {
  return receiptStates.find((one) => words[one].includes(word)) ?? 'delivered'
}

/** What stands twice; case makes no difference. @returns the fields, each with what it repeats */
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
