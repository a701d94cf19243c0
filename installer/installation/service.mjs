/** Controls the systemd unit. */
import { existsSync } from 'node:fs'
import { Failure } from '../failure.mjs'
import { run } from '../processes.mjs'

const START_MS = 5 * 3_600_000

/**
 * Whether systemd runs this machine (sd_booted(3)); in a container, or while an image is built, it does not.
 * @returns {boolean}
 */
export function runsSystemd() {
  return existsSync('/run/systemd/system')
}

/**
 * @param {string[]} args
 * @param {string} log
 * @throws {Failure} with the message of systemctl
 */
export async function systemctl(args, log) {
  const what = `systemctl ${args.join(' ')}`
  const { code, output } = await run('systemctl', args, { log, deadlineMs: START_MS, what })
  if (code !== 0) {
    const said = output.trim().split('\n').slice(0, 2).join(' ') || `exit code ${code}`
    throw new Failure(`${what} fails: ${said} (see journalctl -u jackfield)`)
  }
}
