/** From whom and for whom a text is, as carriers write them and as tables hold them. */

/** Characters of `conversations.client_number`. */
const longestParty = 20

/**
 * Digits with the country code for a number. Short codes and names stay as they are, in the ASCII that can be kept:
 * what they send must not be lost.
 */
export function senderOf(from: string): string {
  const number = digitsOf(from)
  if (/^\d+$/.test(number)) return number.slice(0, longestParty)
  const name = from.trim().replace(/[^ -~]/g, '?')
  return name.slice(0, longestParty) || 'unknown'
}

/** The digits of one of our numbers; '' for what can be none. */
export function recipientOf(to: string): string {
  const number = digitsOf(to)
  return /^\d+$/.test(number) ? number.slice(0, longestParty) : ''
}

function digitsOf(number: string): string {
  return number
    .trim()
    .replace(/^(\+|00)(?=\d)/, '')
    .replace(/[\s().-]/g, '')
}
