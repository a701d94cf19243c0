/**
 * Two cells on a Galera cluster of three nodes, each cell with a node of its own: `node installer/test/two-cells/galera.mjs`
 * tells what fails. Calls of one workspace begin and end in both at once, so that both charge one balance.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { messageOf } from '../../failure.mjs'
import { TwoCells } from './cells.mjs'
import { addressOf } from './machines.mjs'
import { World } from './world.mjs'

/** Where the servers’ logs are kept; nowhere when it is not given. */
const KEPT = process.env['JACKFIELD_TEST_KEEP_LOGS']

const ROUNDS = 3
const CALLS = 20

const cells = new TwoCells({ galera: true })
const say = (/** @type {string} */ text) => void process.stdout.write(`${text}\n`)
try {
  await cells.start()
  say(`cluster: ${wsrep().join(', ')}`)
  say(`tables without a primary key: ${sql(withoutKey()) || 'none'}`)
  const world = new World(cells)
  await world.start()
  const number = await world.numberOfSomebody('2025550199')
  for (let round = 1; round <= ROUNDS; round++) {
    const callers = [world.callIn(number, 'one', CALLS / 2, 10), world.callIn(number, 'two', CALLS / 2, 10)]
    for (const caller of callers) {
      const refused = await caller.decided(CALLS / 2).catch((error) => [messageOf(error)])
      for (const reason of refused) say(`  refused: ${reason}`)
    }
    say(`round ${round}: live ${JSON.stringify(await world.liveCalls('two'))}`)
    const answers = await world.hangUpAll(round % 2 === 0 ? 'one' : 'two')
    say(`  hung up: ${JSON.stringify(answers)}`)
    say(`  money: ${JSON.stringify(await world.moneyProblems('one'))}`)
  }
  say(wsrep().join(', '))
  for (const cell of /** @type {const} */ (['one', 'two'])) {
    const file = join(cells.appliances[cell].home, 'log/server.log')
    const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
    if (KEPT && existsSync(file)) cpSync(file, join(KEPT, `${cell}.log`))
    const bad = lines.filter((line) => /"level":(40|50|60)/.test(line)).map((line) => JSON.parse(line))
    say(`${cell}: ${bad.length} warnings and errors`)
    /** @type {Map<string, number>} */
    const kinds = new Map()
    for (const { msg, err } of bad) {
      const kind = `${msg}: ${err?.message ?? ''}`.slice(0, 160)
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
    }
    for (const [kind, count] of kinds) say(`  ${count} × ${kind}`)
  }
} finally {
  await cells.remove()
}
process.exit()

function withoutKey() {
  return `SELECT GROUP_CONCAT(t.table_name) FROM information_schema.tables t
    LEFT JOIN information_schema.table_constraints c ON c.table_schema = t.table_schema
      AND c.table_name = t.table_name AND c.constraint_type = 'PRIMARY KEY'
    WHERE t.table_schema = 'jackfield' AND t.table_type = 'BASE TABLE' AND c.constraint_name IS NULL`
}

/** @param {string} statement */
function sql(statement) {
  const socket = join(cells.directory, addressOf('inner', 10), 'socket')
  const [program = '', ...args] = [
    ...cells.machines.on('data'),
    'mariadb',
    '--socket',
    socket,
    '-N',
    '-e',
    statement,
  ]
  return execFileSync(program, args, { encoding: 'utf8' }).trim()
}

function wsrep() {
  const names = [
    'cluster_size',
    'local_cert_failures',
    'local_bf_aborts',
    'replicated',
    'received',
    'flow_control_paused',
  ]
  const list = names.map((name) => `'wsrep_${name}'`).join()
  return sql(`SHOW GLOBAL STATUS WHERE Variable_name IN (${list})`)
    .split('\n')
    .map((line) => line.replace('\t', ' '))
}
