/** The disk of FreeSWITCH's journal is full: it keeps each end to itself for seconds, and nobody is charged for them. */
import { execFileSync } from 'node:child_process'
import { statfsSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { CallBench } from '../support/call-bench.js'
import { findFreeswitch } from '../support/freeswitch.js'
import { TestClient } from '../sandbox/event-socket-client.js'

/** Calls are compared with channels once in it. */
const sweepMs = 15_000

describe('the end of calls while the disk of the journal is full, on the freeswitch', function () {
  this.timeout(120_000)
  let bench: CallBench
  let folder = ''
  let isMounted = false

  before(async function () {
    if (!(await findFreeswitch())) this.skip()
    bench = await CallBench.start('freeswitch')
    const { journal, port, password } = bench.appliance.freeswitch!
    folder = dirname(journal)
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'journal', folder])
    isMounted = true
    const client = await TestClient.open(port, password, '')
    await client.api('cdr_csv rotate')
    client.socket.destroy()
  })
  after(async () => {
    if (isMounted) execFileSync('umount', ['--lazy', folder])
    await bench?.stop()
  })

  it('is told late, and as it was', async () => {
    const filler = join(folder, 'filler')
    writeFileSync(filler, Buffer.alloc(statfsSync(folder).bavail * statfsSync(folder).bsize))
    const speech = { action: 'tts', params: { text: 'one two three' } }
    const ids = await Promise.all(
      Array.from({ length: 14 }, async (_, index) => bench.call(`+1202555010${index % 2 ? 0 : 6}`, [speech])),
    )
    for (const id of ids) await bench.reaches(id, 'started')
    await sleep(sweepMs + 5_000)
    const unreported = (await Promise.all(ids.map(async (id) => bench.record(id)))).filter(
      ({ ended_at }) => ended_at === null,
    )
    expect(unreported, 'the switch has told of all').not.to.deep.equal([])
    await rm(filler)
    for (const id of ids) {
      const { status, duration, hangup_cause } = await bench.ended(id)
      expect({ status, hangup_cause }).to.deep.equal({ status: 'completed', hangup_cause: 'NORMAL_CLEARING' })
      // As long as the speech on a busy machine, without the time of the full disk.
      expect(duration).to.be.within(1, 8)
    }
  })
})
