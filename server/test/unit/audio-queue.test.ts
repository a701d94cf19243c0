import { expect } from 'chai'
import fc from 'fast-check'
import { AudioQueue } from '../../src/adapters/freeswitch/audio-queue.js'

const counting = (from: number, length: number) =>
  Int16Array.from({ length }, (_, index) => (from + index) % 30_000)

describe('audio that waits', () => {
  it('comes out as it went in, however it is cut', () => {
    const step = fc.record({ adds: fc.boolean(), samples: fc.integer({ min: 0, max: 12_000 }) })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const queue = new AudioQueue(20_000)
        let written = 0
        let read = 0
        for (const { adds, samples } of steps) {
          if (adds) {
            const dropped = queue.add(counting(written, samples))
            expect(dropped).to.equal(Math.max(0, samples - (20_000 - (written - read))))
            written += samples - dropped
            continue
          }
          const frame = new Int16Array(samples)
          const taken = queue.take(frame)
          expect(taken).to.equal(Math.min(samples, written - read))
          expect(frame.subarray(0, taken)).to.deep.equal(counting(read, taken))
          expect(frame.subarray(taken).every((sample) => sample === 0)).to.equal(true)
          read += taken
        }
        expect(queue.length).to.equal(written - read)
      }),
    )
  })

  it('is kept as a copy, and dropped when it is cleared', () => {
    const queue = new AudioQueue(1_000)
    const samples = counting(1, 300)
    queue.add(samples)
    samples.fill(0)
    const frame = new Int16Array(100)
    expect(queue.take(frame)).to.equal(100)
    expect(frame).to.deep.equal(counting(1, 100))
    expect(queue.clear()).to.equal(200)
    expect(queue.length).to.equal(0)
    expect(queue.take(frame)).to.equal(0)
    expect(queue.add(counting(7, 1_500))).to.equal(500)
    expect(queue.take(frame)).to.equal(100)
    expect(frame).to.deep.equal(counting(7, 100))
  })

  it('takes no more memory for being written sample by sample', () => {
    const queue = new AudioQueue(2_000_000)
    const before = process.memoryUsage()
    for (let index = 0; index < 2_000_000; index++) queue.add(new Int16Array(1))
    const after = process.memoryUsage()
    expect(queue.length).to.equal(2_000_000)
    expect(after.arrayBuffers - before.arrayBuffers).to.be.lessThan(50_000_000)
  })
})
