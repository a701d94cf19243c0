/** A temporary MariaDB beside the appliance’s. */
import { spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '../failure.mjs'
import { mariadbOptions } from '../part-options.mjs'
import { mariadbReady, prepareMariadb } from '../parts/mariadb.mjs'
import { identify, stop } from '../processes.mjs'
import { STOP_GRACE_MS } from '../state.mjs'

const READY_MS = 60_000

/**
 * @template T
 * @param {import('../settings.mjs').Settings} settings
 * @param {{folder: string, secrets: import('../secrets.mjs').Secrets}} where its folder and passwords
 * @param {() => Promise<T>} work while it runs on the port of the settings
 * @returns {Promise<T>} once it is stopped and everything is on disk
 */
export async function withMariadb(settings, { folder, secrets }, work) {
  const options = { ...mariadbOptions(settings, secrets), directory: folder }
  const { command, args } = await prepareMariadb(options)
  const log = join(settings.home, 'log/restore.log')
  const file = openSync(log, 'a')
  const child = spawn(command, args, { stdio: ['ignore', file, file], detached: true })
  closeSync(file)
  let ended = ''
  child.on('error', (error) => (ended = `MariaDB cannot be started: ${error.message}`))
  child.on('exit', (code, signal) => (ended = `MariaDB ended with ${code ?? signal}: see ${log}`))
  const identity = child.pid ? identify(child.pid) : null
  try {
    await mariadbReady(options, READY_MS, () => ended || undefined)
    const result = await work()
    const how = await stop(identity, STOP_GRACE_MS.mariadb)
    if (how !== 'stopped') throw new Failure(`MariaDB could not be stopped in order (${how}): see ${log}`)
    return result
  } finally {
    await stop(identity, STOP_GRACE_MS.mariadb)
  }
}
