/** Kinds of settings: how each is read, and the rule that an error names. */
import { isIP } from 'node:net'

/** One setting; groups of settings are plain objects around it. */
export class Setting<T> {
  constructor(
    readonly rule: string,
    readonly read: (text: string) => T | undefined,
    readonly help: string,
    readonly fallback: T | undefined,
  ) {}
}

export function setting<T>(
  rule: string,
  read: (text: string) => T | undefined,
  help: string,
  fallback?: T,
): Setting<T> {
  return new Setting(rule, read, help, fallback)
}

export const text = (help: string, fallback?: string) => setting('a text', (value) => value, help, fallback)

export const choice = <const T extends string>(values: readonly T[], help: string, fallback: T) =>
  setting(`one of ${values.join(', ')}`, (value) => values.find((known) => known === value), help, fallback)

export const integer = (min: number, max: number, help: string, fallback?: number) =>
  setting(
    `a whole number from ${min} to ${max}`,
    (value) => {
      const number = Number(value)
      return /^\d+$/.test(value) && number >= min && number <= max ? number : undefined
    },
    help,
    fallback,
  )

export const port = (help: string, fallback?: number) => integer(1, 65535, help, fallback)

export const address = (help: string, fallback?: string) =>
  setting('an IP address', (value) => (isIP(value) ? value : undefined), help, fallback)

export const optionalAddress = (help: string) =>
  setting('an IP address', (value) => (value === '' || isIP(value) ? value : undefined), help, '')

/** Entries with commas between them; none for an empty text. */
export function list<T>(rule: string, readEntry: (text: string) => T | undefined, help: string) {
  const read = (value: string): readonly T[] | undefined => {
    const entries = value.split(',').map((entry) => entry.trim())
    const values = entries.filter(Boolean).map(readEntry)
    return values.every((one): one is T & {} => one !== undefined) ? values : undefined
  }
  return setting<readonly T[]>(rule, read, help, [])
}

export const domain = (help: string, fallback?: string) =>
  setting(
    'a domain name in lower case',
    (value) => (/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/.test(value) ? value : undefined),
    help,
    fallback,
  )

export const nameServers = (help: string) =>
  list(
    'IP addresses with commas between them, each with a port or without',
    (entry) => (isIP(entry) || isIP(entry.replace(/:\d+$/, '')) ? entry : undefined),
    help,
  )

export const count = (what: string, fallback: number) =>
  integer(1, 1_000_000, `${what} that a workspace may have`, fallback)

export const httpUrl = (help: string) =>
  setting(
    'an http or https URL',
    (value) => (value === '' || (/^https?:/.test(value) && URL.canParse(value)) ? value : undefined),
    help,
    '',
  )

/** A URL that is written within `<>` in a SIP header, and must fit into it. */
export const headerUrl = (help: string) =>
  setting(
    'an https URL of at most 1,000 characters, without blanks, quotes, < and >',
    (value) =>
      value === '' || (/^https:\/\/[!#-;=?-~]{1,992}$/.test(value) && URL.canParse(value))
        ? value
        : undefined,
    help,
    '',
  )

/** USD. */
export const price = (help: string, fallback: number) =>
  setting(
    'a price from 0 to 1000',
    (value) => (/^\d{1,4}(\.\d{1,6})?$/.test(value) ? Number(value) : undefined),
    help,
    fallback,
  )
