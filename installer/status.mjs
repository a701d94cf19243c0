/** `npm run status`: live health of each part. The exit code is 0 only if all are well. */
import { chooseSwitch, describeParts } from './appliance.mjs'
import { isAlive } from './processes.mjs'
import { runMain } from './progress.mjs'
import { describeRuntime } from './runtime/choose.mjs'
import { readSecrets } from './secrets.mjs'
import { readSettings } from './settings.mjs'
import { anythingRuns, readState } from './state.mjs'

await runMain(async () => {
  const settings = readSettings()
  const state = readState(settings.home)
  if (!state || !anythingRuns(state)) {
    process.stdout.write('Jackfield is not running: start it with npm run up\n')
    return 1
  }
  const { secrets } = readSecrets(settings.home)
  const parts = describeParts(settings, secrets, chooseSwitch(settings))
  const rows = await Promise.all(
    parts.map(async (part) => {
      const seen = state.parts.find((one) => one.name === part.name)
      const alive = isAlive(seen?.process)
      const { ok, detail } = alive ? await part.check() : { ok: false, detail: seen?.note || 'does not run' }
      return {
        ok,
        cells: [
          part.title,
          ok ? 'up' : seen?.state === 'restarting' ? 'restarting' : 'down',
          alive ? String(seen?.process?.pid) : '-',
          alive && seen ? age(seen.since) : '-',
          String(seen?.restarts ?? 0),
          seen?.ports ?? '',
          ok ? noteOf(part.name, state) : detail,
        ],
      }
    }),
  )
  const supervised = isAlive(state.supervisor)
  print([
    ['part', 'state', 'pid', 'uptime', 'restarts', 'ports', ''],
    [
      'supervisor',
      supervised ? 'up' : 'down',
      supervised ? String(state.supervisor.pid) : '-',
      age(state.startedAt),
      '-',
      '',
      '',
    ],
    ...rows.map((row) => row.cells),
  ])
  return supervised && rows.every((row) => row.ok) ? 0 : 1
})

/**
 * @param {string} name of a part that is well
 * @param {import('./state.mjs').SupervisorState} state
 */
function noteOf(name, { runtime }) {
  return name === 'server' && runtime ? `Node ${describeRuntime(runtime)}` : ''
}

/**
 * @param {string} since ISO time
 * @returns {string} `2h 5m`
 */
function age(since) {
  const seconds = Math.max(0, Math.round((Date.now() - Date.parse(since)) / 1000))
  const [days, hours, minutes] = [
    Math.floor(seconds / 86400),
    Math.floor(seconds / 3600) % 24,
    Math.floor(seconds / 60) % 60,
  ]
  if (days > 0) return `${days}d ${hours}h`
  if (hours > 0) return `${hours}h ${minutes}m`
  return minutes > 0 ? `${minutes}m ${seconds % 60}s` : `${seconds}s`
}

/** @param {string[][]} rows the first is the heading */
function print(rows) {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? []
  for (const row of rows) {
    process.stdout.write(
      `${row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd()}\n`,
    )
  }
}
