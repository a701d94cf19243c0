/**
 * The service `setup`, which completes before all others start: creates the secrets, and writes each part's configuration
 * into the volume that the part mounts. A part gets only its own secrets.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describeAppliance } from '../appliance-file.mjs'
import { CONFIGURED } from '../backups/places.mjs'
import { finishSwap } from '../backups/swap.mjs'
import { inForce } from '../certificates/in-force.mjs'
import { freeswitchOptions, kamailioOptions, mariadbOptions } from '../part-options.mjs'
import { OPTIONAL_MODULES, REQUIRED_MODULES, writeFreeswitch } from '../parts/freeswitch.mjs'
import { writeKamailio } from '../parts/kamailio.mjs'
import { writeMariadb } from '../parts/mariadb.mjs'
import { runMain } from '../progress.mjs'
import { keptSecret, readSecrets } from '../secrets.mjs'
import { appliancePath, writeJson } from '../state.mjs'
import { certificateKeeper } from './certificate-keeper.mjs'
import {
  REDIS_PORT,
  dockerSettings,
  newRedisPassword,
  redisAddresses,
  redisPasswordPath,
  settleAddresses,
} from './docker-settings.mjs'
import { takeMissing } from './given-secrets.mjs'
import {
  freeswitchScripts,
  idleScripts,
  kamailioScripts,
  mariadbScripts,
  redisScripts,
} from './start-scripts.mjs'

/** Folders of start scripts. */
const CONFIGURATION = ['', 'conf', 'roles', 'tls']

await runMain(async () => {
  const settings = await settleAddresses(dockerSettings())
  const addresses = redisAddresses()
  if (finishSwap(settings.home)) say('a restore that was cut short: finished')
  takeGiven(settings.home, process.env['GIVEN_SECRETS'] ?? '')
  const { secrets, made } = readSecrets(settings.home)
  const redis = keptSecret(redisPasswordPath(settings.home), newRedisPassword)
  say(made + Number(redis.isNew) > 0 ? `secrets: ${made + Number(redis.isNew)} made` : 'secrets: kept')
  await write(settings.home, 'mariadb', async () => {
    const options = mariadbOptions(settings, secrets)
    if (!settings['database.own']) return idleScripts(options.directory)
    mariadbScripts(options, writeMariadb(options).config)
  })
  await write(settings.home, 'kamailio', async () => {
    const options = kamailioOptions(settings, secrets)
    // the service `certificates` installs later ones and reloads Kamailio
    if (!existsSync(inForce(settings.home).certificate)) certificateKeeper(settings).prepare()
    await writeKamailio(options)
    kamailioScripts(options)
  })
  await write(settings.home, 'freeswitch', async () => {
    const options = freeswitchOptions(settings, secrets)
    writeFreeswitch(options, [...REQUIRED_MODULES, ...OPTIONAL_MODULES])
    freeswitchScripts(options)
  })
  await write(settings.home, 'redis', async (directory) => {
    redisScripts({ directory, password: redis.secret, port: REDIS_PORT, addresses })
  })
  writeJson(appliancePath(settings.home), describeAppliance(settings, 'freeswitch'))
  const listens = settings['sip.listen_host']
  const behind = listens === settings['sip.host'] ? '' : `, listening on ${listens} behind a router`
  say(`carriers and phones reach ${settings['sip.host']}:${settings['sip.port']}${behind}`)
  return 0
})

/**
 * @param {string} home
 * @param {string} folder '' for none
 */
function takeGiven(home, folder) {
  const { taken, refused } = takeMissing(home, folder)
  if (taken.length > 0) say(`secrets: ${taken.join(', ')} taken from ${folder}`)
  if (refused.length > 0)
    say(`secrets: another ${refused.join(', ')} lies in ${folder}; ours stays, until: tools take-secrets`)
}

/**
 * Writes a part's files, and reports whether the part has to be restarted for them.
 * @param {string} home
 * @param {string} service
 * @param {(directory: string) => Promise<void>} work
 */
async function write(home, service, work) {
  const directory = join(home, service)
  mkdirSync(directory, { recursive: true, mode: 0o750 })
  const before = contents(directory)
  await work(directory)
  // the part's container waits for this: docker-compose.yml
  writeFileSync(join(directory, CONFIGURED), process.env[`${service.toUpperCase()}_SETTINGS`] ?? '')
  const change = contents(directory) === before ? 'kept' : before === '' ? 'made' : 'changed'
  const then =
    change === 'changed'
      ? `, effective at its next start (docker compose restart ${service}, unless it is being recreated now)`
      : ''
  say(`${service}: configuration ${change}${then}`)
}

/**
 * @param {string} directory
 * @returns {string} '' if there is none yet
 */
function contents(directory) {
  if (!existsSync(join(directory, 'start'))) return ''
  const hash = createHash('sha256')
  for (const folder of CONFIGURATION.map((name) => join(directory, name))) {
    if (!existsSync(folder)) continue
    for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) =>
      a.name < b.name ? -1 : 1,
    )) {
      if (!entry.isFile() || /\.(sock|pid|log)$/.test(entry.name)) continue
      hash.update(`${folder}/${entry.name}\n`).update(readFileSync(join(folder, entry.name)))
    }
  }
  return hash.digest('hex')
}

/** @param {string} text */
function say(text) {
  process.stdout.write(`${text}\n`)
}
