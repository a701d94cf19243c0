/**
 * Two cells on a Galera cluster of three nodes: tells what fails, and what a node costs that dies.
 * `node installer/test/two-cells/galera.mjs spread`: each cell has a node of its own, so that both charge one workspace's
 * balance on different nodes at once. `… floating`: both use one node, whose address another one takes over.
 * JACKFIELD_TEST_KEEP_LOGS names a folder for the servers' logs, JACKFIELD_TEST_CALLS how many calls begin in a round [20].
 */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf } from '../../failure.mjs'
import { TwoCells } from './cells.mjs'
import { addressOf } from './machines.mjs'
import { World } from './world.mjs'

const KEPT = process.env['JACKFIELD_TEST_KEEP_LOGS']
const CALLS = Number(process.env['JACKFIELD_TEST_CALLS'] ?? 20)
const ROUNDS = 3
/** How long a node is dead. */
const DEAD_MS = 30_000
const NAMES = /** @type {const} */ (['one', 'two'])
/** The last byte of the address of a node that nobody uses. */
const SPARE = 13

const galera = process.argv[2] === 'floating' ? 'floating' : 'spread'
const cells = new TwoCells({ galera })
const world = new World(cells)
const say = (/** @type {string} */ text) => void process.stdout.write(`${text}\n`)
try {
  await cells.start()
  say(`${galera}: ${wsrep()}`)
  say(`tables without a primary key: ${sql(withoutKey())}`)
  await world.start()
  const limits = { max_calls_per_second: 1000, max_concurrent_calls: 1000 }
  await cells.operator('one').patch('/workspaces/acme', limits)
  const number = await world.numberOfSomebody('2025550199')
  for (let round = 1; round <= ROUNDS; round++) {
    await begin(number, CALLS)
    say(`round ${round}: live ${JSON.stringify(await world.liveCalls('two'))}`)
    await end(round % 2 === 0 ? 'one' : 'two')
  }
  say(wsrep())
  await nodeDies(number)
  say(wsrep())
} catch (error) {
  say(`FAILED: ${messageOf(error)}`)
} finally {
  tellLogs()
  await cells.remove()
}
process.exit()

/**
 * Has so many calls begin in one moment, half of them at each edge, and tells how many are refused.
 * @param {string} number
 * @param {number} calls
 */
async function begin(number, calls) {
  const callers = NAMES.map((cell) => world.callIn(number, cell, calls / 2, calls / 2))
  for (const caller of callers) {
    const refused = await caller.decided(calls / 2).catch((error) => [messageOf(error)])
    for (const reason of refused) say(`  refused: ${reason}`)
  }
}

/** @param {'one' | 'two'} asked */
async function end(asked) {
  const answers = await world.hangUpAll(asked)
  const bad = answers.filter((status) => status !== 200)
  say(`  hung up ${answers.length}, refused: ${JSON.stringify(bad)}`)
  say(`  money: ${JSON.stringify(await world.moneyProblems(asked))}`)
}

/**
 * In the middle of calls, as a power cut does: the node that both use, or that of cell two. It is back later.
 * @param {string} number
 */
async function nodeDies(number) {
  await begin(number, 10)
  const died = Date.now()
  const after = () => `${((Date.now() - died) / 1000).toFixed(1)} s`
  const address = addressOf('inner', galera === 'floating' ? 10 : 14)
  const node = cells.nodes.get(address)
  node?.kill()
  say(`node ${address} is dead`)
  let last = ''
  let next = 0
  while (Date.now() < died + DEAD_MS) {
    const seen = await looks()
    if (seen !== last) say(`  ${after()}: ${(last = seen)}`)
    // One call after another, by turns at both edges.
    const cell = NAMES[next++ % 2] ?? 'one'
    const caller = world.callIn(number, cell)
    const [refused] = await caller.decided(1).catch((error) => [messageOf(error)])
    if (refused) say(`  ${after()}: a call at the edge of ${cell}: ${refused}`)
    await sleep(1_000)
  }
  say(`  ${next} calls were tried meanwhile`)
  await node?.restart()
  say(`  ${after()}: the node is back`)
  await cells.areUp([...NAMES]).catch((error) => say(messageOf(error)))
  say(`  ${after()}: ${await looks()}`)
  await begin(number, 10)
  await end('two')
}

/** What each server says of itself, and of the cells. */
async function looks() {
  const seen = NAMES.map(async (name) => {
    const health = await cells.operator(name).health().catch(messageOf)
    const rows = await cells.cells(name).catch(() => [])
    const known = rows.map(({ name, is_up, live_calls }) => `${name} ${is_up ? 'up' : 'down'} ${live_calls}`)
    return `${name}: ${health} (${known.join(', ')})`
  })
  return (await Promise.all(seen)).join('; ')
}

function tellLogs() {
  if (KEPT) mkdirSync(KEPT, { recursive: true })
  for (const cell of NAMES) {
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
}

function withoutKey() {
  return `SELECT GROUP_CONCAT(t.table_name) FROM information_schema.tables t
    LEFT JOIN information_schema.table_constraints c ON c.table_schema = t.table_schema
      AND c.table_name = t.table_name AND c.constraint_type = 'PRIMARY KEY'
    WHERE t.table_schema = 'jackfield' AND t.table_type = 'BASE TABLE' AND c.constraint_name IS NULL`
}

/** @param {string} statement */
function sql(statement) {
  const socket = join(cells.directory, addressOf('inner', SPARE), 'socket')
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

/** What Galera counts, at a node that nobody uses. */
function wsrep() {
  const names = ['cluster_size', 'replicated', 'received', 'flow_control_paused']
  const list = names.map((name) => `'wsrep_${name}'`).join()
  return sql(`SHOW GLOBAL STATUS WHERE Variable_name IN (${list})`)
    .replaceAll('\t', ' ')
    .replaceAll('\n', ', ')
}
