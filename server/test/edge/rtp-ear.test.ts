import { expect } from 'chai'
import { setTimeout as sleep } from 'node:timers/promises'
import { RtpEar } from '../support/rtp-ear.js'
import { decodeMulaw, encodeMulaw, tone, toneLevel } from '../support/tone.js'

describe('test support: audio', () => {
  it('finds a tone and no other', () => {
    expect(toneLevel(tone(440, 8000), 440)).to.be.above(0.98)
    expect(toneLevel(tone(440, 8000), 1000)).to.be.below(0.02)
    expect(toneLevel(new Int16Array(8000), 440)).to.equal(0)
  })

  it('encodes µ-law without losing the tone', () => {
    const heard = tone(700, 8000).map((sample) => decodeMulaw(encodeMulaw(sample)))
    expect(toneLevel(heard, 700)).to.be.above(0.98)
    expect(decodeMulaw(0xff)).to.equal(0)
  })

  it('lets two ears hear each other’s tone and keys', async () => {
    const one = await RtpEar.open({ toneHz: 500 })
    const other = await RtpEar.open({ keys: '12#', keysAfterMs: 100 })
    try {
      one.playTo(other.host, other.port)
      await sleep(1100)
      const [fromOne] = other.heard()
      const [fromOther] = one.heard()
      expect(fromOne?.packets).to.be.within(40, 60)
      expect(fromOne && toneLevel(fromOne.pcm, 500)).to.be.above(0.95)
      expect(fromOther?.keys).to.equal('12#')
    } finally {
      await Promise.all([one.close(), other.close()])
    }
  })
})
