/** The test suites in the order in which they run. */

/**
 * @typedef {object} Suite
 * @property {string} name
 * @property {string} glob compiled test files, from the checkout's root
 * @property {number} deadlineMs for the whole suite
 * @property {string} [hooks] module that mocha loads first
 * @property {boolean} [bySwitch] its scenarios run once on the sandbox and once on a real FreeSWITCH, where there is
 *   one: `… on the sandbox …`, `… on the freeswitch …`
 */

const MINUTE = 60_000

const hooks = 'server/dist/test/support/hooks.js'

/** @type {Suite[]} */
export const SUITES = [
  { name: 'unit', glob: 'server/dist/test/unit/**/*.test.js', deadlineMs: 5 * MINUTE },
  { name: 'sandbox', glob: 'server/dist/test/sandbox/**/*.test.js', deadlineMs: 5 * MINUTE },
  { name: 'media', glob: 'server/dist/test/media/**/*.test.js', deadlineMs: 5 * MINUTE, hooks },
  { name: 'edge', glob: 'server/dist/test/edge/**/*.test.js', deadlineMs: 8 * MINUTE, hooks },
  { name: 'carriers', glob: 'server/dist/test/carriers/**/*.test.js', deadlineMs: 10 * MINUTE, hooks },
  { name: 'api', glob: 'server/dist/test/api/**/*.test.js', deadlineMs: 15 * MINUTE, hooks },
  {
    name: 'switch',
    glob: 'server/dist/test/switch/**/*.test.js',
    deadlineMs: 12 * MINUTE,
    hooks,
    bySwitch: true,
  },
  {
    name: 'calls',
    glob: 'server/dist/test/calls/**/*.test.js',
    deadlineMs: 55 * MINUTE,
    hooks,
    bySwitch: true,
  },
  {
    name: 'recordings',
    glob: 'server/dist/test/recordings/**/*.test.js',
    deadlineMs: 8 * MINUTE,
    hooks,
    bySwitch: true,
  },
  { name: 'sdk', glob: 'sdk/dist/test/**/*.test.js', deadlineMs: 5 * MINUTE },
  { name: 'cli', glob: 'cli/dist/test/**/*.test.js', deadlineMs: 8 * MINUTE },
  { name: 'installer', glob: 'installer/test/**/*.test.mjs', deadlineMs: 8 * MINUTE },
]
