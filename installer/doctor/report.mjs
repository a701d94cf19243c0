/** Flags and output of the doctor. */
import { parseArgs } from 'node:util'
import { Failure, messageOf } from '../failure.mjs'

const MARKS = { well: '✓', ill: '✗', unknown: '?' }

/** Debian machines reach it anyway, for updates. */
const CLOCK_URL = 'http://deb.debian.org/'

/**
 * Prints the findings, check by check.
 * @param {Record<string, import('./finding.mjs').Finding[] | Promise<import('./finding.mjs').Finding[]>>} checks by title
 * @returns {Promise<boolean>} whether a check failed
 */
export async function tell(checks) {
  let isIll = false
  for (const [title, findings] of Object.entries(checks)) {
    for (const { state, message, advice } of await findings) {
      isIll ||= state === 'ill'
      process.stdout.write(
        `${MARKS[state]} ${title.padEnd(13)} ${message}\n${advice ? `    → ${advice}\n` : ''}`,
      )
    }
  }
  return isIll
}

/** @param {string[]} [args] @returns {{clockUrl: string, dnsServer: string | undefined}} */
export function readFlags(args = process.argv.slice(2)) {
  const text = /** @type {const} */ ({ type: 'string' })
  try {
    const { values } = parseArgs({ args, options: { 'clock-url': text, 'dns-server': text } })
    return { clockUrl: values['clock-url'] ?? CLOCK_URL, dnsServer: values['dns-server'] }
  } catch (error) {
    throw new Failure(messageOf(error).replace(/\. .*/s, ''))
  }
}
