/**
 * `--json` outputs are a contract: each is held by a file in `test/snapshots`. `UPDATE_SNAPSHOTS=1` writes them
 * anew, for a person to read in the diff.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'

const folder = fileURLToPath(new URL('../../test/snapshots/', import.meta.url))

/** Ids and sids: a prefix and what differs from run to run. */
const id = /\b([a-z]+_|sid-)[0-9a-zA-Z]{16,}\b/g
/** A random number that changes with each save of a draft. */
const revision = /"revision": \d+/g
const time = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g

/** Holds an output against its snapshot, with ids numbered in the order of their appearance. */
export function expectSnapshot(name: string, output: unknown): void {
  const path = `${folder}${name}.json`
  const text = `${steady(output)}\n`
  if (process.env['UPDATE_SNAPSHOTS'] === '1') {
    mkdirSync(folder, { recursive: true })
    writeFileSync(path, text)
    return
  }
  expect(existsSync(path), `no snapshot ${name}: run with UPDATE_SNAPSHOTS=1`).to.equal(true)
  expect(JSON.parse(text), name).to.deep.equal(JSON.parse(readFileSync(path, 'utf8')))
}

/** The output as JSON, with what differs from run to run replaced. */
function steady(output: unknown): string {
  const numbers = new Map<string, string>()
  const counts = new Map<string, number>()
  return JSON.stringify(output, null, 2)
    .replace(time, '<time>')
    .replace(revision, '"revision": "<revision>"')
    .replace(id, (found, prefix: string) => {
      let name = numbers.get(found)
      if (name === undefined) {
        const count = (counts.get(prefix) ?? 0) + 1
        counts.set(prefix, count)
        name = `${prefix}${String(count)}`
        numbers.set(found, name)
      }
      return name
    })
}
