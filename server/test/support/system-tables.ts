/** MariaDB's system tables, which take over a second to make: the first test makes them, and all others copy them. */
import { execFile } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Another release makes others. */
function keptFolder(): string {
  const script = statSync('/usr/bin/mariadb-install-db', { throwIfNoEntry: false })
  return join(tmpdir(), `jackfield-test-mariadb-${script?.mtimeMs.toFixed() ?? 0}`)
}

/** @param directory of a MariaDB that is prepared next */
export async function putSystemTables(directory: string): Promise<void> {
  const data = join(directory, 'data')
  if (!existsSync(keptFolder()) || existsSync(data)) return
  await mkdir(directory, { recursive: true })
  await copy(keptFolder(), data)
}

/** @param directory of a MariaDB that is prepared and was not started yet */
export async function keepSystemTables(directory: string): Promise<void> {
  const folder = keptFolder()
  if (existsSync(folder)) return
  const unfinished = `${folder}.${process.pid}`
  await copy(join(directory, 'data'), unfinished)
  // Another lane may have been first.
  await rename(unfinished, folder).catch(async () => rm(unfinished, { recursive: true, force: true }))
}

async function copy(from: string, to: string): Promise<void> {
  await run('cp', ['-a', '--sparse=always', from, to], { timeout: 60_000 })
}
