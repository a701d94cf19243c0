/** Finds a person in texts, and hides them in what has to stay. */
import { parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { clientAddress } from '../../calls/model/client-address.js'

/** How texts may name a person. */
export interface Names {
  /** Digits with the country calling code. */
  readonly numbers: readonly string[]
  /** The `sub` of users of customers' apps. */
  readonly clients: readonly string[]
}

/** Between two digits as people write them: `+1 (202) 555-0142`. */
const between = '[ ()./\\u00a0-]{0,3}'

/** Before an area code in parentheses. */
const parenthesis = '(?:\\((?=\\d{1,5}\\)))?'

/** A number without its country code is looked for when it is at least as long: shorter ones are too common. */
const leastNational = 7

/** `+12025550142` as `+12•••••••42`. @param digits with the country calling code, without a plus sign */
export function maskedNumber(digits: string): string {
  return `+${digits.slice(0, 2)}${'•'.repeat(Math.max(0, digits.length - 4))}${digits.slice(-2)}`
}

/** `client:anna` as `client:a•••`. */
export function maskedClient(sub: string): string {
  return clientAddress(`${sub.slice(0, 1)}${'•'.repeat(Math.max(3, sub.length - 1))}`)
}

interface Mask {
  readonly pattern: RegExp
  readonly shown: string
}

/** What finds and hides some numbers and clients. Each text costs time in proportion to its length. */
export class Masking {
  private readonly masks: readonly Mask[]

  constructor(names: Names) {
    this.masks = [
      ...names.numbers.map((digits) => ({ pattern: numberPattern(digits), shown: maskedNumber(digits) })),
      ...names.clients.map((sub) => ({ pattern: clientPattern(sub), shown: maskedClient(sub) })),
    ]
  }

  /** Whether a text names the person. */
  isNamedIn(text: string): boolean {
    return this.masks.some(({ pattern }) => text.search(pattern) >= 0)
  }

  textWithout(text: string): string {
    return this.masks.reduce((left, { pattern, shown }) => left.replace(pattern, shown), text)
  }

  /** The same of all texts in a JSON value. */
  without(value: unknown): unknown {
    if (typeof value === 'string') return this.textWithout(value)
    if (typeof value === 'number')
      return this.isNamedIn(String(value)) ? this.textWithout(String(value)) : value
    if (Array.isArray(value)) return value.map((one) => this.without(one))
    if (value === null || typeof value !== 'object') return value
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, this.without(one)]))
  }
}

/** A number's digits without its country code. */
export function nationalDigits(digits: string): string {
  return parsePhoneNumberFromString(`+${digits}`)?.nationalNumber ?? digits
}

/** Matches a number with its country code or without, with a trunk's 0, and with what people write between digits. */
function numberPattern(digits: string): RegExp {
  const national = nationalDigits(digits)
  const code = digits.slice(0, digits.length - national.length)
  const spaced = (some: string) => [...some].join(between)
  const international = code && `(?:(?:\\+|00)?${spaced(code)}${between}(?:\\(0\\)${between})?|0)`
  const prefix = code === '' ? '\\+?' : national.length < leastNational ? international : `${international}?`
  return new RegExp(`(?<!\\d)${parenthesis}${prefix}${spaced(national)}(?!\\d)`, 'gu')
}

function clientPattern(sub: string): RegExp {
  return new RegExp(`${clientAddress(sub.replaceAll('.', '\\.'))}(?![A-Za-z0-9_.-])`, 'gu')
}
