/** Starts a version of an appliance: directly, or by its systemd unit. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Failure } from '../failure.mjs'
import { programText, writeIfChanged } from '../installation/files.mjs'
import { giveBack } from '../installation/installed.mjs'
import { runsSystemd, systemctl } from '../installation/service.mjs'
import { requireReadable } from '../installation/system-user.mjs'
import { unitText } from '../installation/unit.mjs'
import { BUILT } from '../packages.mjs'
import { run } from '../processes.mjs'
import { ROOT } from '../settings.mjs'

const UP_MS = 15 * 60_000

/** During a version change systemd must not restart a version that fails to start. */
const DROP_IN = '/run/systemd/system/jackfield.service.d/upgrade.conf'

/**
 * @typedef {import('../settings.mjs').Settings} Settings
 *
 * @typedef {object} Version
 * @property {string} root its checkout
 * @property {string} [unit] text of its unit; that of this version by default
 * @property {string} [program] text of its `jackfield` command
 *
 * @typedef {object} Runner
 * @property {(root: string) => Version} versionAt the version of a checkout, as it would run now
 * @property {(node: string) => void} requireBuilt called before anything is stopped, with the program that is to run the server.
 *   Throws {Failure} if this version could not be started
 * @property {() => Promise<void>} hold called before a supervisor leaves: no part ends with it, and systemd does not restart it
 * @property {(version: Version) => Promise<void>} start returns when it is up. Throws {Failure} with the reason if it is not
 * @property {() => Promise<void>} release called at the end
 */

/**
 * @param {Settings} settings
 * @param {import('../installation/installed.mjs').Installation | null} installation
 * @returns {Runner}
 * @throws {Failure} if it cannot be started in that way
 */
export function runnerOf(settings, installation) {
  const log = join(settings.home, 'log/upgrade.log')
  if (!installation) return checkoutRunner(log)
  // Check this first: later there is no easy way back.
  requireReadable(installation.places.user, [join(ROOT, 'installer/supervisor.mjs'), process.execPath])
  if (!runsSystemd()) throw new Failure('systemd does not run here: this installation cannot be started')
  return unitRunner(log, installation)
}

/** @param {string} log @returns {Runner} */
function checkoutRunner(log) {
  const nothing = async () => {}
  return {
    versionAt: (root) => ({ root }),
    requireBuilt() {},
    hold: nothing,
    async start({ root }) {
      const { code, output } = await run(process.execPath, [join(root, 'installer/up.mjs')], {
        ...{ log, cwd: root, deadlineMs: UP_MS, what: `npm run up in ${root}` },
      })
      if (code === 0) return
      const reason = output.split('\n').find((line) => line.startsWith('jackfield: ')) ?? `exit code ${code}`
      throw new Failure(`${reason.replace('jackfield: ', '')} (see ${log})`)
    },
    release: nothing,
  }
}

/**
 * @param {string} log
 * @param {import('../installation/installed.mjs').Installation} installation
 * @returns {Runner}
 */
function unitRunner(log, installation) {
  const { places, folders } = installation
  const own = {
    unit: unitText(places, process.execPath, folders),
    program: programText(places, process.execPath),
  }
  /** @param {string} unit */
  const load = async (unit) => {
    writeIfChanged(places.unit, unit, 0o644)
    await systemctl(['daemon-reload'], log)
  }
  return {
    versionAt: (root) => ({
      ...{ root, unit: readFileSync(places.unit, 'utf8'), program: readFileSync(places.program, 'utf8') },
    }),
    requireBuilt: (node) => requireReadable(places.user, [...BUILT, node]),
    async hold() {
      mkdirSync(dirname(DROP_IN), { recursive: true })
      writeFileSync(DROP_IN, '[Service]\nRestart=no\nKillMode=process\nExecStopPost=\n')
      await systemctl(['daemon-reload'], log)
    },
    async start({ unit = own.unit, program = own.program }) {
      await load(unit)
      writeIfChanged(places.program, program, 0o755)
      giveBack(installation) // the unit's user cannot write files that root has created
      await systemctl(['start', 'jackfield.service'], log)
    },
    async release() {
      rmSync(DROP_IN, { force: true })
      await systemctl(['daemon-reload'], log)
    },
  }
}
