/** "Did you mean" for flags and flag values, which oclif lacks. */
import { nearest } from './texts.js'

/** Errors of oclif for an invalid command line. */
interface ParseError extends Error {
  flags?: string[]
  showHelp?: boolean
  parse?: { input?: { flags?: Record<string, unknown> } }
}

/** Adds the nearest flag or value to a parser's error; other errors stay as they are. */
export function withAdvice(error: ParseError): void {
  const known = Object.keys(error.parse?.input?.flags ?? {}).map((name) => `--${name}`)
  const unknown = error.flags?.filter((flag) => !known.includes(flag)) ?? []
  for (const flag of unknown) advise(error, nearest(flag, known))
  // oclif has the value and its options only in the message.
  const [, value, options] = /^Expected --\S+?=(.*) to be one of: (.*)$/m.exec(error.message) ?? []
  if (value !== undefined && options !== undefined) advise(error, nearest(value, options.split(', ')))
  // The full help would scroll the error away; the message says how to get it.
  if (error.showHelp) error.showHelp = false
}

function advise(error: Error, meant: string | undefined): void {
  if (meant) error.message = error.message.replace(/$/m, `: did you mean ${meant}?`)
}
