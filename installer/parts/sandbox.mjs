/** The sandbox as a part of the appliance: a simulated switch, for machines without FreeSWITCH. */
import { mkdirSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { eslApi } from '../esl.mjs'
import { messageOf } from '../failure.mjs'
import { ROOT } from '../settings.mjs'
import { until } from '../waiting.mjs'

/**
 * @typedef {object} SandboxOptions
 * @property {string} [eslHost] address of its Event Socket [127.0.0.1]
 * @property {number} eslPort
 * @property {string} eslPassword
 * @property {string} directory where its journal of ended channels goes
 * @property {number} smppPort of its SMSC, on 127.0.0.1
 * @property {string} [edgeHost] Kamailio’s private address, from which simulated calls come in [127.0.0.2]
 */

/**
 * @param {Pick<SandboxOptions, 'directory'>} options
 * @returns {string} path of the journal of ended channels
 */
export function sandboxJournal({ directory }) {
  return join(directory, 'ended.csv')
}

/**
 * @param {SandboxOptions & {node: string}} options `node`: the program that runs it
 * @returns {Promise<import('./freeswitch.mjs').Command>}
 */
export async function prepareSandbox(options) {
  mkdirSync(options.directory, { recursive: true, mode: 0o750 })
  return {
    command: options.node,
    args: [join(ROOT, 'server/dist/src/sandbox/main.js')],
    env: {
      JACKFIELD_SWITCH_HOST: options.eslHost ?? '127.0.0.1',
      JACKFIELD_SWITCH_PORT: String(options.eslPort),
      JACKFIELD_SWITCH_PASSWORD: options.eslPassword,
      JACKFIELD_SWITCH_JOURNAL: sandboxJournal(options),
      JACKFIELD_SANDBOX_SMPP_PORT: String(options.smppPort),
      ...(options.edgeHost && { JACKFIELD_EDGE_SIP_HOST: options.edgeHost }),
    },
  }
}

/**
 * Waits until the sandbox accepts commands.
 * @param {SandboxOptions} options
 * @param {number} deadlineMs
 * @param {() => string | undefined} [giveUp] reason to stop waiting at once
 */
export async function sandboxReady(options, deadlineMs, giveUp) {
  await until(() => status(options), {
    deadlineMs,
    what: 'the sandbox being ready',
    ...(giveUp ? { giveUp } : {}),
  })
}

/**
 * Health check of the sandbox.
 * @param {SandboxOptions} options
 * @returns {Promise<{ok: boolean, detail: string}>}
 */
export async function checkSandbox(options) {
  try {
    await status(options)
    return { ok: true, detail: `Event Socket ${options.eslPort}` }
  } catch (error) {
    return { ok: false, detail: messageOf(error) }
  }
}

const JOURNAL_MOST_BYTES = 64e6

/**
 * Rotates the journal and keeps one old file.
 * @param {SandboxOptions} options
 */
export async function tidySandbox(options) {
  const journal = sandboxJournal(options)
  if ((statSync(journal, { throwIfNoEntry: false })?.size ?? 0) > JOURNAL_MOST_BYTES) {
    renameSync(journal, `${journal}.1`)
  }
}

/** @param {SandboxOptions} options */
function status({ eslHost, eslPort, eslPassword }) {
  return eslApi({ host: eslHost ?? '127.0.0.1', port: eslPort, password: eslPassword }, 'status')
}
