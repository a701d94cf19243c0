/** Tells systemd that a unit of Type=notify is ready: `systemctl start` waits for it. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const DEADLINE_MS = 10_000

/**
 * Takes the socket out of the environment, which parts inherit: MariaDB would say that all is ready when only it is.
 * @returns {() => Promise<void>} says that all is up; does nothing where systemd did not start this process
 */
export function systemdNotifier() {
  const socket = process.env['NOTIFY_SOCKET']
  delete process.env['NOTIFY_SOCKET']
  return async () => {
    if (!socket) return
    await promisify(execFile)('systemd-notify', ['--ready', '--status=all parts are up'], {
      env: { ...process.env, NOTIFY_SOCKET: socket },
      timeout: DEADLINE_MS,
    })
  }
}
