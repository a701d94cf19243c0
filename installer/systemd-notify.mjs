/** Notifies systemd that a unit of Type=notify is ready: `systemctl start` waits for it. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const DEADLINE_MS = 10_000

/**
 * Removes the socket from the environment, which parts inherit: MariaDB would report readiness when only it is ready.
 * @returns {() => Promise<void>} notifies systemd; does nothing if systemd did not start this process
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
