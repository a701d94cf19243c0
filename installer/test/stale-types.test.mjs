import { expect } from 'chai'
import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { after, describe, it } from 'mocha'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { dropStaleTypes } from '../stale-types.mjs'

describe('what TypeScript remembers of the console', () => {
  const root = mkdtempSync(join(tmpdir(), 'jackfield-types-'))
  const info = join(root, 'console/dist/types.tsbuildinfo')
  after(() => rmSync(root, { recursive: true }))

  /** @param {string} path @param {number} seconds since 1970 */
  const write = (path, seconds) => {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, '{}')
    utimesSync(path, seconds, seconds)
  }

  it('is kept while texts are as they were, and dropped once one has changed', () => {
    const texts = join(root, 'console/src/features/teams/locales/en.json')
    write(texts, 1_000)
    write(info, 2_000)
    dropStaleTypes(root)
    expect(existsSync(info)).to.equal(true)
    write(texts, 3_000)
    dropStaleTypes(root)
    expect(existsSync(info)).to.equal(false)
    dropStaleTypes(root)
  })
})
