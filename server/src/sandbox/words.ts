/**
 * FreeSWITCH's way of taking text apart (switch_utils.c, switch_separate_string): single quotes hold
 * a word together, a backslash protects the next character, and every pass removes one level of both.
 */

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', s: ' ' }

/**
 * @param delimiter one character; a blank also swallows further blanks
 * @param most the last word takes the rest, further delimiters and all
 */
export function separate(text: string, delimiter: string, most = Infinity): string[] {
  const blank = delimiter === ' '
  const words: string[] = []
  let start = 0
  let quoted = false
  for (let at = 0; at < text.length && words.length < most - 1; at++) {
    const character = text[at]
    if (character === '\\') at++
    else if (character === "'" && (blank || quoted || text.indexOf("'", at + 1) > 0)) quoted = !quoted
    else if (character === delimiter && !quoted && !(blank && at === start)) {
      words.push(text.slice(start, at))
      start = at + 1
    } else if (character === delimiter && blank && at === start) start = at + 1
  }
  if (start < text.length) words.push(text.slice(start))
  return words.map((word) => cleanup(word, blank ? '' : delimiter))
}

function cleanup(word: string, delimiter: string): string {
  const text = word.replace(/^ +/, '')
  let result = ''
  let end = 0
  let quoted = false
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at)
    const next = text.charAt(at + 1)
    if (character === '\\' && next !== '') {
      const escape = ESCAPES[next]
      if (escape !== undefined || next === "'" || next === '"' || next === '\\' || next === delimiter) {
        at++
        result += escape ?? next
        end = result.length
        continue
      }
    }
    if (character === "'" && (quoted || text.indexOf("'", at + 1) > 0)) {
      quoted = !quoted
      if (quoted) end = result.length
    } else {
      result += character
      if (character !== ' ' || quoted) end = result.length
    }
  }
  return end > 0 || result === '' ? result.slice(0, end) : result
}

/** Position of the bracket that closes the one at the start of the text; -1 when there is none. */
export function closingBracket(text: string, open: string, close: string): number {
  if (text[0] !== open) return -1
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    if (text[at] === open) depth++
    else if (text[at] === close && --depth === 0) return at
  }
  return -1
}
