/** Data of an installation, for programs that change its version or its state. */
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
 * Beside the settings, where only root can write: root executes it.
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
 * Gives this new checkout the state of an installation, besides the checkout that the installation runs from.
 * @param {string} configDirectory
 * @throws {Failure} if this checkout has its own state
 */
export function joinInstallation(configDirectory) {
  const found = installationOf(configDirectory)
  if (found && !process.env['JACKFIELD_HOME']) takeState({ ...found.places, link: join(ROOT, 'var') })
}

/**
 * @param {string} home
 * @param {string} configDirectory
 * @returns {Installation | null} null if the appliance runs from a checkout, without systemd
 * @throws {Failure} if it was installed, but that folder has no record of it
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
 * Gives files that root has created to the system user, except for the settings, which only root may change.
 * @param {Installation | null} installation
 * @throws {Failure} if its user does not exist
 */
export function giveBack(installation) {
  if (!installation) return
  const { places, folders } = installation
  const owner = userNamed(places.user)
  if (!owner) throw new Failure(`the user ${places.user} is gone: run npm run setup, which makes it`)
  const kept = join(places.state, 'config.json')
  if (lstatSync(kept, { throwIfNoEntry: false })?.isFile()) {
    // from a restored backup; the state may be on another disk than the settings
    writeSettingsFile(places.config, readSettingsFile(kept), owner.gid)
    linkSettings(places)
  }
  for (const folder of [places.state, ...folders]) if (existsSync(folder)) giveTo(folder, owner)
}
