/** The test suites in the order in which they run. */

/**
 * @typedef {object} Suite
 * @property {string} name
 * @property {string} glob compiled test files, from the checkout's root
 * @property {'nothing' | 'freeswitch'} needs what this machine must have beside the Debian packages
 * @property {Record<string, string>} env
 * @property {number} deadlineMs for the whole suite
 * @property {string[]} [also] further arguments for mocha
 */

const MINUTE = 60_000

/** @type {Suite[]} */
export const SUITES = [
  {
    name: 'unit',
    glob: 'server/dist/test/unit/**/*.test.js',
    needs: 'nothing',
    env: {},
    deadlineMs: 3 * MINUTE,
  },
  {
    name: 'api',
    glob: 'server/dist/test/api/**/*.test.js',
    needs: 'nothing',
    env: {},
    deadlineMs: 8 * MINUTE,
  },
  {
    name: 'edge',
    glob: 'server/dist/test/edge/**/*.test.js',
    needs: 'nothing',
    env: {},
    deadlineMs: 8 * MINUTE,
  },
  {
    name: 'sandbox',
    glob: 'server/dist/test/sandbox/**/*.test.js',
    needs: 'nothing',
    env: {},
    deadlineMs: 5 * MINUTE,
  },
  {
    name: 'switch on the sandbox',
    glob: 'server/dist/test/switch/**/*.test.js',
    needs: 'nothing',
    env: { JACKFIELD_TEST_SWITCH: 'sandbox' },
    deadlineMs: 8 * MINUTE,
  },
  {
    name: 'switch on FreeSWITCH',
    glob: 'server/dist/test/switch/**/*.test.js',
    needs: 'freeswitch',
    env: { JACKFIELD_TEST_SWITCH: 'freeswitch' },
    deadlineMs: 8 * MINUTE,
  },
  {
    name: 'calls on the sandbox',
    glob: 'server/dist/test/calls/**/*.test.js',
    needs: 'nothing',
    env: { JACKFIELD_TEST_SWITCH: 'sandbox' },
    deadlineMs: 12 * MINUTE,
  },
  {
    name: 'calls on FreeSWITCH',
    glob: 'server/dist/test/calls/**/*.test.js',
    needs: 'freeswitch',
    env: { JACKFIELD_TEST_SWITCH: 'freeswitch' },
    deadlineMs: 15 * MINUTE,
  },
  { name: 'cli', glob: 'cli/dist/test/**/*.test.js', needs: 'nothing', env: {}, deadlineMs: 8 * MINUTE },
  {
    name: 'installer',
    glob: 'installer/test/**/*.test.mjs',
    needs: 'nothing',
    env: {},
    deadlineMs: 8 * MINUTE,
  },
]
