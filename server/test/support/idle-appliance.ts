/**
 * An appliance that a test file has stopped, kept for the next file of the same process that starts one alike: a start
 * costs four seconds of a processor. One whose programs were restarted, or whose platform was changed, ends.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Mariadb } from './mariadb.js'
import { runStatement } from './mariadb.js'

interface Ending {
  /** Ends all its programs. */
  end(): Promise<void>
}

/** What belongs to no workspace, and so is there after all of them are deleted. */
const PLATFORM_TABLES = ['ai_providers', 'carriers', 'platform_states', 'rate_decks', 'rates']

let isKeeping = false
let kept: { key: string; appliance: Ending } | undefined

/** From now on one is kept; the last hook of the process must end it. */
export function keepIdleAppliance(): void {
  isKeeping = true
}

/**
 * Takes the one that is kept, if it was started with these options; any other ends, as this process needs it no more.
 * @param key of the options; '' takes none
 */
export async function takeIdleAppliance(key: string): Promise<unknown> {
  const found = kept
  kept = undefined
  if (found && found.key === key) return found.appliance
  await found?.appliance.end()
  return undefined
}

/** Keeps one, where that is done. @returns false when its owner is to end it */
export async function leaveIdleAppliance(key: string, appliance: Ending): Promise<boolean> {
  if (!isKeeping || key === '') return false
  await endIdleAppliance()
  kept = { key, appliance }
  return true
}

/** Ends the one that is kept. */
export async function endIdleAppliance(): Promise<void> {
  await takeIdleAppliance('')
}

/** The rows of deleted workspaces go one after the other; until then their ids and numbers are taken. */
const REMOVAL_MS = 5_000

/** Waits until no workspace has a row any more. @returns false when that takes too long */
export async function workspacesAreGone(mariadb: Mariadb, database: string): Promise<boolean> {
  const end = Date.now() + REMOVAL_MS
  while (Date.now() < end) {
    const [row] = await runStatement(mariadb, database, 'SELECT COUNT(*) AS rows_left FROM workspaces')
    if (Number(row.rows_left) === 0) return true
    await sleep(50)
  }
  return false
}

/** How many rows each table of the platform has. */
export async function platformRows(mariadb: Mariadb, database: string): Promise<string> {
  const counts = PLATFORM_TABLES.map((table) => `(SELECT COUNT(*) FROM ${table}) AS ${table}`)
  const [row] = (await runStatement(mariadb, database, `SELECT ${counts.join(', ')}`)) as object[]
  return JSON.stringify(row)
}
