/** Notifies the servers of new secrets, and checks that they use them. Calls and requests are not affected. */
import { readFileSync } from 'node:fs'
import { Failure } from './failure.mjs'
import { get } from './parts/server.mjs'
import { isAlive, signal } from './processes.mjs'
import { secretId } from './secret-id.mjs'
import { secretPath } from './secrets.mjs'
import { readState } from './state.mjs'
import { until } from './waiting.mjs'

const DEADLINE_MS = 60_000

/**
 * @typedef {import('./settings.mjs').Settings} Settings
 *
 * @typedef {object} Server as another server reports it; without facts if it does not answer
 * @property {string} id
 * @property {{host: string, secret_keys: string[], operator_token_id: string} | null} facts
 */

/**
 * @param {Settings} settings
 * @param {{keys: string[]} | 'operator-token'} wanted ids of the master keys that every server must have, the current one
 *   first; or that each accepts the operator's token on this machine, and no other
 * @throws {Failure} naming the servers that do not use them
 */
export async function renewServers(settings, wanted) {
  await until(
    async () => {
      // Repeatedly, but only to a server that serves: the signal would end one that is just starting.
      if ((await get(addressOf(settings), '/health/live', {})).status !== 200)
        throw new Error('it does not serve')
      const process = readState(settings.home)?.parts.find(({ name }) => name === 'server')?.process
      if (process && isAlive(process)) signal(process.pid, 'SIGHUP')
      const servers = await serversOf(settings)
      if (!servers) throw new Error('it does not take the new token')
      const late = servers.filter(({ facts }) =>
        wanted === 'operator-token'
          ? facts?.operator_token_id !== tokenIdOf(settings)
          : facts?.secret_keys.join() !== wanted.keys.join(),
      )
      const what = wanted === 'operator-token' ? 'another operator’s token is taken' : 'other keys are known'
      if (late.length > 0) throw new Error(`${what} by the servers on ${namesOf(late)}`)
    },
    { deadlineMs: DEADLINE_MS, pauseMs: 300, what: 'the servers taking the new secret' },
  ).catch((error) => {
    throw new Failure(`${error.message}: see docs/operate/secrets.md, and run this again`)
  })
}

/**
 * @param {Settings} settings
 * @returns {Promise<Server[] | null>} all known servers; null if ours refuses the token on this machine
 */
async function serversOf(settings) {
  const { status, body } = await ask(settings, tokenOf(settings))
  if (status === 401) return null
  if (status !== 200) throw new Error(`it answers ${status}`)
  /** @type {{servers: Server[], redis: {state: string}}} */
  const { servers, redis } = JSON.parse(body)
  if (redis.state === 'down') throw new Error('Redis is down, so that other servers are not heard of')
  return servers
}

/** @param {Settings} settings @param {string} token */
function ask(settings, token) {
  return get(addressOf(settings), '/api/v1/operator/status', {
    host: `admin.${settings['base_domain']}`,
    authorization: `Operator ${token}`,
  })
}

/** @param {Settings} settings */
const addressOf = (settings) => ({ host: settings['http.host'], port: settings['http.port'] })

/** @param {Settings} settings */
const tokenOf = (settings) => readFileSync(secretPath(settings.home, 'operator-token'), 'utf8').trim()

/** @param {Settings} settings */
const tokenIdOf = (settings) => secretId(tokenOf(settings), 'operator token')

/** @param {Server[]} servers */
const namesOf = (servers) => servers.map(({ id, facts }) => facts?.host ?? id).join(', ')
