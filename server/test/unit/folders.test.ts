/** Folders of one floor import each other in no circle, types included: each can be read with those below it alone. */
import { readFileSync, readdirSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect } from 'chai'
import { pathOf } from '../support/paths.js'

const SOURCE = pathOf('server/src')
const FLOORS = ['lib', 'config', 'infrastructure', 'adapters', 'features', 'app']

describe('the folders of server/src', () => {
  for (const floor of FLOORS) {
    it(`import each other in no circle in ${floor}`, () => {
      expect(circleIn(importsBetween(floor)), 'an import of each folder on the circle').to.equal(undefined)
    })
  }
})

/** Of each folder the others that it imports, with one such import as an example. */
function importsBetween(floor: string): Map<string, Map<string, string>> {
  const folders = new Map<string, Map<string, string>>()
  for (const file of readdirSync(join(SOURCE, floor), { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts')) continue
    const text = readFileSync(join(SOURCE, floor, file), 'utf8')
    for (const [, specifier = ''] of text.matchAll(/\bfrom '(\.[^']+)'/g)) {
      const target = normalize(join(dirname(file), specifier))
      const [from, to] = [firstFolder(file), firstFolder(target)] as const
      if (target.startsWith('..') || from === to) continue
      const imports = folders.get(from) ?? new Map<string, string>()
      folders.set(from, imports.set(to, `${file} imports ${target}`))
    }
  }
  return folders
}

/** The folder below the floor; a file that lies there itself. */
function firstFolder(path: string): string {
  return path.split('/')[0]?.replace(/\.[jt]s$/, '') ?? ''
}

/** The imports along a circle; undefined where there is none. */
function circleIn(folders: ReadonlyMap<string, ReadonlyMap<string, string>>): string[] | undefined {
  const free = new Set<string>()
  const search = (
    folder: string,
    way: readonly string[],
    examples: readonly string[],
  ): string[] | undefined => {
    const at = way.indexOf(folder)
    if (at >= 0) return examples.slice(at)
    if (free.has(folder)) return undefined
    for (const [to, example] of folders.get(folder) ?? []) {
      const circle = search(to, [...way, folder], [...examples, example])
      if (circle) return circle
    }
    free.add(folder)
    return undefined
  }
  for (const folder of folders.keys()) {
    const circle = search(folder, [], [])
    if (circle) return circle
  }
  return undefined
}
