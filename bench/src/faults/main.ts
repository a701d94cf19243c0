/**
 * The fault table: each part of an appliance killed, stopped, cut off or filled up in the middle of traffic. Writes
 * docs/reference/faults.md. Arguments: names of rows [all], `--rate` calls a second [20], `--list`. It needs root, nftables and loop
 * devices. Exit code 1 when something that was accepted is lost, or when it is not well again.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { machine, printTable, say } from '../figures.js'
import { describeCommit } from '../page/result.js'
import { faults } from './faults.js'
import { keep } from './page.js'
import { type Row, failed, measure } from './row.js'
import { type World, startWorld, stopWorld } from './world.js'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rate: { type: 'string', default: '20' }, list: { type: 'boolean', default: false } },
})
const names = faults.map(({ name }) => name)
const rate = Number(values.rate)

/** Of all that a row waits for, each with a time of its own, more than there should be. */
const rowMs = 420_000

function refuse(why: string): never {
  process.stderr.write(`${why}\n`)
  process.exit(2)
}

if (values.list) {
  printTable(
    ['name', 'part', 'fault'],
    faults.map(({ name, part, what }) => [name, part, what]),
  )
  process.exit()
}
if (!(rate > 0 && rate <= 100)) refuse('--rate takes calls a second, up to 100')
const unknown = positionals.filter((name) => !names.includes(name))
if (unknown.length > 0) refuse(`no row is named ${unknown.join(' or ')}; there are ${names.join(', ')}`)
if (process.getuid?.() !== 0) refuse('faults are made with nftables and mounts, which only root may do')

const chosen = positionals.length > 0 ? faults.filter(({ name }) => positionals.includes(name)) : faults
say(`${machine()}; ${chosen.length} rows at ${rate} calls a second`)
const commit = describeCommit()
const rows: Row[] = []
let world: World | undefined
for (const [index, fault] of chosen.entries()) {
  let row: Row
  try {
    world ??= await startWorld()
    row = await within(rowMs, measure(world, fault, index, rate))
  } catch (error) {
    row = failed(fault, error)
  }
  rows.push(row)
  try {
    keep(rows, { rate, commit }, names)
  } catch (error) {
    say(`  the page cannot be written: ${String(error)}`) // the next row tries again
  }
  say(`${row.name}: ${row.tookSeconds} s; ${[...row.notes, JSON.stringify(row.failures)].join('; ')}`)
  for (const one of row.lost?.slice(0, 20) ?? []) say(`  LOST ${one}`)
  if (row.lost && row.lost.length > 20) say(`  and ${row.lost.length - 20} more`)
  // The next fault finds an appliance that is well.
  if (isWell(row) || !world) continue
  await stopWorld(world)
  world = undefined
}
if (world) await stopWorld(world)
say()
printTable(
  ['row', 'calls', 'refused', 'cut', 'requests', 'failed', 'recovery s', 'lost', 'took s'],
  rows.map((row) => [
    ...[row.name, row.calls, row.refused, row.cut, row.requests, row.requestsFailed].map(String),
    ...[row.recoverySeconds ?? 'never', row.lost?.length ?? 'unknown', row.tookSeconds].map(String),
  ]),
)
process.exit(rows.every((row) => isWell(row) && row.lost?.length === 0) ? 0 : 1)

/** @throws when it takes longer; what it still does then fails with the appliance, which is ended */
async function within<T>(ms: number, doing: Promise<T>): Promise<T> {
  const late = new AbortController()
  doing.catch(() => undefined).finally(() => late.abort())
  const tooLate = sleep(ms, undefined, { signal: late.signal }).then(() => {
    throw new Error(`it took longer than ${ms / 1000} s`)
  })
  return Promise.race([doing, tooLate])
}

/** Whether the appliance came back, and could be asked. */
function isWell({ recoverySeconds, lost }: Row): boolean {
  return recoverySeconds !== null && lost !== null
}
