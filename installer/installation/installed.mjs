/** What is known of an installation, for the programs that change its version or its state. */
import { existsSync, lstatSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Failure } from '../failure.mjs'
import { writeJson } from '../state.mjs'
import { ROOT } from '../settings.mjs'
import { linkSettings, takeState } from './files.mjs'
import { readSettingsFile, writeSettingsFile } from './settings-file.mjs'
import { giveTo, userNamed } from './system-user.mjs'

/**
 * @typedef {import('./places.mjs').Places} Places
 *
 * @typedef {object} Installation
 * @property {Places} places
 * @property {readonly string[]} folders of state outside of the home
 */

const NAME = 'installation.json'

/**
 * Beside the settings, where only root writes: root will do what it says.
 * @param {Places} places
 * @param {readonly string[]} folders
 */
export function writeInstallation(places, folders) {
  writeJson(join(dirname(places.config), NAME), { places, folders })
}

/**
 * @param {string} configDirectory
 * @returns {Installation | null}
 */
function installationOf(configDirectory) {
  const path = join(configDirectory, NAME)
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : null
}

/**
 * Makes the state of an installation that of this checkout, which is new beside the one that it runs from.
 * @param {string} configDirectory
 * @throws {Failure} when this checkout has a state of its own
 */
export function joinInstallation(configDirectory) {
  const found = installationOf(configDirectory)
  if (found && !process.env['JACKFIELD_HOME']) takeState({ ...found.places, link: join(ROOT, 'var') })
}

/**
 * @param {string} home
 * @param {string} configDirectory
 * @returns {Installation | null} null where the programs of a checkout run the appliance, and not systemd
 * @throws {Failure} when it was installed, and that folder says nothing of it
 */
export function readInstallation(home, configDirectory) {
  if (!existsSync(home) || statSync(home).uid === 0) return null
  const found = installationOf(configDirectory)
  if (found && realpathSync(found.places.state) === realpathSync(home)) return found
  throw new Failure(
    `${home} is that of an installation, of which ${join(configDirectory, NAME)} says nothing: name its --config-directory, or run npm run setup in its checkout`,
  )
}

/**
 * What root has written becomes the system user's, but for the settings, which only root may change.
 * @param {Installation | null} installation
 * @throws {Failure} when its user is gone
 */
export function giveBack(installation) {
  if (!installation) return
  const { places, folders } = installation
  const owner = userNamed(places.user)
  if (!owner) throw new Failure(`the user ${places.user} is gone: run npm run setup, which makes it`)
  const kept = join(places.state, 'config.json')
  if (lstatSync(kept, { throwIfNoEntry: false })?.isFile()) {
    // of a backup that was restored; the state may lie on another disk than the settings
    writeSettingsFile(places.config, readSettingsFile(kept), owner.gid)
    linkSettings(places)
  }
  for (const folder of [places.state, ...folders]) if (existsSync(folder)) giveTo(folder, owner)
}
