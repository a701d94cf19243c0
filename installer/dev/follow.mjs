/** Output of `npm run dev` while it runs: the server's log, and parts that die or restart. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { readTail } from '../processes.mjs'
import { readState } from '../state.mjs'

const LOOK_EVERY_MS = 200
const LEVELS = new Map(
  [10, 20, 30, 40, 50, 60].map((level, index) => [
    level,
    ['trace', 'debug', 'info', 'warn', 'error', 'fatal'][index],
  ]),
)

/**
 * @param {string} home
 * @param {(text: string) => void} say
 * @returns {() => void} stops following
 */
export function follow(home, say) {
  const log = join(home, 'log/server.log')
  let at = sizeOf(log)
  /** @type {Map<string, string>} */
  const shown = new Map()
  const parts = () => readState(home)?.parts ?? []
  for (const part of parts()) shown.set(part.name, textOf(part))
  const timer = setInterval(() => {
    for (const part of parts()) {
      const text = textOf(part)
      if (shown.get(part.name) !== text) say(text)
      shown.set(part.name, text)
    }
    const size = sizeOf(log)
    if (size < at) at = 0 // it was rotated
    if (size === at) return
    const text = readTail(log, at, size - at)
    const whole = text.slice(0, text.lastIndexOf('\n') + 1)
    at += Buffer.byteLength(whole)
    for (const line of whole.split('\n').filter(Boolean)) say(shortened(line))
  }, LOOK_EVERY_MS)
  return () => clearInterval(timer)
}

/** @param {import('../state.mjs').PartState} part */
function textOf({ title, state, readyMs, note, restarts }) {
  if (state === 'up')
    return `${title}: up in ${(readyMs / 1000).toFixed(1)} s${restarts > 0 ? ` (restart ${restarts})` : ''}`
  if (state === 'restarting' || state === 'down')
    return `${title}: ${note.replace(/ at \d{4}-.*/, '') || state}, starting it again`
  return `${title}: ${state}`
}

/** @param {string} path */
function sizeOf(path) {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}

/** @param {string} line of the server's log @returns {string} formatted for the terminal */
function shortened(line) {
  try {
    const { time, level, msg, pid: _pid, hostname: _host, err, ...fields } = JSON.parse(line)
    const at = new Date(time).toISOString().slice(11, 19)
    const more = Object.keys(fields).length > 0 ? ` ${JSON.stringify(fields)}` : ''
    return `${at} ${LEVELS.get(level) ?? level} ${msg ?? ''}${more}${err ? `\n${err.stack ?? err.message}` : ''}`
  } catch {
    return line
  }
}
