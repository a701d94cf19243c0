/**
 * Texts as octets. The parts of a long text are joined as octets and decoded as one: an escape, a surrogate pair or a
 * character of several octets may begin in one part and end in the next.
 */
import iconv from 'iconv-lite'
import { type ShiftTables, decodeGsm7 } from './gsm7.js'

/** Encodings of octets. `gsm7` has one septet an octet. */
export const alphabets = [
  ...(['gsm7', 'ascii', 'latin1', 'utf8', 'ucs2', 'shift_jis', 'euc-jp'] as const),
  ...(['iso-2022-jp', 'iso-8859-5', 'iso-8859-8', 'euc-kr'] as const),
] as const
export type Alphabet = (typeof alphabets)[number]

export interface EncodedText {
  readonly octets: Buffer
  readonly alphabet: Alphabet
  /** For `gsm7`. */
  readonly tables?: ShiftTables
  /** For `gsm7`: whether a last octet 0 is `@`, and not the end of a C string. */
  readonly endsInText?: boolean
}

/** ASCII and ISO 8859-1 are read as windows-1252, which has letters in place of control characters. */
const names: Readonly<Record<Exclude<Alphabet, 'gsm7' | 'ucs2' | 'iso-2022-jp'>, string>> = {
  ...{
    ascii: 'windows1252',
    latin1: 'windows1252',
    utf8: 'utf8',
    shift_jis: 'shift_jis',
    'euc-jp': 'euc-jp',
  },
  ...{ 'iso-8859-5': 'iso-8859-5', 'iso-8859-8': 'iso-8859-8', 'euc-kr': 'euc-kr' },
}

/**
 * Decodes the parts of one text, in their order. Parts in different alphabets are decoded separately.
 * @returns the text; it may begin or end with half of a surrogate pair
 */
export function decodeTexts(parts: readonly EncodedText[]): string {
  const text = runsOf(withoutEnds(parts))
    .map((run) => decodeRun(run))
    .join('')
  let length = text.length
  while (text[length - 1] === '\0') length -= 1
  return text.slice(0, length)
}

/** The column's notation of an encoding: `gsm7:1:3`. */
export function codingOf({ alphabet, tables, endsInText }: EncodedText): string {
  if (alphabet !== 'gsm7') return alphabet
  return `gsm7:${tables?.locking ?? 0}:${tables?.single ?? 0}${endsInText ? ':@' : ''}`
}

/** The other way round. What is not known is UCS-2. */
export function encodedText(octets: Buffer, coding: string | null): EncodedText {
  const [word, locking, single, end] = coding?.split(':') ?? []
  const alphabet = alphabets.find((one) => one === word) ?? 'ucs2'
  if (alphabet !== 'gsm7') return { octets, alphabet }
  const tables = { locking: Number(locking ?? 0), single: Number(single ?? 0) }
  return { octets, alphabet, tables, endsInText: end === '@' }
}

/** A text that is no octets, as octets: half of a surrogate pair stays what it is. */
export function asUcs2(text: string): EncodedText {
  return { octets: Buffer.from(text, 'utf16le').swap16(), alphabet: 'ucs2' }
}

/** NULs at the end of a text in GSM-7 are left out, and at the ends of its parts where all of them have some. */
function withoutEnds(parts: readonly EncodedText[]): EncodedText[] {
  const all = parts.every((part) => withoutEnd(part) !== part)
  return parts.map((part, index) => (all || index === parts.length - 1 ? withoutEnd(part) : part))
}

/** @returns the same where there is no NUL */
function withoutEnd(part: EncodedText): EncodedText {
  const { octets, alphabet, endsInText } = part
  if (alphabet !== 'gsm7' || endsInText) return part
  let length = octets.length
  while (octets[length - 1] === 0) length -= 1
  // `@` alone is a text.
  return length === octets.length || length === 0 ? part : { ...part, octets: octets.subarray(0, length) }
}

function runsOf(parts: readonly EncodedText[]): EncodedText[][] {
  const runs: EncodedText[][] = []
  for (const part of parts) {
    const run = runs.at(-1)
    if (run?.[0] && codingOf(run[0]) === codingOf(part)) run.push(part)
    else runs.push([part])
  }
  return runs
}

function decodeRun(parts: readonly EncodedText[]): string {
  const [first] = parts
  if (!first) return ''
  const octets = parts.map((part) => part.octets)
  if (first.alphabet === 'ucs2') return decodeUcs2(octets)
  const all = Buffer.concat(octets)
  if (first.alphabet === 'gsm7') return decodeGsm7(all, first.tables)
  return first.alphabet === 'iso-2022-jp'
    ? new TextDecoder('iso-2022-jp').decode(all)
    : iconv.decode(all, names[first.alphabet])
}

type Order = 'big' | 'little'

/** A byte order mark holds until the next one; without any, the order is that of SMPP. */
function decodeUcs2(parts: readonly Buffer[]): string {
  let order: Order = 'big'
  let text = ''
  let rest: Buffer = Buffer.alloc(0)
  for (const part of parts) {
    const mark = rest.length === 0 ? markOf(part) : undefined
    order = mark ?? order
    const octets = Buffer.concat([rest, mark ? part.subarray(2) : part])
    const whole = octets.subarray(0, octets.length & ~1)
    rest = octets.subarray(whole.length)
    text += (order === 'little' ? whole : Buffer.from(whole).swap16()).toString('utf16le')
  }
  return text
}

function markOf(octets: Buffer): Order | undefined {
  if (octets[0] === 0xfe && octets[1] === 0xff) return 'big'
  return octets[0] === 0xff && octets[1] === 0xfe ? 'little' : undefined
}
