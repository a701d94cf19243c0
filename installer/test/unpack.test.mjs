import { expect } from 'chai'
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { after, describe, it } from 'mocha'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pack, unpack } from '../backups/archive.mjs'

describe('the archive of a backup', function () {
  this.timeout(120_000)
  const folder = mkdtempSync(join(tmpdir(), 'jackfield-archive-'))
  after(() => rmSync(folder, { recursive: true }))

  it('is read to its end, also where tar is gone before its input is seen to be closed', async () => {
    const names = ['one', 'two']
    for (const name of names) writeFileSync(join(folder, name), randomBytes(110_000))
    const file = join(folder, 'whole.tar')
    await pack([{ folder, names }], file, undefined)
    const places = [0, 1, 2, 3].map((number) => join(folder, `place-${number}`))
    for (const place of places) mkdirSync(place)
    /** @type {PromiseSettledResult<void>[]} */
    const read = []
    for (let round = 0; round < 60; round += 1)
      read.push(...(await Promise.allSettled(places.map((place) => unpack(file, place, undefined)))))
    expect(read.filter(({ status }) => status === 'rejected')).to.deep.equal([])
  })
})
