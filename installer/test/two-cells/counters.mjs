/** What two cells and what they share have done so far: statements, bytes, messages, processor time. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { groupOf } from '../../processes.mjs'
import { addressOf } from './machines.mjs'
import { password } from './data-machine.mjs'

/** @typedef {Record<string, number>} Counters */

const OF_MARIADB = [
  'Questions',
  'Com_commit',
  'Innodb_rows_inserted',
  'Innodb_rows_updated',
  'Innodb_rows_deleted',
]
OF_MARIADB.push('Innodb_os_log_written', 'Bytes_sent', 'Bytes_received')

const OF_REDIS = ['total_commands_processed', 'total_net_input_bytes', 'total_net_output_bytes']

/** Milliseconds of a clock tick of /proc (USER_HZ). */
const TICK_MS = 10

/**
 * Reads them all; processor time is in milliseconds.
 * @param {import('./cells.mjs').TwoCells} cells
 * @returns {Counters}
 */
export function readCounters(cells) {
  const onData = (/** @type {string[]} */ ...command) => {
    const [program = '', ...args] = [...cells.machines.on('data'), ...command]
    return execFileSync(program, args, { encoding: 'utf8' })
  }
  const address = addressOf('inner', 10)
  const status = onData(
    ...['mariadb', '--socket', join(cells.directory, address, 'socket'), '-N', '-e', 'SHOW GLOBAL STATUS'],
  )
  const info = onData('redis-cli', '-h', address, '--no-auth-warning', '-a', password, 'info')
  return {
    ...picked(OF_MARIADB, status, /\t/),
    ...picked(OF_REDIS, info, /:/),
    ...Object.fromEntries(processorTimes(cells)),
  }
}

/** @param {string[]} names @param {string} text @param {RegExp} between */
function picked(names, text, between) {
  const all = new Map(
    text.split(/\r?\n/).map((line) => /** @type {[string, string]} */ (line.split(between))),
  )
  return Object.fromEntries(names.map((name) => [name, Number(all.get(name))]))
}

/** @param {import('./cells.mjs').TwoCells} cells @returns {[string, number][]} of each part of both cells together */
function processorTimes({ machines, appliances }) {
  /** @type {Map<string, number>} */
  const spent = new Map()
  const add = (/** @type {string} */ name, /** @type {number} */ pid) =>
    spent.set(`cpu ${name}`, (spent.get(`cpu ${name}`) ?? 0) + ticksOf(pid) * TICK_MS)
  for (const cell of /** @type {const} */ (['one', 'two'])) {
    const { parts } = appliances[cell].json('run/supervisor.json')
    for (const pid of machines.processes(cell)) {
      const group = groupOf(pid)
      const part = parts.find((/** @type {any} */ one) => one.process?.pid === group)
      add(part?.title ?? 'supervisor', pid)
    }
  }
  for (const pid of machines.processes('data')) add(readFileSync(`/proc/${pid}/comm`, 'utf8').trim(), pid)
  return [...spent]
}

/** @param {number} pid */
function ticksOf(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return Number(fields[11]) + Number(fields[12])
}

/** @param {Counters} before @param {Counters} after @param {number} by @returns {Counters} */
export function difference(before, after, by) {
  return Object.fromEntries(
    Object.entries(after).map(([name, value]) => [name, (value - (before[name] ?? 0)) / by]),
  )
}
