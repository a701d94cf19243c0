/** Texts of `npm run <script> -- --help`, for every script of package.json; `npm run help` lists them all. */
import { fileURLToPath } from 'node:url'
import { SETUP_HELP } from './installation/flags.mjs'

/**
 * @typedef {object} Help
 * @property {string} what it does, in a few lines
 * @property {string} usage what follows `npm run <script>`; '' for nothing
 * @property {[string, string][]} options each with what it does
 * @property {string} takes how long, on two cores
 * @property {string} needs what has to be there
 */

const CHECKOUT = 'Node 20.19 or later and npm ci'
const DEBIAN = 'Debian 12 or later, root'
const RUNNING = 'an appliance that is up (npm run up)'

/** @type {[string, string]} */
const GREP = ['--grep <text>', 'Run only tests whose title matches this regular expression']

/** @type {[string, string]} */
const SUITE = ['<word>', 'Run only suites whose name begins with this; several are possible']

/** @type {[string, string]} */
const PASSPHRASE = ['--passphrase-file <path>', 'Encrypt the backup with the passphrase in this file']

/** By script. @type {Record<string, Help>} */
export const HELP = {
  up: {
    what: 'Starts Jackfield on this machine to try it out: MariaDB, Kamailio, FreeSWITCH (or the sandbox) and the\nserver. Installs Debian and npm packages and builds first where something is missing. A second run changes nothing.',
    usage: '',
    options: [],
    takes: '5 minutes the first time, then 10 to 20 seconds',
    needs: `${DEBIAN}; JACKFIELD_* variables change ports and addresses`,
  },
  down: {
    what: 'Stops what npm run up started, and ends its calls. Data stay under var/.',
    usage: '',
    options: [],
    takes: 'a few seconds',
    needs: 'nothing',
  },
  status: {
    what: 'Shows each part of the running appliance. The exit code is 0 only when all are well.',
    usage: '',
    options: [],
    takes: 'a second',
    needs: 'nothing',
  },
  setup: {
    what: 'Makes a lasting installation that systemd runs, or brings one up to date.',
    usage: '-- --base-domain example.com',
    options: SETUP_HELP,
    takes: '5 minutes the first time, then about a minute',
    needs: `${DEBIAN}, systemd`,
  },
  firewall: {
    what: 'Prints firewall rules for the settings in force. It changes nothing.',
    usage: '-- --form ufw',
    options: [
      ['--form <form>', 'nftables or ufw [nftables]'],
      ['--ssh-port <port>', 'TCP port that SSH listens on [22]'],
      ['--connections <number>', 'Connections that one address may open [256]'],
    ],
    takes: 'a second',
    needs: 'settings in which SIP listens on a public address',
  },
  backup: {
    what: 'Writes one file that holds all of an appliance: database, media, settings and secrets. Calls go on.',
    usage: '-- --to /mnt/backups --keep 7',
    options: [
      ['--to <folder>', 'Folder to write it to [backups/ in the appliance’s home]'],
      ['--keep <number>', 'Remove older backups there, but for this many'],
      PASSPHRASE,
    ],
    takes: 'seconds to minutes, with the size of database and media',
    needs: RUNNING,
  },
  restore: {
    what: 'Makes this machine the appliance that a backup was made of.',
    usage: '-- /mnt/backups/<file>',
    options: [
      ['--replace', 'Replace the appliance that is here'],
      ['--passphrase-file <path>', 'File with the passphrase of the backup'],
      ['--config-directory <folder>', 'Folder of the installation’s settings [/etc/jackfield]'],
    ],
    takes: 'minutes, with the size of the backup',
    needs: DEBIAN,
  },
  secret: {
    what: 'Replaces one of the appliance’s secrets without losing what it protects.',
    usage: '-- rotate <name>',
    options: [['rotate <name>', 'Name of the secret; npm run secret lists the names']],
    takes: 'seconds; minutes for the master key of a large database',
    needs: `${RUNNING}; some secrets need it to be down`,
  },
  upgrade: {
    what: 'Takes over, from the checkout of the new version, the appliance that runs from another checkout. A failure\nbrings the old version back.',
    usage: '',
    options: [
      ['--back', 'Bring back the version before the last upgrade, with its data'],
      ['--to <folder>', 'Folder for the backup that is made first'],
      PASSPHRASE,
      ['--config-directory <folder>', 'Folder of the installation’s settings [/etc/jackfield]'],
    ],
    takes: 'a few minutes; the server is away for seconds, calls go on',
    needs: `${DEBIAN}, ${RUNNING}`,
  },
  audit: {
    what: 'Checks the dependencies against our rules (sums, sources, licences, scripts) and asks the registry for known\nvulnerabilities.',
    usage: '',
    options: [],
    takes: 'a few seconds',
    needs: 'the npm registry, for the second half',
  },
  doctor: {
    what: 'Checks what an appliance needs around it: clock, addresses, ports, DNS, certificates, switch, and a call.',
    usage: '',
    options: [
      ['--clock-url <url>', 'Web server whose clock is compared'],
      ['--dns-server <address>', 'DNS server to ask'],
    ],
    takes: 'up to half a minute',
    needs: 'root',
  },
  dev: {
    what: 'Starts everything to work on: the parts as npm run up does, the server from this checkout, and the console by\nvite. The server restarts when its source changes; pages update in the browser. Ctrl-C ends all of it. State is kept\nunder var/dev. It has ports of its own, so npm run up may run beside it.',
    usage: '',
    options: [
      ['--sandbox', 'Use the sandbox, which simulates calls, where FreeSWITCH is found too'],
      ['--fresh', 'Begin with an empty database'],
      ['--port <port>', 'TCP port of the console [5173]'],
    ],
    takes: '10 to 20 seconds to start; 2 to 5 seconds for a restart',
    needs: `${DEBIAN}; JACKFIELD_* variables change ports and addresses`,
  },
  test: {
    what: 'Installs what the tests need, checks format, types, lint and imports, builds, and runs all suites. The last line\nis “N passed, N failed, N skipped”.',
    usage: '-- unit api',
    options: [
      SUITE,
      [
        '--keep-durations',
        'Keep what each file took in installer/test-durations.json, by which the longest begin first',
      ],
    ],
    takes: 'about an hour; npm run test:file takes seconds',
    needs: DEBIAN,
  },
  'test:fast': {
    what: 'Does what npm test does, but of every suite it runs only the test files that use little of the processors.',
    usage: '-- unit api',
    options: [SUITE],
    takes: 'about 8 minutes',
    needs: DEBIAN,
  },
  'test:unit': {
    what: 'Runs the server’s unit tests straight from TypeScript. Without words it leaves out files that need MariaDB or\nwait long, and says so.',
    usage: '-- sentences flow',
    options: [
      ['<word>', 'Run only files whose name contains this, slow ones too; several are possible'],
      ['--all', 'Leave out nothing'],
      GREP,
      ['--watch', 'Run again when something under server/ changes'],
    ],
    takes: '1 second for a file, 20 seconds without words, 2 minutes with --all',
    needs: `${CHECKOUT}; no build. --all needs MariaDB`,
  },
  'test:file': {
    what: 'Runs test files of any suite, with the hooks and time limits of their suite. Compiles first what changed, and\nbuilds the console’s pages when the tests need them and they are old.',
    usage: '-- server/test/api/agents.test.ts',
    options: [['<path>', 'Source of a test: .test.ts, or .test.mjs in installer/test'], GREP],
    takes: '1 to 3 seconds more than the tests; half a minute the first time',
    needs: `${CHECKOUT}; what the tests use: MariaDB, Kamailio, FreeSWITCH, SIPp, Chromium`,
  },
  check: {
    what: 'Checks types, lint, import directions and format. Files that were fine and have not changed are not checked\nagain; npm test checks all of them. The exit code is 1 when something is wrong.',
    usage: '',
    options: [['<name>', 'Run only this check: types, lint, imports or format; several are possible']],
    takes: 'about 2 minutes the first time, then 10 to 40 seconds',
    needs: CHECKOUT,
  },
  faults: {
    what: 'Kills, stops, cuts off and fills up each part of an appliance in the middle of traffic, and writes\ndocs/reference/faults.md. The exit code is 1 when something accepted is lost.',
    usage: '-- --rate 20 <row>',
    options: [
      ['<row>', 'Run only these rows of the table'],
      ['--rate <number>', 'Calls a second [20]'],
      ['--list', 'List the rows'],
    ],
    takes: 'about a minute for each row, an hour for all',
    needs: 'root, nftables, loop devices, Kamailio, FreeSWITCH, SIPp',
  },
  build: {
    what: 'Compiles the server, CLI, SDK, console and tests with tsc. npm run up builds the console’s pages.',
    usage: '-- server',
    options: [['<folder>', 'Compile only this one: sdk, server, cli, console, bench …']],
    takes: '2 minutes the first time, 5 to 30 seconds after a change',
    needs: CHECKOUT,
  },
  reference: {
    what: 'Writes the pages of docs/reference that are made of the code: settings, metrics, endpoints, errors, events …',
    usage: '',
    options: [],
    takes: 'a few seconds more than npm run build',
    needs: CHECKOUT,
  },
  format: {
    what: 'Formats all files with prettier.',
    usage: '-- server/src/config/config.ts',
    options: [['<path>', 'Format only these files and folders']],
    takes: 'about a minute for all, a second for a file',
    needs: CHECKOUT,
  },
  'format:check': {
    what: 'Names the files that npm run format would change, and changes none.',
    usage: '-- server/src/config/config.ts',
    options: [['<path>', 'Check only these files and folders']],
    takes: 'about a minute for all, a second for a file',
    needs: CHECKOUT,
  },
  lint: {
    what: 'Checks the code with oxlint, whose rules know the types.',
    usage: '-- server/src/features/calls',
    options: [
      ['<path>', 'Lint only these files and folders'],
      ['--fix', 'Mend what can be mended without thought'],
    ],
    takes: '15 seconds for all',
    needs: CHECKOUT,
  },
  bench: {
    what: 'Runs benchmarks and writes docs/reference/benchmarks.md. The page says what each one measures.',
    usage: '-- calls api',
    options: [['<name>', 'Run only these; an unknown name lists them']],
    takes: 'an hour for all, 1 to 10 minutes for one',
    needs: 'a quiet machine; docs/reference/benchmarks.md says what each needs',
  },
  imports: {
    what: 'Checks which module may import which (dependency-cruiser, .dependency-cruiser.cjs).',
    usage: '',
    options: [],
    takes: 'about half a minute',
    needs: CHECKOUT,
  },
  help: {
    what: 'Lists the scripts; npm run <script> -- --help says more about one.',
    usage: '',
    options: [],
    takes: 'a second',
    needs: 'nothing',
  },
}

/** @param {string} script @returns {string} '' where there is no such script */
export function helpOf(script) {
  const help = HELP[script]
  if (!help) return ''
  const { what, usage, options, takes, needs } = help
  const width = Math.max(...options.map(([option]) => option.length))
  return [
    what,
    '',
    `  npm run ${script}${usage && ` ${usage}`}`,
    '',
    ...options.map(([option, text]) => `  ${option.padEnd(width)}  ${text}`),
    ...(options.length > 0 ? [''] : []),
    `Takes: ${takes}.`,
    `Needs: ${needs}.`,
    '',
  ].join('\n')
}

/** @returns {string} a line for each script */
export function listOfScripts() {
  const width = Math.max(...Object.keys(HELP).map((name) => name.length))
  const lines = Object.entries(HELP).map(
    ([name, { what }]) => `  ${name.padEnd(width)}  ${what.replaceAll('\n', ' ').replace(/[:.] .*/s, '.')}`,
  )
  return ['npm run <script>; npm run <script> -- --help says more.', '', ...lines, ''].join('\n')
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  process.stdout.write(process.argv.includes('--help') ? helpOf('help') : listOfScripts())
