/** Starts the supervisor of an appliance, and shows the parts as they come up. */
import { spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { chooseSwitch, describeParts } from './appliance.mjs'
import { Failure } from './failure.mjs'
import { requireFreePorts } from './ports.mjs'
import { identify } from './processes.mjs'
import { step } from './progress.mjs'
import { ROOT } from './settings.mjs'
import { readState } from './state.mjs'

/** @typedef {import('./settings.mjs').Settings} Settings */

const START_DEADLINE_MS = 240_000

/**
 * @param {Settings} settings
 * @param {(text: string) => void} report
 * @throws {Failure} naming each port that is taken
 */
export async function requirePorts(settings, report) {
  // ports do not depend on secrets, which are created later
  const none = {
    'operator-token': '',
    'secret-key': '',
    'esl-password': '',
    'rpc-secret': '',
    'db-password': '',
    'kamailio-db-password': '',
  }
  const ports = describeParts(settings, none, chooseSwitch(settings)).flatMap((part) => part.ports)
  await requireFreePorts(ports)
  report('free')
}

/**
 * @param {Settings} settings
 * @param {object} options
 * @param {() => void} options.goOn throws after an interrupt
 * @param {(supervisor: import('./processes.mjs').Identity | null) => void} options.started called at once
 * @throws {Failure} if a part does not come up
 */
export async function startSupervisor(settings, { goOn, started }) {
  const log = openSync(join(settings.home, 'log/supervisor.log'), 'a')
  const child = spawn(process.execPath, [join(ROOT, 'installer/supervisor.mjs')], {
    cwd: ROOT,
    stdio: ['ignore', log, log],
    detached: true,
  })
  closeSync(log)
  child.unref()
  started(child.pid ? identify(child.pid) : null)
  let end = Date.now() + START_DEADLINE_MS
  const own = async () => {
    for (;;) {
      goOn()
      if (Date.now() > end)
        throw new Failure(
          `the appliance did not start within ${START_DEADLINE_MS / 1000} s: see ${settings.home}/log`,
        )
      const state = readState(settings.home)
      if (state && state.supervisor.pid === child.pid) {
        if (state.phase === 'failed' || state.phase === 'left') throw new Failure(state.message)
        // migrations may take hours, and have their own deadline
        if (state.parts.some((part) => part.state === 'preparing')) end = Date.now() + START_DEADLINE_MS
        return state
      }
      if (child.exitCode !== null)
        throw new Failure(`the supervisor ended: see ${join(settings.home, 'log/supervisor.log')}`)
      await sleep(50)
    }
  }
  const first = await own()
  for (const { name, title } of first.parts) {
    await step(title, async (report) => {
      for (;;) {
        const part = (await own()).parts.find((one) => one.name === name)
        if (part?.state === 'up')
          return report(`ready in ${(part.readyMs / 1000).toFixed(1)} s on ${part.ports}`)
        if (child.exitCode !== null)
          throw new Failure(`the supervisor ended: see ${join(settings.home, 'log/supervisor.log')}`)
        report(part?.state ?? '')
        await sleep(50)
      }
    })
  }
  while ((await own()).phase !== 'up') await sleep(50)
}
