import { expect } from 'chai'
import { afterEach, beforeEach, describe, it } from 'mocha'
import {
  appendFileSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pack } from '../backups/archive.mjs'
import { requireWholeTables, wayBackFile } from '../backups/way-back.mjs'
import { Failure } from '../failure.mjs'
import { until } from '../waiting.mjs'

/** Takes tar some time. */
const BYTES = 600e6

describe('the file of a backup', function () {
  this.timeout(60_000)
  let folder = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'jackfield-archive-'))
    mkdirSync(join(folder, 'media'))
    writeFileSync(join(folder, 'recording'), '')
    truncateSync(join(folder, 'recording'), BYTES)
    utimesSync(join(folder, 'recording'), new Date(), new Date(Date.now() - 60_000))
    linkSync(join(folder, 'recording'), join(folder, 'media/recording'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  /** @param {() => void} change while tar reads the recording */
  async function packWhile(change) {
    const file = join(folder, 'backup.tar')
    const packed = pack([{ folder, names: ['media'] }], file, undefined)
    packed.catch(() => {})
    const isRead = async () => expect(statSync(file).size).to.be.greaterThan(1e6).and.lessThan(BYTES)
    await until(isRead, { deadlineMs: 20_000, pauseMs: 1, what: 'tar reading' })
    change()
    await packed
    return statSync(file).size
  }

  it('is whole where a recording is deleted while it is read', async () => {
    expect(await packWhile(() => rmSync(join(folder, 'recording')))).to.be.greaterThan(BYTES)
  })

  it('is refused where a file is written while it is read', async () => {
    const failure = await packWhile(() => appendFileSync(join(folder, 'recording'), 'more')).catch(
      (error) => error,
    )
    expect(failure).to.be.instanceOf(Failure)
    expect(failure.message).to.include('file changed as we read it')
  })
})

describe('the way back of an upgrade', () => {
  it('that a power failure has emptied is told, so that nothing starts', () => {
    const home = mkdtempSync(join(tmpdir(), 'jackfield-way-'))
    try {
      mkdirSync(join(home, 'run'))
      writeFileSync(wayBackFile(home), '')
      expect(() => requireWholeTables(home)).to.throw(Failure, `${wayBackFile(home)} cannot be read (`)
    } finally {
      rmSync(home, { recursive: true })
    }
  })
})
