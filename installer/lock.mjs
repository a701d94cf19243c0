/** Locks of an appliance: files in its `run` folder that name the process which holds them. */
import { linkSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Failure, codeOf } from './failure.mjs'
import { identify, isAlive, readTail } from './processes.mjs'

/**
 * Two runs at once would conflict; the second one fails.
 * @param {string} home
 * @param {'up' | 'backup' | 'upgrade'} name `up` is for everything that starts, stops or replaces the appliance
 * @param {string} what for messages: `npm run up`
 * @returns {() => void} releases the lock
 * @throws {Failure} when another process holds it
 */
export function lock(home, name, what) {
  const path = join(home, `run/${name}.lock`)
  const mine = JSON.stringify(identify(process.pid))
  mkdirSync(join(home, 'run'), { recursive: true, mode: 0o755 })
  for (let attempt = 0; attempt < 2; attempt += 1) {
    try {
      // atomic: another process that finds it must be able to read the holder
      writeFileSync(`${path}.${process.pid}`, mine)
      linkSync(`${path}.${process.pid}`, path)
      return () => rmSync(path, { force: true })
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error
      const holder = parseIdentity(readTail(path))
      if (isAlive(holder)) throw new Failure(`another ${what} is at work (pid ${holder?.pid}): wait for it`)
      rmSync(path, { force: true })
    } finally {
      rmSync(`${path}.${process.pid}`, { force: true })
    }
  }
  throw new Failure(`another ${what} is at work (${path})`)
}

/** @param {string} text @returns {import('./processes.mjs').Identity | null} */
function parseIdentity(text) {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
