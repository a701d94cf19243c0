/**
 * Replaces the master key while everything runs: first both keys are known, then all secrets are sealed with the new one, then
 * the old one is removed. Files and rows record the progress: a repeated run continues it.
 */
import { join } from 'node:path'
import { Failure } from './failure.mjs'
import { exchangeKeys } from './key-exchange.mjs'
import { reasonIn } from './parts/server.mjs'
import { run } from './processes.mjs'
import { secretId } from './secret-id.mjs'
import { newSecret, replaceSecret, secretPath } from './secrets.mjs'
import { renewServers } from './server-secrets.mjs'
import { ROOT } from './settings.mjs'

/** Time for all rows of a large platform. */
const RESEAL_MS = 4 * 3_600_000

/**
 * @param {import('./settings.mjs').Settings} settings of an appliance that is up
 * @param {Record<string, string>} environment of its server
 * @param {(text: string) => void} report
 */
export async function rotateMasterKey(settings, environment, report) {
  report('telling the servers')
  const fresh = await exchangeKeys(join(settings.home, 'secrets'), {
    fresh: () => newSecret('secret-key'),
    confirm: async (keys) => renewServers(settings, { keys: keys.map(keyId) }),
  })
  report('sealing all secrets')
  const { sealed, unreadable } = await reseal(settings.home, environment)
  replaceSecret(secretPath(settings.home, 'secret-key-old'), '')
  await renewServers(settings, { keys: [keyId(fresh)] })
  const lost =
    unreadable > 0 ? `; ${unreadable} were sealed with a key lost before, they must be set again` : ''
  report(`replaced, ${sealed} secrets resealed${lost}`)
}

/** @param {string} key in base64 */
const keyId = (key) => secretId(Buffer.from(key, 'base64'), 'key')

/**
 * @param {string} home
 * @param {Record<string, string>} environment
 * @returns {Promise<{sealed: number, unreadable: number}>}
 */
async function reseal(home, environment) {
  const log = join(home, 'log/secrets.log')
  const { code, output } = await run(process.execPath, [join(ROOT, 'server/dist/src/bin/reseal.js')], {
    ...{ log, cwd: ROOT, deadlineMs: RESEAL_MS, what: 'resealing all secrets' },
    env: { ...process.env, ...environment },
  })
  if (code !== 0) throw new Failure(`${reasonIn(output)} (see ${log}): both keys hold; run this again`)
  return JSON.parse(output.trim().split('\n').at(-1) ?? '')
}
