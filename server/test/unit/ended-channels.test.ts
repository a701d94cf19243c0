/** The journal of ended channels, as the server reads it. */
import { appendFileSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { EndedChannels } from '../../src/adapters/freeswitch/ended-channels.js'

interface Line {
  call?: string
  cause?: string
  answered?: number
  ended?: number
  /** What lines of an older journal lack. */
  more?: string
}

const line = (
  id: string,
  { call = 'call_1', cause = 'NORMAL_CLEARING', answered = 2e15, ended = 2e15 + 5e6, more = '' }: Line = {},
) => `${id},${call},called,${cause},,200,1,${answered},${ended}${more}\n`

describe('the journal of ended channels', () => {
  let folder: string
  let path: string

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'jackfield-journal-'))
    path = join(folder, 'Master.csv')
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  it('tells of the channels of the calls that it is asked about, and what comes later', async () => {
    writeFileSync(path, line('one') + line('other', { call: 'call_2' }))
    const ends = new EndedChannels(path).of(['call_1'])
    expect(await ends.find('one')).to.deep.equal({
      ...{ hangupCause: 'NORMAL_CLEARING', sipCode: null },
      ...{ answeredAt: new Date(2e12), endedAt: new Date(2e12 + 5e3) },
    })
    expect(await ends.find('other')).to.equal(null)
    const late = line('late')
    appendFileSync(path, late.slice(0, 20))
    expect(await ends.find('late')).to.equal(null)
    appendFileSync(path, late.slice(20))
    expect(await ends.find('late')).not.to.equal(null)
    expect(await ends.find('one')).not.to.equal(null)
  })

  it('is read for each channel no more than what is new, whoever asks at once', async () => {
    writeFileSync(path, 'x'.repeat(70).concat('\n').repeat(300_000) + line('one'))
    const ends = new EndedChannels(path).of(['call_1'])
    await ends.find('one')
    const began = performance.now()
    await Promise.all(Array.from({ length: 500 }, async (_, index) => ends.find(`none ${index}`)))
    expect(performance.now() - began).to.be.below(2_000)
  })

  it('goes on in the newest one that was laid aside, also when that happens meanwhile', async () => {
    writeFileSync(join(folder, 'Master.csv.2026-01-01-00-00-00'), line('oldest'))
    writeFileSync(join(folder, 'Master.csv.2026-01-02-00-00-00'), line('older'))
    writeFileSync(path, line('one'))
    const ends = new EndedChannels(path).of(['call_1'])
    expect(await ends.find('older')).not.to.equal(null)
    expect(await ends.find('oldest')).to.equal(null)
    appendFileSync(path, line('last'))
    renameSync(path, join(folder, 'Master.csv.2026-01-03-00-00-00'))
    writeFileSync(path, line('next'))
    expect(await ends.find('next')).not.to.equal(null)
    expect(await ends.find('last')).not.to.equal(null)
  })

  it('tells of callers who never acknowledged the answer; lines of before an upgrade do not', async () => {
    const quick = { ended: 2e15 + 5e5 }
    writeFileSync(
      path,
      line('never', { more: ',inbound,' }) +
        line('quick', { ...quick, more: ',inbound,' }) +
        line('unsent', { ...quick, cause: 'NORMAL_UNSPECIFIED', more: ',inbound,' }) +
        line('came', { more: ',inbound,tag' }) +
        line('dialled', { more: ',outbound,' }) +
        line('old'),
    )
    const ends = new EndedChannels(path).of(['call_1'])
    for (const id of ['never', 'unsent'])
      expect(await ends.find(id), id).to.include({ answeredAt: null, isUnacknowledged: true })
    for (const id of ['quick', 'came', 'dialled', 'old'])
      expect((await ends.find(id))?.answeredAt, id).to.deep.equal(new Date(2e12))
  })

  it('tells nothing where there is none', async () => {
    expect(await new EndedChannels('').of(['call_1']).find('one')).to.equal(null)
    expect(await new EndedChannels(path).of(['call_1']).find('one')).to.equal(null)
  })
})
