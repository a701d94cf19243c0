/**
 * Hostile and ordinary TLS clients at once, for five minutes: Kamailio must live, every phone must register every
 * time, and neither memory nor log may grow without end. Exit code 1 when that fails.
 * Settings: BENCH_SECONDS [300], BENCH_PHONES [30].
 */
import { EdgeWorld } from '../../../server/dist/test/edge/accounts.js'
import { stopSharedMariadb } from '../../../server/dist/test/support/mariadb.js'
import { tlsStorm } from '../../../server/dist/test/support/tls-storm.js'
import { processesWith, residentMb } from '../cpu.js'
import { machine, printTable, say, printFigure } from '../figures.js'

const seconds = Number(process.env['BENCH_SECONDS'] ?? 300)
const phones = Number(process.env['BENCH_PHONES'] ?? 30)
const parts = 5

say(machine())
const world = await EdgeWorld.start({ workers: 4 })
let failed = false
try {
  const accounts = await Promise.all(Array.from({ length: phones }, async () => world.account()))
  const pids = await processesWith(world.edge.options.directory)
  const rows: string[][] = []
  let lost = 0
  for (let part = 0; part < parts && !failed; part++) {
    const { connections, registrations, failures } = await tlsStorm(
      world.edge,
      accounts,
      (seconds * 1000) / parts,
    )
    const memory = await Promise.all(pids.map(async (pid) => residentMb(pid).catch(() => 0)))
    const { used } = (await world.edge.rpc('core.shmmem')) as { used: number }
    rows.push([
      `${(part * seconds) / parts}-${((part + 1) * seconds) / parts} s`,
      String(connections),
      String(registrations),
      String(failures.length),
      Math.max(...memory).toFixed(0),
      (used / 1e6).toFixed(1),
    ])
    for (const failure of new Set(failures)) say(failure)
    lost += failures.length
    failed = failures.length > 0 || world.edge.obituary !== undefined
  }
  printTable(['', 'hostile', 'registered', 'failed', 'largest process MB', 'shared MB'], rows)
  printFigure('registrations that failed under attack on TLS', lost, { atMost: 0 }, 0)
  if (/CRITICAL|BUG/.test(world.edge.log)) {
    failed = true
    say(world.edge.log.split('\n').find((line) => /CRITICAL|BUG/.test(line)))
  }
} finally {
  await world.stop().catch((error: unknown) => {
    failed = true
    say(String(error))
  })
  await stopSharedMariadb()
}
say(failed ? 'failed' : 'Kamailio lives, and every phone registered every time')
process.exit(failed ? 1 : 0)
