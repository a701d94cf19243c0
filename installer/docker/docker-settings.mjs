/** The settings of an appliance in containers: the usual ones, without those that the compose file sets. */
import { randomBytes } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { isIP, isIPv6 } from 'node:net'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { Failure, messageOf } from '../failure.mjs'
import { SETTINGS, environmentName, readSettings } from '../settings.mjs'

/** @typedef {import('../settings.mjs').Settings} Settings */

/** Settings that other containers or volumes determine. */
const DECIDED = /** @type {const} */ (['switch.kind', 'freeswitch.bin', 'media.directory'])

/**
 * @param {NodeJS.ProcessEnv} [environment]
 * @returns {Settings}
 * @throws {Failure} naming each invalid setting, and each that cannot be set in containers
 */
export function dockerSettings(environment = process.env) {
  const settings = readSettings(environment)
  const own = { ...SETTINGS, 'media.directory': { fallback: join(settings.home, 'media') } }
  const chosen = DECIDED.filter((name) => settings[name] !== own[name].fallback)
  if (chosen.length > 0) {
    const names = chosen.map(environmentName).join(', ')
    throw new Failure(
      `${names} cannot be set in containers: docker-compose.yml decides that (docs/install/containers.md)`,
    )
  }
  requireLogin(settings)
  return settings
}

/**
 * An external database has no login that we could create.
 * @param {Settings} settings
 */
function requireLogin(settings) {
  const isOurs = settings['database.own']
  if (isOurs && settings['database.host'] !== SETTINGS['database.host'].fallback)
    throw new Failure(
      'JACKFIELD_DATABASE_HOST is for a database of your own: set JACKFIELD_DATABASE_OWN=false',
    )
  if (!isOurs && settings['database.password'] === '')
    throw new Failure(
      'JACKFIELD_DATABASE_OWN=false needs the login of that database: JACKFIELD_DATABASE_HOST, _PORT, _USER and _PASSWORD (or _PASSWORD_FILE)',
    )
}

/**
 * Determines the listen addresses: an EXTERNAL_IP that this machine does not have is a router's, which forwards to the
 * address that this machine uses towards it.
 * @param {Settings} settings
 * @param {() => string[]} [ownAddresses]
 * @returns {Promise<Settings>}
 * @throws {Failure} if there is none
 */
export async function settleAddresses(settings, ownAddresses = addressesOfThisMachine) {
  const settled = { ...settings }
  for (const part of /** @type {const} */ (['sip', 'rtp'])) {
    const [outside, inside] = [settings[`${part}.host`], settings[`${part}.listen_host`]]
    if (outside !== inside || ownAddresses().includes(outside) || outside.startsWith('127.')) continue
    settled[`${part}.listen_host`] = await addressTowards(outside, environmentName(`${part}.listen_host`))
  }
  return settled
}

/** @returns {string[]} */
function addressesOfThisMachine() {
  return Object.values(networkInterfaces()).flatMap((each) => (each ?? []).map(({ address }) => address))
}

/**
 * The address that this machine would send from. Nothing is sent.
 * @param {string} outside
 * @param {string} setting to set if this fails
 */
async function addressTowards(outside, setting) {
  const socket = createSocket(isIPv6(outside) ? 'udp6' : 'udp4')
  try {
    socket.connect(9, outside)
    await once(socket, 'connect')
    return socket.address().address
  } catch (error) {
    throw new Failure(
      `${outside} is not an address of this machine, and there is no way to it (${messageOf(error)}): set ${setting} to the address that the router sends to`,
    )
  } finally {
    socket.close()
  }
}

/** The Redis of the profile `cluster`. */
export const REDIS_PORT = 6379

/** @param {string} home */
export const redisPasswordPath = (home) => join(home, 'secrets/redis-password')

/** Letters and digits: it is part of a URL. */
export const newRedisPassword = () => randomBytes(24).toString('hex')

/**
 * Whether the Redis of the profile `cluster` is enabled.
 * @param {NodeJS.ProcessEnv} [environment]
 */
export function hasOwnRedis(environment = process.env) {
  const profiles = (environment['COMPOSE_PROFILES'] ?? '').split(',').map((name) => name.trim())
  return profiles.includes('cluster')
}

/**
 * The server's setting for the Redis of the profile `cluster`, if that profile is on and no other Redis is set.
 * @param {Settings} settings
 * @param {NodeJS.ProcessEnv} [environment]
 * @returns {Record<string, string>}
 */
export function redisEnvironment({ home }, environment = process.env) {
  const path = redisPasswordPath(home)
  if (environment['JACKFIELD_REDIS_URL'] || !hasOwnRedis(environment) || !existsSync(path)) return {}
  return { JACKFIELD_REDIS_URL: `redis://:${readFileSync(path, 'utf8').trim()}@127.0.0.1:${REDIS_PORT}` }
}

/**
 * Listen addresses of Redis: servers on other machines reach it at REDIS_LISTEN.
 * @param {NodeJS.ProcessEnv} [environment]
 * @returns {string[]}
 * @throws {Failure}
 */
export function redisAddresses(environment = process.env) {
  const named = environment['REDIS_LISTEN'] ?? ''
  if (named !== '' && !isIP(named)) throw new Failure(`REDIS_LISTEN must be an IP address, not "${named}"`)
  return [...new Set(['127.0.0.1', ...(named ? [named] : [])])]
}
