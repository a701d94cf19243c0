/** The test suites, in the order of the summary. */

/**
 * @typedef {object} Suite
 * @property {string} name
 * @property {string} glob compiled test files, from the checkout's root
 * @property {RegExp} [names] only files whose names it matches [all]
 * @property {number} [testMs] timeout of a test without its own; default: 90 s
 * @property {number} deadlineMs for one process
 * @property {number} [filesAtOnce] how many files one process runs, sharing a MariaDB [all]
 * @property {string[]} [alone] files that run alone at the end: concurrent tests would change what they
 *   measure, or share a folder with them
 * @property {number} [fastCpu] seconds of a processor that a file may use to be in `npm run test:fast` [6]
 * @property {string[]} [files] its files, where they are chosen: compiled, from the checkout's root [all]
 * @property {boolean} [machineNode] uses the machine's own Node, so that a run proves the oldest version as well
 * @property {string} [hooks] module that mocha loads first
 * @property {boolean} [bySwitch] its scenarios run on a real FreeSWITCH where there is one, and else on the sandbox; some
 *   on both: `… on the sandbox …`, `… on the freeswitch …`
 */

const MINUTE = 60_000

const hooks = 'server/dist/test/support/hooks.js'

/** @type {Suite[]} */
export const SUITES = [
  {
    name: 'unit',
    glob: 'server/dist/test/unit/**/*.test.js',
    deadlineMs: 5 * MINUTE,
    filesAtOnce: 35,
    machineNode: true,
  },
  { name: 'sandbox', glob: 'server/dist/test/sandbox/**/*.test.js', deadlineMs: 5 * MINUTE },
  {
    name: 'console',
    glob: 'console/test/dist/**/*.test.js',
    deadlineMs: 20 * MINUTE,
    testMs: 3 * MINUTE, // a journey looks at many pages, each in both themes and on the smallest phone
    filesAtOnce: 10,
    hooks,
  },
  {
    name: 'calls',
    glob: 'server/dist/test/calls/**/*.test.js',
    deadlineMs: 20 * MINUTE,
    filesAtOnce: 10,
    alone: ['load', 'many-apps'],
    hooks,
    bySwitch: true,
  },
  {
    name: 'switch',
    glob: 'server/dist/test/switch/**/*.test.js',
    deadlineMs: 8 * MINUTE,
    filesAtOnce: 1,
    hooks,
    bySwitch: true,
  },
  {
    name: 'recordings',
    glob: 'server/dist/test/recordings/**/*.test.js',
    deadlineMs: 15 * MINUTE,
    filesAtOnce: 9,
    hooks,
    bySwitch: true,
  },
  {
    name: 'media',
    glob: 'server/dist/test/media/**/*.test.js',
    testMs: MINUTE,
    deadlineMs: 5 * MINUTE,
    hooks,
  },
  {
    name: 'edge',
    glob: 'server/dist/test/edge/**/*.test.js',
    deadlineMs: 15 * MINUTE,
    filesAtOnce: 18,
    hooks,
  },
  {
    name: 'fuzz',
    glob: 'server/dist/test/fuzz/**/*.test.js',
    deadlineMs: 8 * MINUTE,
    filesAtOnce: 1,
    hooks,
  },
  {
    name: 'carriers',
    glob: 'server/dist/test/carriers/**/*.test.js',
    deadlineMs: 15 * MINUTE,
    filesAtOnce: 10,
    hooks,
  },
  { name: 'sdk', glob: 'sdk/dist/test/**/*.test.js', deadlineMs: 5 * MINUTE },
  {
    name: 'cli',
    glob: 'cli/dist/test/**/*.test.js',
    names: /^(?!resources-)/,
    deadlineMs: 8 * MINUTE,
    filesAtOnce: 4,
    fastCpu: 10, // the cheapest that runs it on a server
    machineNode: true,
  },
  {
    name: 'cli of resources', // hundreds of runs: a newer Node keeps what it has compiled
    glob: 'cli/dist/test/**/*.test.js',
    names: /^resources-/,
    testMs: 2 * MINUTE,
    deadlineMs: 12 * MINUTE,
    filesAtOnce: 1,
  },
  {
    name: 'api',
    glob: 'server/dist/test/api/**/*.test.js',
    deadlineMs: 20 * MINUTE,
    filesAtOnce: 25,
    hooks,
  },
  {
    name: 'installer',
    glob: 'installer/test/**/*.test.mjs',
    deadlineMs: 14 * MINUTE,
    machineNode: true,
    filesAtOnce: 1, // a file that hangs does not affect others
    alone: ['dev', 'doctor-call', 'two-cells'],
  },
]
