/** Telling the servers of new secrets, and seeing that they have taken them. Calls and requests hear nothing of it. */
import { readFileSync } from 'node:fs'
import { Failure } from './failure.mjs'
import { get } from './parts/server.mjs'
import { isAlive, signal } from './processes.mjs'
import { secretPath } from './secrets.mjs'
import { readState } from './state.mjs'
import { until } from './waiting.mjs'

const DEADLINE_MS = 60_000

/**
 * @param {import('./settings.mjs').Settings} settings
 * @param {{keys?: string[], refused?: string}} wanted ids of the master keys that every server is to know, the current
 *   one first; an operator's token that is to be refused
 * @throws {Failure} naming a server that has not taken them
 */
export async function renewServers(settings, { keys, refused }) {
  const target = { host: settings['http.host'], port: settings['http.port'] }
  /** @param {string} token */
  const ask = (token) =>
    get(target, '/api/v1/operator/status', {
      host: `admin.${settings['base_domain']}`,
      authorization: `Operator ${token}`,
    })
  const server = () => readState(settings.home)?.parts.find(({ name }) => name === 'server')?.process
  await until(
    async () => {
      const process = server()
      // Again and again, but to one that serves only: it would end one that is just starting.
      if ((await get(target, '/health/live', {})).status !== 200) throw new Error('it does not serve')
      if (process && isAlive(process)) signal(process.pid, 'SIGHUP')
      const token = readFileSync(secretPath(settings.home, 'operator-token'), 'utf8').trim()
      const { status, body } = await ask(token)
      if (status !== 200) throw new Error(`it answers ${status}`)
      /** @type {{servers: {id: string, facts: {host: string, secret_keys: string[]} | null}[], redis: {state: string}}} */
      const { servers, redis } = JSON.parse(body)
      if (redis.state === 'down') throw new Error('Redis is down, so that other servers are not heard of')
      const late = servers.find(({ facts }) => keys && facts?.secret_keys.join() !== keys.join())
      if (late) throw new Error(`the server on ${late.facts?.host ?? late.id} knows other keys`)
      if (refused && (await ask(refused)).status === 200) throw new Error('it takes the old token')
    },
    { deadlineMs: DEADLINE_MS, pauseMs: 300, what: 'the servers taking the new secret' },
  ).catch((error) => {
    throw new Failure(`${error.message}: see docs/secrets.md, and run this again`)
  })
}
