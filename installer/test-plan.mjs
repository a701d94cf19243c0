/** Assigns test files to processes, and orders the processes. */
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { globSync } from './glob.mjs'
import { ROOT } from './settings.mjs'
import { durationOf, keptDurations } from './test-durations.mjs'

/**
 * @typedef {import('./test-suites.mjs').Suite} Suite
 * @typedef {object} Batch files that run in one process
 * @property {Suite} suite
 * @property {string[]} files
 * @property {boolean} alone whether it wants the machine for itself
 * @property {number} seconds that it is expected to take
 * @property {number} cores processors that it is expected to keep busy
 */

/** A longer process would delay the end of the run. */
const BATCH_SECONDS = 400

/** What `npm run test:fast` runs takes two processors eight minutes, with the checks. */
const FAST_CPU = 6

/** Time to start a process and load its modules. */
const STARTING = { seconds: 2, cpu: 1.5 }

/**
 * @param {readonly Suite[]} suites
 * @returns {Batch[]} in the order in which they are to begin: the longest first, and last what runs alone
 */
export function plan(suites) {
  const durations = keptDurations()
  return suites
    .flatMap((suite) => batchesOf(suite, durations))
    .sort((one, other) => Number(one.alone) - Number(other.alone) || other.seconds - one.seconds)
}

/**
 * @param {Suite} suite
 * @param {ReturnType<typeof keptDurations>} durations
 * @returns {Batch[]}
 */
function batchesOf(suite, durations) {
  const { alone = [], filesAtOnce = Infinity } = suite
  const files = alike(filesOf(suite))
  const lonely = files.filter((file) => alone.includes(nameOf(file)))
  const others = files.filter((file) => !lonely.includes(file))
  /** @param {string[]} files @param {boolean} alone @returns {Batch} */
  const batch = (files, alone) => {
    const all = [STARTING, ...files.map((file) => durationOf(durations, file))]
    const sum = (/** @type {'seconds' | 'cpu'} */ key) => all.reduce((total, one) => total + one[key], 0)
    return { suite, files, alone, seconds: sum('seconds'), cores: sum('cpu') / sum('seconds') }
  }
  return [
    ...pieces(others, filesAtOnce, durations).map((files) => batch(files, false)),
    ...lonely.map((file) => batch([file], true)),
  ]
}

/**
 * @param {string[]} files
 * @param {number} most in a piece
 * @param {ReturnType<typeof keptDurations>} durations
 * @returns {string[][]} files in their order, as many in a piece as its time allows
 */
function pieces(files, most, durations) {
  /** @type {string[][]} */
  const all = []
  let seconds = Infinity
  for (const file of files) {
    const more = durationOf(durations, file).seconds
    const last = all.at(-1)
    if (!last || last.length >= most || seconds + more > BATCH_SECONDS) {
      all.push([file])
      seconds = more
    } else {
      last.push(file)
      seconds += more
    }
  }
  return all
}

/**
 * Test files that start an appliance in the same way are adjacent: in one process they share it.
 * @param {string[]} files
 */
function alike(files) {
  return files
    .map((file) => ({ file, start: startOf(readFileSync(join(ROOT, file), 'utf8')) }))
    .sort((one, other) => (one.start === other.start ? 0 : one.start < other.start ? -1 : 1))
    .map(({ file }) => file)
}

/** How a test file starts its first appliance, itself or by a bench. */
const START = /\b(?:startUnlimited|(\w+Bench|Appliance)\.start)\(/

/** These start an appliance with FreeSWITCH alike, whatever they put beside it. */
const CALL_BENCHES = ['ActionsBench', 'CallBench', 'InboundBench', 'PhoneBench', 'TeamBench']

/** Arguments of them that make no other appliance. */
const BESIDE = /"freeswitch",?|\b(?:credit: [\w.]+|carrier: \{[^{}]*\}),?/g

/** Source code with which a test file starts its first appliance: equal where the appliances are. @param {string} code */
export function startOf(code) {
  const begin = START.exec(code)
  if (!begin) return ''
  const from = begin.index + begin[0].length
  let depth = 1
  let to = from
  for (; to < code.length && depth > 0; to++) depth += { '(': 1, ')': -1 }[code[to] ?? ''] ?? 0
  const text = code
    .slice(from, to - 1)
    .replaceAll("'", '"')
    .replaceAll(/\s+/g, ' ')
  const bench = begin[1] ?? 'startUnlimited'
  if (!CALL_BENCHES.includes(bench)) return `${bench}(${text.trim()})`
  return `calls(${text.replaceAll(BESIDE, '').replaceAll(/\{\s*\}|\s/g, '')})`
}

/**
 * For `npm run test:fast`: of each suite the files that use little of the processors, and those that were never measured.
 * @param {readonly Suite[]} suites
 * @returns {Suite[]} those with such files
 */
export function fastParts(suites) {
  const durations = keptDurations()
  return suites
    .map((suite) => {
      const { alone = [], fastCpu = FAST_CPU } = suite
      const isFast = (/** @type {string} */ file) =>
        !alone.includes(nameOf(file)) && (durations[file]?.cpu ?? 0) <= fastCpu
      return { ...suite, files: filesOf(suite).filter(isFast) }
    })
    .filter(({ files }) => files.length > 0)
}

/** @param {Suite} suite @returns {string[]} compiled test files, from the checkout's root */
export function filesOf({ glob, names = /^/, files }) {
  if (files) return files
  return globSync(glob).filter((file) => names.test(basename(file)))
}

/** @param {string} file */
export function nameOf(file) {
  return basename(file).replace(/\.test\.m?js$/, '')
}

/** @param {string[]} files */
export function namesOf(files) {
  const names = files.map(nameOf)
  return names.length > 6 ? `${names.length} files` : names.join(', ')
}
