/** Debian and npm packages, and the build: each runs only if something is missing or outdated. */
import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { Failure } from './failure.mjs'
import { run } from './processes.mjs'
import { generateSdkTypes } from './sdk-types.mjs'
import { ROOT } from './settings.mjs'

/** TypeScript 7, whose compiler is a native program. `typescript` itself is 5.9, for tools that use its API. */
export const TSC = 'node_modules/typescript-7/bin/tsc'
export const CLI_MANIFEST = 'installer/cli-manifest.mjs'

/** The linter. Its rules that know types run on the same native compiler. */
export const OXLINT = 'node_modules/oxlint/bin/oxlint'

const BUILD_MS = 900_000

/** Debian packages of a server on a machine without other parts. */
export const SERVER_PACKAGES = ['espeak-ng', 'ffmpeg', 'ca-certificates']

/** Debian packages of the appliance. gcc and libc6-dev compile Kamailio's fork handler. */
export const APPLIANCE_PACKAGES = [
  'mariadb-server',
  'kamailio',
  'kamailio-tls-modules',
  'kamailio-mysql-modules',
  'kamailio-websocket-modules',
  'kamailio-json-modules',
  'kamailio-outbound-modules',
  ...SERVER_PACKAGES,
  'gcc',
  'libc6-dev',
  'openssl',
  'gpg',
]

/**
 * Debian packages of the appliance with these settings.
 * @param {import('./settings.mjs').Settings} settings
 * @returns {string[]}
 */
export function packagesFor(settings) {
  return [...APPLIANCE_PACKAGES, ...(settings['tls.acme'] ? ['certbot'] : [])]
}

/** Further packages of the tests. */
export const TEST_PACKAGES = [
  ...[
    'sip-tester',
    'sox',
    'libsox-fmt-mp3',
    'libxml2-utils',
    'chromium-headless-shell',
    'jq',
    'redis-server',
  ],
  ...[
    'libnet-smpp-perl',
    'baresip',
    'linphone-cli',
    'sipsak',
    'sipvicious',
    'nftables',
    'iptables',
    'iproute2',
    'certbot',
    'pebble',
  ],
  ...['docker-compose', 'python3-yaml', 'libsecsipid1', 'tshark', 'prometheus'],
  ...['pocketsphinx', 'pocketsphinx-en-us', 'kannel'],
]

/** Names of libraries with 64-bit time since Debian 13; apt resolves them by the old name. @param {string} name */
const laterName = (name) => `${name}t64`

/**
 * @param {string[]} names
 * @returns {string[]} missing ones
 */
export function missingPackages(names) {
  const { stdout } = spawnSync(
    'dpkg-query',
    ['-W', '-f=${Package} ${db:Status-Status}\n', ...names, ...names.map(laterName)],
    { encoding: 'utf8' },
  )
  const installed = new Set(
    (stdout ?? '')
      .split('\n')
      .filter((line) => line.endsWith(' installed'))
      .map((line) => line.split(' ')[0]),
  )
  return names.filter((name) => !installed.has(name) && !installed.has(laterName(name)))
}

/**
 * Installs the missing packages, without starting their services.
 * @param {string[]} names
 * @param {{log: string, report: (text: string) => void}} options
 * @returns {Promise<void>}
 * @throws {Failure}
 */
export async function installPackages(names, { log, report }) {
  const missing = missingPackages(names)
  if (missing.length === 0) return report('all there')
  if (!existsSync('/usr/bin/apt-get')) {
    throw new Failure(
      `these packages are missing and there is no apt-get to install them: ${missing.join(' ')}`,
    )
  }
  if (process.getuid?.() !== 0)
    throw new Failure(`run as root: these packages must be installed: ${missing.join(' ')}`)
  report('reading package lists')
  const unreachable = await updateLists(log)
  report(`installing ${missing.length} packages`)
  await withoutServices(async () => {
    const problem = await apt(
      ['install', '-y', '--no-install-recommends', ...missing],
      log,
      'apt-get install',
      900_000,
    )
    if (problem && missingPackages(missing).length > 0)
      throw new Failure(`apt-get install failed: ${unreachable || problem} (see ${log})`)
  })
  const still = missingPackages(missing)
  if (still.length > 0) throw new Failure(`apt-get did not install ${still.join(' ')}: see ${log}`)
  keepFromBooting(missing)
  report(`installed ${missing.length}`)
}

/**
 * Updates the package lists. An unreachable mirror is no failure yet: another one may have the packages.
 * @param {string} log
 * @returns {Promise<string>} the unreachable mirror and the reason; '' if all are reachable
 */
async function updateLists(log) {
  const problem = await apt(['update', '-o', 'Acquire::Retries=2'], log, 'apt-get update', 300_000)
  return problem.startsWith('W: Failed to fetch')
    ? `${problem.slice(3)}: check the network and /etc/apt`
    : problem
}

/**
 * @param {string[]} args
 * @param {string} log
 * @param {string} what
 * @param {number} deadlineMs
 * @returns {Promise<string>} its first problem, errors before warnings; '' without any
 */
async function apt(args, log, what, deadlineMs) {
  const { code, output } = await run('apt-get', ['-q', '-o', 'DPkg::Lock::Timeout=120', ...args], {
    log,
    deadlineMs,
    what,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C.UTF-8' },
  })
  const lines = output.split('\n')
  const complaint =
    lines.find((line) => line.startsWith('E: ')) ?? lines.find((line) => line.startsWith('W: Failed'))
  return complaint ?? (code === 0 ? '' : `${what} ended with exit code ${code}`)
}

const POLICY = '/usr/sbin/policy-rc.d'
const POLICY_TEXT = '#!/bin/sh\n# jackfield: packages that it installs start no services\nexit 101\n'

/**
 * Debian starts the services of a package at installation; a policy prevents it. An existing policy is restored
 * afterwards.
 * @param {() => Promise<void>} work
 */
async function withoutServices(work) {
  const saved = `${POLICY}.before-jackfield`
  const ours = existsSync(POLICY) && readFileSync(POLICY, 'utf8') === POLICY_TEXT // left by an interrupted run
  if (existsSync(POLICY) && !ours) renameSync(POLICY, saved)
  writeFileSync(POLICY, POLICY_TEXT)
  chmodSync(POLICY, 0o755)
  try {
    await work()
  } finally {
    rmSync(POLICY, { force: true })
    if (existsSync(saved)) renameSync(saved, POLICY)
  }
}

/** Service of a package. */
const SERVICES = new Map([
  ['mariadb-server', 'mariadb'],
  ['kamailio', 'kamailio'],
  ['prometheus', 'prometheus'],
])

/**
 * Our supervisor runs MariaDB and Kamailio; the stock services of the packages just installed would
 * take the ports at the next boot. Of Prometheus the tests only need promtool.
 * @param {string[]} installed
 */
function keepFromBooting(installed) {
  if (!existsSync('/run/systemd/system')) return
  const services = installed.flatMap((name) => SERVICES.get(name) ?? [])
  if (services.length > 0) execFileSync('systemctl', ['disable', ...services], { stdio: 'ignore' })
}

/**
 * Runs `npm ci` if node_modules is older than the lock file.
 * @param {{log: string, report: (text: string) => void}} options
 * @throws {Failure}
 */
export async function installNpmPackages({ log, report }) {
  const marker = join(ROOT, 'node_modules/.package-lock.json')
  const lock = join(ROOT, 'package-lock.json')
  if (existsSync(marker) && statSync(marker).mtimeMs >= statSync(lock).mtimeMs) return report('all there')
  const folder = lstatSync(join(ROOT, 'node_modules'), { throwIfNoEntry: false })
  if (folder?.isSymbolicLink()) {
    throw new Failure(
      'node_modules is a link, and npm ci would empty the folder it points to: remove the link first',
    )
  }
  report('installing')
  const npm = process.env['npm_execpath']
  const [command, first] = npm?.endsWith('.js') ? [process.execPath, [npm]] : ['npm', []]
  const { code, output } = await run(
    command,
    [...first, 'ci', '--no-audit', '--no-fund', '--loglevel=error'],
    {
      log,
      deadlineMs: 600_000,
      cwd: ROOT,
      what: 'npm ci',
    },
  )
  if (code !== 0) {
    const complaints = output.split('\n').filter((line) => /^npm (ERR!|error) /.test(line))
    const reason =
      complaints.find((line) => line.includes('failed, reason')) ??
      complaints.find((line) => !/ (code|syscall|errno) /.test(line))
    throw new Failure(
      `npm ci failed: ${reason?.replace(/^npm (ERR!|error) /, '').trim() ?? `exit code ${code}`} (see ${log})`,
    )
  }
  report('installed')
}

/**
 * Compiles the server and the CLI, incrementally.
 * @param {{log: string, report: (text: string) => void, deadlineMs?: number}} options the deadline applies to each
 *   of its two steps
 * @throws {Failure}
 */
export async function build({ log, report, deadlineMs = BUILD_MS }) {
  report('compiling what changed')
  await generateSdkTypes()
  const { code, output } = await run(
    process.execPath,
    [join(ROOT, TSC), '--build', '--pretty', 'false', 'server', 'cli', 'console'],
    { log, deadlineMs, cwd: ROOT, what: 'the build' },
  )
  if (code !== 0) {
    const errors = output.split('\n').filter((line) => / error TS\d+/.test(line))
    throw new Failure(
      `the build fails with ${errors.length} errors, the first: ${errors[0] ?? output.trim().slice(-200)} (see ${log})`,
    )
  }
  await writeCliManifest({ log, deadlineMs })
  await buildConsole({ log, report, deadlineMs })
  report('up to date')
}

/**
 * Once the CLI is compiled.
 * @param {{log: string, deadlineMs?: number}} options
 * @throws {Failure}
 */
export async function writeCliManifest({ log, deadlineMs = BUILD_MS }) {
  const what = 'the manifest of the CLI'
  const { code } = await run(process.execPath, [join(ROOT, CLI_MANIFEST)], {
    ...{ log, deadlineMs, cwd: ROOT, what },
  })
  if (code !== 0) throw new Failure(`${what} cannot be written (see ${log})`)
}

/** Samples of what is installed and built: the invoking user must be able to read them, whatever umask root has. */
export const BUILT = [
  ...['node_modules/typeorm/package.json', 'server/dist/src/bin/main.js', 'console/dist/app/index.html'],
].map((path) => join(ROOT, path))

/** Sources of the console, without its tests. */
const CONSOLE_SOURCES = [
  ...[
    'console/src',
    'console/public',
    'console/index.html',
    'console/vite.config.mjs',
    'console/package.json',
  ],
  ...['sdk/src', 'package-lock.json'],
]

/**
 * Builds the console's pages if something has changed since the last build.
 * @param {{log: string, report: (text: string) => void, deadlineMs?: number}} options
 * @throws {Failure}
 */
export async function buildConsole({ log, report, deadlineMs = BUILD_MS }) {
  const built = join(ROOT, 'console/dist/app/index.html')
  const changed = Math.max(...CONSOLE_SOURCES.map((path) => newestIn(join(ROOT, path))))
  if (existsSync(built) && statSync(built).mtimeMs > changed) return
  report('building the console')
  const { code, output } = await run(
    process.execPath,
    [join(ROOT, 'node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'warn', 'console'],
    { log, deadlineMs, cwd: ROOT, what: 'the console’s build' },
  )
  if (code !== 0) throw new Failure(`the console’s build fails: ${output.trim().slice(-300)} (see ${log})`)
}

/**
 * @param {string} path of a file or directory
 * @returns {number} time of the last change below it, in milliseconds since 1970
 */
function newestIn(path) {
  const { mtimeMs } = statSync(path)
  if (!statSync(path).isDirectory()) return mtimeMs
  return Math.max(mtimeMs, ...readdirSync(path).map((name) => newestIn(join(path, name))))
}
