/** "Did you mean" for flags and for values of flags, which oclif refuses without one. */
import { nearest } from './texts.js'

/** What oclif throws for a command line that it cannot read. */
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
  // oclif keeps the value and its options in the message only.
  const [, value, options] = /^Expected --\S+?=(.*) to be one of: (.*)$/m.exec(error.message) ?? []
  if (value !== undefined && options !== undefined) advise(error, nearest(value, options.split(', ')))
  // The whole help would push the error out of sight; the message says how to get it.
  if (error.showHelp) error.showHelp = false
}

function advise(error: Error, meant: string | undefined): void {
  if (meant) error.message = error.message.replace(/$/m, `: did you mean ${meant}?`)
}
