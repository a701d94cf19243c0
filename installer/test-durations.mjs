/**
 * Durations of each test file, stored in test-durations.json: the longest files start first, and files
 * that wait run beside files that compute. `npm test -- --keep-durations` writes it.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './settings.mjs'

const FILE = join(ROOT, 'installer/test-durations.json')

/**
 * @typedef {object} Duration
 * @property {number} seconds from its first test to its last
 * @property {number} cpu seconds of processors that it and its programs used
 */

/** The estimate for a file that has never run. @type {Duration} */
const UNKNOWN = { seconds: 20, cpu: 10 }

/** @returns {Record<string, Duration>} by path from the checkout's root */
export function keptDurations() {
  try {
    return JSON.parse(readFileSync(FILE, 'utf8'))
  } catch {
    return {}
  }
}

/**
 * @param {Record<string, Duration>} durations
 * @param {string} file
 */
export function durationOf(durations, file) {
  return durations[file] ?? UNKNOWN
}

/**
 * Stores measured durations; files that did not run keep theirs, deleted files lose them.
 * @param {Record<string, Duration>} measured
 * @param {string[]} files every test file there is
 */
export function keepDurations(measured, files) {
  const all = { ...keptDurations(), ...measured }
  const lines = files
    .filter((file) => file in all)
    .sort()
    .map((file) => {
      const { seconds, cpu } = durationOf(all, file)
      return `  ${JSON.stringify(file)}: { "seconds": ${seconds.toFixed(1)}, "cpu": ${cpu.toFixed(1)} }`
    })
  writeFileSync(FILE, `{\n${lines.join(',\n')}\n}\n`)
}
