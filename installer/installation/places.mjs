/** Paths of an installation. */
import { join } from 'node:path'
import { ROOT } from '../settings.mjs'

/**
 * @typedef {object} Places
 * @property {string} user system user that everything runs as
 * @property {string} config the settings file
 * @property {string} state all data
 * @property {string} unit the systemd unit
 * @property {string} program the `jackfield` command
 * @property {string} link the checkout's own `var`, which leads to the state
 */

/**
 * @param {{user: string, 'config-directory': string, 'state-directory': string, 'unit-directory': string, 'program-directory': string}} chosen
 * @returns {Places}
 */
export function placesOf(chosen) {
  return {
    user: chosen.user,
    config: join(chosen['config-directory'], 'config.json'),
    state: chosen['state-directory'],
    unit: join(chosen['unit-directory'], 'jackfield.service'),
    program: join(chosen['program-directory'], 'jackfield'),
    link: join(ROOT, 'var'),
  }
}
