/** Whether the appliance's containers run, judged by ports on the host's network. */
import { Failure } from '../failure.mjs'
import { socketsOn } from '../ports.mjs'
import { environmentName } from '../settings.mjs'
import { REDIS_PORT, hasOwnRedis } from './docker-settings.mjs'

/** @typedef {import('../settings.mjs').Settings} Settings */

/** TCP ports of the parts, each bound from its start on. */
const HELD = /** @type {const} */ (['http.port', 'switch.port', 'edge.rpc_port'])

/** @param {Settings} settings @returns {[port: number, name: string][]} */
function heldPorts(settings) {
  const names = [...HELD, ...(settings['database.own'] ? /** @type {const} */ (['database.port']) : [])]
  return [
    ...names.map((name) => /** @type {[number, string]} */ ([settings[name], environmentName(name)])),
    ...(hasOwnRedis() ? [/** @type {[number, string]} */ ([REDIS_PORT, 'Redis'])] : []),
  ]
}

/**
 * @param {Settings} settings
 * @throws {Failure} if a part runs, or anything else holds its port
 */
export function requireStopped(settings) {
  const held = heldPorts(settings).filter(([port]) => socketsOn({ protocol: 'tcp', port }).length > 0)
  if (held.length > 0)
    throw new Failure(
      `the appliance runs, or another program listens on ${held.map(([port, name]) => `TCP port ${port} (${name})`).join(', ')}: docker compose stop first`,
    )
}

/**
 * Whether our server holds the API's port: its user is the one that all containers run as.
 * @param {Settings} settings
 */
export function serverRuns(settings) {
  const sockets = socketsOn({ protocol: 'tcp', port: settings['http.port'] })
  return sockets.length > 0 && sockets.every(({ uid }) => uid === process.getuid?.())
}
