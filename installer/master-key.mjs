/**
 * Another master key, while everything runs: both keys are known, then all secrets are sealed with the new one, then
 * the old one is forgotten. Files and rows tell how far it is: run again, it goes on from there.
 */
import { hkdfSync } from 'node:crypto'
import { join } from 'node:path'
import { chooseSwitch } from './appliance.mjs'
import { Failure } from './failure.mjs'
import { exchangeKeys } from './key-exchange.mjs'
import { reasonIn } from './parts/server.mjs'
import { run } from './processes.mjs'
import { newSecret, replaceSecret, secretPath } from './secrets.mjs'
import { renewServers } from './server-secrets.mjs'
import { ROOT } from './settings.mjs'
import { readState } from './state.mjs'
import { serverEnvironment, switchJournal } from './part-options.mjs'

/** All rows of a large platform. */
const RESEAL_MS = 4 * 3_600_000

/**
 * @param {import('./settings.mjs').Settings} settings
 * @param {(text: string) => void} report
 */
export async function rotateMasterKey(settings, report) {
  if (readState(settings.home)?.phase !== 'up')
    throw new Failure('the appliance must be up, as its database is needed: npm run up')
  report('telling the servers')
  const fresh = await exchangeKeys(join(settings.home, 'secrets'), {
    fresh: () => newSecret('secret-key'),
    confirm: async (keys) => renewServers(settings, { keys: keys.map(keyId) }),
  })
  report('sealing all secrets')
  const { sealed, unreadable } = await reseal(settings)
  replaceSecret(secretPath(settings.home, 'secret-key-old'), '')
  await renewServers(settings, { keys: [keyId(fresh)] })
  const lost =
    unreadable > 0 ? `; ${unreadable} were sealed with a key lost before, they must be set anew` : ''
  report(`replaced, ${sealed} secrets sealed anew${lost}`)
}

/** As the server names its keys (server/src/database/keyring.ts). @param {string} key in base64 */
function keyId(key) {
  return Buffer.from(hkdfSync('sha256', Buffer.from(key, 'base64'), '', 'jackfield key id', 4)).toString(
    'hex',
  )
}

/**
 * @param {import('./settings.mjs').Settings} settings
 * @returns {Promise<{sealed: number, unreadable: number}>}
 */
async function reseal(settings) {
  const log = join(settings.home, 'log/secrets.log')
  const { code, output } = await run(process.execPath, [join(ROOT, 'server/dist/src/reseal.js')], {
    ...{ log, cwd: ROOT, deadlineMs: RESEAL_MS, what: 'sealing all secrets anew' },
    env: { ...process.env, ...serverEnvironment(settings, switchJournal(settings, chooseSwitch(settings))) },
  })
  if (code !== 0) throw new Failure(`${reasonIn(output)} (see ${log}): both keys hold; run this again`)
  return JSON.parse(output.trim().split('\n').at(-1) ?? '')
}
