import { expect } from 'chai'
import { pino } from 'pino'
import { DurableWrites } from '../../src/features/calls/model/durable-writes.js'

describe('durable writes', () => {
  it('are done in their order, and tried again until they succeed', async () => {
    const writes = new DurableWrites(pino({ level: 'silent' }))
    const done: string[] = []
    let failures = 3
    const first = writes.add(async () => {
      failures -= 1
      if (failures >= 0) throw new Error('the database is away')
      done.push('first')
    })
    const second = writes.add(async () => done.push('second'))
    expect(done).to.deep.equal([])
    await Promise.all([first, second])
    expect(done).to.deep.equal(['first', 'second'])
  })

  it('are settled when all that was queued is written', async () => {
    const writes = new DurableWrites(pino({ level: 'silent' }))
    let written = 0
    for (let count = 0; count < 100; count++) void writes.add(async () => (written += 1))
    await writes.settled()
    expect(written).to.equal(100)
    await writes.settled()
  })
})
