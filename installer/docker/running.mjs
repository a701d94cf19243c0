/** Whether the containers of this appliance run, as the ports on the host's network tell. */
import { Failure } from '../failure.mjs'
import { socketsOn } from '../ports.mjs'
import { environmentName } from '../settings.mjs'

/** @typedef {import('../settings.mjs').Settings} Settings */

/** TCP ports that the parts hold, each from its start on. */
const HELD = /** @type {const} */ (['database.port', 'http.port', 'switch.port', 'edge.rpc_port'])

/**
 * @param {Settings} settings
 * @throws {Failure} when a part runs, or anything else is on its port
 */
export function requireStopped(settings) {
  const held = HELD.filter((name) => socketsOn({ protocol: 'tcp', port: settings[name] }).length > 0)
  if (held.length > 0)
    throw new Failure(
      `the appliance runs, or another program listens on ${held.map((name) => `TCP port ${settings[name]} (${environmentName(name)})`).join(', ')}: docker compose stop first`,
    )
}

/**
 * Whether a server of ours has the API's port: its user is the one that all containers run as.
 * @param {Settings} settings
 */
export function serverRuns(settings) {
  const sockets = socketsOn({ protocol: 'tcp', port: settings['http.port'] })
  return sockets.length > 0 && sockets.every(({ uid }) => uid === process.getuid?.())
}
