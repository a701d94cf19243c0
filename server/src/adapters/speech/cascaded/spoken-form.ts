/**
 * A sentence as it is given to text to speech: without marks of Markdown, and with what synthesisers read wrong written as
 * people say it: telephone numbers and codes digit by digit, dates, addresses. Amounts and times are left to them.
 */
import { type Saying, sayingOf } from './sayings.js'

/** Empty when nothing can be spoken. @param language ISO 639 */
export function spokenForm(sentence: string, language = 'en'): string {
  const plain = sentence
    .replace(/[*`#]|_{2,}|~~/g, '')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\p{Extended_Pictographic}/gu, (mark) => (/\p{N}/u.test(mark) ? mark : ''))
    .replace(/\s+/g, ' ')
    .trim()
  if (!/[\p{L}\p{N}]/u.test(plain)) return ''
  const saying = sayingOf(language)
  return saidNumbers(saidDates(saidAddresses(plain, saying), language), saying)
}

/** E-mail (RFC 5322, as people have it) and web addresses. */
function saidAddresses(text: string, saying: Saying): string {
  return text
    .replace(/\b[\w.+-]{1,64}@(?:[\w-]{1,63}\.){1,8}\p{L}{2,24}/gu, (address) => said(address, saying))
    .replace(/\bhttps?:\/\/[^\s<>"]{1,500}|\bwww\.[^\s<>"]{1,500}/gi, (address) => {
      const end = /[.,;:!?)]*$/.exec(address)?.[0] ?? ''
      const bare = address.slice(0, address.length - end.length).replace(/^https?:\/\//i, '')
      return said(bare.replace(/[?#].*$/, '').replace(/\/$/, ''), saying) + end
    })
}

function said(address: string, { at, dot, slash, dash, underscore, plus }: Saying): string {
  const marks: Readonly<Record<string, string>> = {
    ...{ '@': at, '.': dot, '/': slash, '-': dash, _: underscore, '+': plus },
  }
  return address
    .replace(/[@./_+-]/g, (mark) => ` ${marks[mark] ?? mark} `)
    .replace(/\s+/g, ' ')
    .trim()
}

/** Reads ISO 8601 dates, in the order of the language: day or month first. */
function saidDates(text: string, language: string): string {
  const dayFirst = language !== 'en'
  return text
    .replace(
      /(?<![\d-])(\d{4})-(\d{2})-(\d{2})(?![\d-])/g,
      (all, year: string, month: string, day: string) => dateOf(year, month, day, language) ?? all,
    )
    .replace(
      /(?<![\d./])(\d{1,2})([./])(\d{1,2})\2(\d{4})(?![\d/])/g,
      (all, day: string, _, month: string, year: string) =>
        (dayFirst && dateOf(year, month, day, language)) || all,
    )
    .replace(/\b(\d{1,2})\.(\d{2}) Uhr\b/g, (all, hour: string, minute: string) =>
      Number(hour) > 24 || Number(minute) > 59
        ? all
        : `${hour} Uhr${minute === '00' ? '' : ` ${Number(minute)}`}`,
    )
}

function dateOf(year: string, month: string, day: string, language: string): string | null {
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)))
  if (date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day)) return null
  return new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(date)
}

/** Digits in groups, as telephone numbers, cards and references are written. */
const groups =
  /(?<![\p{L}\p{N}.,:$€£¥])(\+ ?)?\(?\d{1,15}\)?(?:(?:[ \u00a0\u202f./-]| ?\(|\) ?)\d{1,15}\)?){0,8}(?![\p{L}\p{N}]|[.,:]\d| ?[%€$£¥°])/gu

/** Letters and digits in one: `AB12`, `X7-4471`. */
const codes =
  /(?<![\p{L}\p{N}@./-])(?=[A-Z0-9-]{4,24}(?![\p{L}\p{N}@]|\.\p{L}))(?=[A-Z-]*\d)(?=[\d-]*[A-Z])[A-Z0-9]+(?:-[A-Z0-9]+)*/gu

/** Fewer digits are a quantity, a year or a house. */
const leastDigits = 7

function saidNumbers(text: string, saying: Saying): string {
  return text
    .replace(codes, (code) => (/[A-Z]{4}/.test(code) ? code : spelledGroups(code.split('-'))))
    .replace(groups, (number, plus: string | undefined, at: number) => {
      const parts = number.match(/\d+/g) ?? []
      const between = saying.ofPhones.exec(text.slice(Math.max(0, at - 40), at))?.[1]
      const isPhone = plus !== undefined || (between !== undefined && isCalled(between, parts))
      if (!isSpelled(number, parts, isPhone)) return number
      return (plus === undefined ? '' : `${saying.plus} `) + spelledGroups(parts)
    })
}

function isSpelled(number: string, parts: readonly string[], isPhone: boolean): boolean {
  const digits = parts.join('')
  const [first = ''] = parts
  // 0815, and 00 of an international number.
  if (digits.length >= 3 && parts.length === 1 && first.startsWith('0')) return true
  if (isPhone) return digits.length >= 3
  if (digits.length < leastDigits) return false
  if (parts.length === 1) return !digits.endsWith('000')
  const isThousands = /^[1-9]\d{0,2}([ \u00a0\u202f.])\d{3}(\1\d{3})*$/.test(number)
  // 2019-2026, and versions or addresses such as 192.168.1.10.
  const isRange = parts.length === 2 && parts.every(({ length }) => length === 4)
  const isDotted = number.includes('.') && !first.startsWith('0')
  const isDate = parts.length === 3 && /[./]/.test(number) && parts.at(-1)?.length === 4 && first.length <= 2
  return !isThousands && !isRange && !isDotted && !isDate
}

/** “Call 911”, and “call us at 12345”, but not “we call in 2026”. @param between the word for it and the number */
function isCalled(between: string, parts: readonly string[]): boolean {
  return parts.join('').length >= 5 || /^\W*(?:is|ist|lautet|est|es|è|é|jest)?\W*$/u.test(between)
}

/** A comma makes a pause. */
function spelledGroups(parts: readonly string[]): string {
  return parts
    .map((part) =>
      groupsOf(part)
        .map((one) => [...one].join(' '))
        .join(', '),
    )
    .join(', ')
}

/** Long ones are said in threes, as people do; the last has up to four. */
function groupsOf(part: string): string[] {
  if (part.length <= 5) return [part]
  const made: string[] = []
  let rest = part
  while (rest.length > 4) {
    made.push(rest.slice(0, 3))
    rest = rest.slice(3)
  }
  return [...made, rest]
}
