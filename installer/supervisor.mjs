/**
 * The supervisor: one process that owns all parts of the appliance. It starts them in order, restarts those that
 * die, stops them in reverse order on SIGTERM, and writes its state to var/run/supervisor.json. On SIGUSR1 it restarts
 * the server, for `npm run dev`.
 * A failure before everything was up for the first time stops everything: nothing half-started is left.
 */
import { spawn } from 'node:child_process'
import { closeSync, fstatSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { chooseSwitch, describeParts, fingerprint } from './appliance.mjs'
import { writeAppliance } from './appliance-file.mjs'
import { requireWholeTables } from './backups/way-back.mjs'
import { Failure, messageOf } from './failure.mjs'
import { printOf } from './fingerprints.mjs'
import { lastError, rotate } from './log-files.mjs'
import { privateFolder } from './private-folder.mjs'
import { endRunning, identify, isAlive, signalGroup, stop } from './processes.mjs'
import { readSecrets } from './secrets.mjs'
import { chooseRuntime } from './runtime/choose.mjs'
import { ROOT, readSettings } from './settings.mjs'
import { EXIT_CONFIG, graceOf, readState, statePath, writeJson } from './state.mjs'
import { asUser, chooseUser, environmentOf, handOver } from './unprivileged.mjs'
import { systemdNotifier } from './systemd-notify.mjs'

const BACKOFF_FIRST_MS = 500
const BACKOFF_MOST_MS = 30_000
/** A part that has run this long is considered well: its next restart is quick again. */
const WELL_AFTER_MS = 60_000
/** Timeout of the server’s graceful stop, after its code has changed. */
const RENEW_MS = 1500
const ROTATE_EVERY_MS = 5000
const TIDY_EVERY_MS = 60_000
/** Polling interval for a process that is not our child. */
const WATCH_EVERY_MS = 500

/**
 * @typedef {import('./appliance.mjs').Part} Part
 * @typedef {import('./state.mjs').PartState} PartState
 * @typedef {{part: Part, state: PartState, backoffMs: number, busy: boolean, isOthers: boolean}} Supervised
 *   `busy` while it is being started, when the starter detects its death; `isOthers` while its process is one that
 *   another supervisor has started
 */

const notifySystemd = systemdNotifier()
const { settings, chosen, parts } = describeOrExit()
const logs = join(settings.home, 'log')
privateFolder(logs)
const { user, why } = chooseUser(settings, chosen)
if (why) say(why)
const before = readState(settings.home)
/** Whether the program that started us rolls back when we fail. */
const isSuccessor = before?.phase === 'left'
/** Parts that another supervisor has left running, by name. */
const left = new Map(
  isSuccessor || before?.phase === 'orphaned' ? before.parts.map((part) => [part.name, part]) : [],
)
const supervised = parts.map(supervise)

/** @type {import('./state.mjs').SupervisorState} */
const state = {
  supervisor: identify(process.pid) ?? { pid: process.pid, startTicks: 0 },
  root: ROOT,
  fingerprint: fingerprint(settings, chosen),
  phase: 'starting',
  message: '',
  startedAt: new Date().toISOString(),
  switchKind: chosen.kind,
  switchBinary: chosen.binary,
  runtime: runtimeNow(),
  parts: supervised.map((one) => one.state),
}

function describeOrExit() {
  try {
    const settings = readSettings()
    requireWholeTables(settings.home)
    const chosen = chooseSwitch(settings)
    chooseRuntime(settings)
    return { settings, chosen, parts: describeParts(settings, readSecrets(settings.home).secrets, chosen) }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    say(error.message)
    process.exit(EXIT_CONFIG)
  }
}

function runtimeNow() {
  const { version, why, isFallback } = chooseRuntime(settings)
  return { version, why, isFallback }
}

/** @param {Part} part @returns {Supervised} */
function supervise(part) {
  const ports = [...new Set(part.ports.map(({ host, port }) => `${host}:${port}`))].join(', ')
  const since = new Date().toISOString()
  const { name, title } = part
  const found = left.get(name)
  return {
    part,
    backoffMs: BACKOFF_FIRST_MS,
    busy: true,
    isOthers: isAlive(found?.process),
    state: {
      name,
      title,
      state: 'waiting',
      process: found?.process ?? null,
      since,
      restarts: 0,
      readyMs: 0,
      ports,
      note: '',
      print: found?.print ?? '',
    },
  }
}

/** @param {string} text for the supervisor's log */
function say(text) {
  process.stdout.write(`${new Date().toISOString()} ${text}\n`)
}

/** Whether the current state was written. */
let isWritten = true

/** Writes the state; the appliance's own file only once all is up. */
function publish() {
  try {
    writeJson(statePath(settings.home), state)
    if (state.phase === 'up') writeAppliance(settings, chosen, state)
    isWritten = true
  } catch (error) {
    isWritten = false
    say(`cannot write its state: ${messageOf(error)}`) // the disk is full: the parts keep running
  }
}

/** @param {Supervised} one @param {PartState['state']} now */
function enter(one, now) {
  one.state.state = now
  one.state.since = new Date().toISOString()
  publish()
}

/** Whether the parts are to be stopped instead of started. */
function stopping() {
  return state.phase === 'stopping' || state.phase === 'failed' || state.phase === 'left'
}

/**
 * Starts one part and waits until it is ready.
 * @param {Supervised} one
 * @throws {Failure} if it cannot be prepared, dies or is late
 */
async function start(one) {
  const begin = Date.now()
  enter(one, 'preparing')
  const prepared = await one.part.prepare()
  if (one.part.name === 'server') state.runtime = runtimeNow()
  // MariaDB switches to a user of its own.
  const dropped = user !== null && one.part.name !== 'mariadb'
  if (dropped) handOver(settings, user)
  const { command, args, env } = dropped ? asUser(prepared, user) : prepared
  if (stopping()) throw new Failure('stopped')
  const print = one.part.configuration ? printOf({ command, args, env }, one.part.configuration) : ''
  if (await takeOver(one, print, begin)) return
  one.isOthers = false
  one.state.print = print
  const log = join(logs, `${one.part.name}.log`)
  const file = openSync(log, 'a', 0o640)
  const { size: before } = fstatSync(file)
  const child = spawn(command, args, {
    cwd: ROOT,
    env: { ...process.env, ...env, ...(dropped && environmentOf(settings)) },
    stdio: ['ignore', file, file],
    detached: true, // its own group: Ctrl-C at the terminal does not reach it
  })
  closeSync(file)
  let ended = ''
  child.on('error', (error) => (ended = `cannot be started: ${error.message}`))
  child.on('exit', (code, signal) => {
    ended = signal ? `was ended by ${signal}` : `ended with exit code ${code}`
    if (child.pid) signalGroup(child.pid, 'SIGKILL') // what it left behind
    // another one may have been started before this event arrived
    if (one.state.process === mine) onExit(one, ended, Date.now() - begin)
  })
  const mine = child.pid ? identify(child.pid) : null
  one.state.process = mine
  enter(one, 'starting')
  try {
    await one.part.ready(one.part.deadlineMs, () => ended || (stopping() ? 'is being stopped' : undefined))
  } catch (error) {
    const why = ended ? `${one.part.title} ${ended}` : `${one.part.title}: ${messageOf(error)}`
    throw new Failure(`${why}${lastError(log, before)}; see ${log}`)
  }
  one.state.readyMs = Date.now() - begin
  enter(one, 'up')
  say(`${one.part.title} is up`)
}

/**
 * Takes over a process that another supervisor has left, if it is what we would start; else ends it.
 * @param {Supervised} one
 * @param {string} print of what we would start
 * @param {number} begin
 * @returns {Promise<boolean>} whether it keeps running
 */
async function takeOver(one, print, begin) {
  const known = left.get(one.part.name)
  left.delete(one.part.name)
  if (!known || !isAlive(known.process)) return false
  if (print === '' || known.print !== print) {
    one.isOthers = false
    await stop(known.process, graceOf(one.part.name))
    return false
  }
  one.state.process = known.process
  enter(one, 'starting')
  await one.part.ready(one.part.deadlineMs, () => (isAlive(known.process) ? undefined : 'it is gone'))
  const watch = setInterval(() => {
    if (isAlive(known.process)) return
    clearInterval(watch)
    if (known.process) signalGroup(known.process.pid, 'SIGKILL') // what it left behind
    onExit(one, 'is gone', Date.now() - begin)
  }, WATCH_EVERY_MS)
  one.state.readyMs = Date.now() - begin
  enter(one, 'up')
  say(`${one.part.title} is taken over as it runs`)
  return true
}

/**
 * Restarts a part that died after it had been up, with growing delays while it keeps dying.
 * @param {Supervised} one
 * @param {string} how
 * @param {number} livedMs
 */
function onExit(one, how, livedMs) {
  one.state.process = null
  one.state.note = `${how} at ${new Date().toISOString()}`
  if (stopping() || state.phase === 'starting') return enter(one, 'down')
  if (one.busy) return
  say(`${one.part.title} ${how}: it is started again`)
  if (livedMs > WELL_AFTER_MS) one.backoffMs = BACKOFF_FIRST_MS
  void restart(one)
}

/** @param {Supervised} one */
async function restart(one) {
  one.busy = true
  while (!stopping()) {
    enter(one, 'restarting')
    await sleep(one.backoffMs, undefined, { signal: hurry.signal }).catch(() => {})
    one.backoffMs = Math.min(BACKOFF_MOST_MS, Math.max(BACKOFF_FIRST_MS, one.backoffMs * 2))
    if (stopping()) return
    one.state.restarts += 1
    if (one.part.name === 'server') isStale = false
    try {
      await start(one)
      one.busy = false
      return
    } catch (error) {
      one.state.note = messageOf(error)
      say(messageOf(error))
      await stop(one.state.process, graceOf(one.part.name))
    }
  }
}

/** Ends the delay before a restart. */
let hurry = new AbortController()
/** Whether the server’s code has changed since its last start. */
let isStale = false

/** Restarts the server with changed code, without delay if it keeps dying. */
async function renewServer() {
  const one = supervised.find(({ part }) => part.name === 'server')
  if (!one || stopping() || state.phase !== 'up') return
  isStale = true
  one.backoffMs = 0
  hurry.abort()
  hurry = new AbortController()
  if (one.busy) return void stop(one.state.process, RENEW_MS)
  while (isStale && !stopping()) {
    one.busy = true
    await stop(one.state.process, RENEW_MS)
    await restart(one)
  }
}

/** Stops all parts in reverse order of start. */
async function stopAll() {
  endRunning()
  for (const one of [...supervised].reverse()) {
    const how = await stop(one.state.process, graceOf(one.part.name))
    if (how === 'killed') say(`${one.part.title} had to be killed`)
    enter(one, 'down')
  }
}

/** Starts each part as soon as its dependencies are up. */
async function startAll() {
  /** @type {Map<string, Promise<void>>} */
  const started = new Map()
  for (const [name, { process: known }] of left)
    if (!parts.some((part) => part.name === name)) await stop(known, graceOf(name))
  for (const one of supervised) {
    const needed = one.part.after.map((name) => started.get(name) ?? Promise.resolve())
    started.set(
      one.part.name,
      Promise.all(needed).then(() => start(one)),
    )
  }
  await Promise.all(started.values())
  for (const one of supervised) {
    if (!one.state.process) throw new Failure(`${one.part.title} ${one.state.note}`)
    one.busy = false
  }
}

/**
 * Leaves the parts that another supervisor has left: the program that started us restores that version.
 * @param {string} message why the start has failed
 */
async function handBack(message) {
  state.phase = 'left'
  state.message = message
  say(message)
  clearInterval(rotation)
  clearInterval(tidying)
  endRunning()
  for (const one of supervised.filter(({ isOthers }) => !isOthers).reverse()) {
    await stop(one.state.process, graceOf(one.part.name))
    enter(one, 'down')
  }
  publish()
  process.exit(1)
}

/** @param {string} message '' after a requested stop */
async function end(message) {
  if (stopping()) return
  if (isSuccessor && state.phase === 'starting') return handBack(message || 'it was asked to stop')
  state.phase = message ? 'failed' : 'stopping'
  state.message = message
  say(message || 'stopping')
  clearInterval(rotation)
  clearInterval(tidying)
  await stopAll()
  if (!message) state.phase = 'stopped'
  publish()
  process.exit(message ? 1 : 0)
}

/** Ends itself and the server, which leaves its calls to the switch; parts that carry calls keep running for the next supervisor. */
async function leave() {
  if (stopping() || state.phase !== 'up') return
  state.phase = 'left'
  clearInterval(rotation)
  clearInterval(tidying)
  for (const one of supervised.filter(({ part }) => !part.configuration)) {
    await stop(one.state.process, graceOf(one.part.name))
    enter(one, 'down')
  }
  publish()
  process.exit(0)
}

const rotation = setInterval(() => {
  for (const name of [...supervised.map((one) => one.part.name), 'supervisor']) {
    rotate(join(logs, `${name}.log`), settings['log.max_mb'] * 1e6)
  }
  if (!isWritten) publish()
}, ROTATE_EVERY_MS)

const tidying = setInterval(() => {
  for (const { part, state: now } of supervised.filter((one) => one.state.state === 'up')) {
    part.tidy?.().catch((/** @type {unknown} */ error) => say(`${now.title}: ${messageOf(error)}`))
  }
}, TIDY_EVERY_MS)

for (const name of /** @type {const} */ (['SIGTERM', 'SIGINT'])) process.on(name, () => void end(''))
process.on('SIGUSR2', () => void leave())
process.on('SIGUSR1', () => void renewServer())
process.on('SIGHUP', () => {}) // the terminal that started us was closed
process.stdout.on('error', () => {}) // our log's disk is full
// a bug of ours must not leave calls without a supervisor
process.on('uncaughtException', (error) => say(`unexpected: ${error.stack ?? error.message}`))

publish()
try {
  await startAll()
  if (!stopping()) {
    state.phase = 'up'
    publish()
    await notifySystemd().catch((error) => say(`systemd cannot be notified: ${messageOf(error)}`))
  }
} catch (error) {
  await end(messageOf(error))
}
