import { expect } from 'chai'
import { DoubledKeys, type KeySource } from '../../src/adapters/freeswitch/doubled-keys.js'

describe('keys that a phone sends both ways', () => {
  /** What counts of keys, each a source, a key and a time. */
  const counted = (...presses: [KeySource, string, number][]) => {
    const doubled = new DoubledKeys()
    return presses
      .filter(([source, key, at]) => !doubled.repeats(key, source, at))
      .map(([, key]) => key)
      .join('')
  }

  it('count once, in either order', () => {
    expect(counted(['rtp', '1', 0], ['info', '1', 20], ['info', '1', 300], ['rtp', '1', 400])).to.equal('11')
  })

  it('count once when the INFOs come late, together', () => {
    expect(counted(['rtp', '1', 0], ['rtp', '1', 200], ['info', '1', 1500], ['info', '1', 1501])).to.equal(
      '11',
    )
  })

  it('count once as tones and by INFO', () => {
    expect(counted(['info', '1', 0], ['tone', '1', 150], ['tone', '1', 350], ['info', '1', 400])).to.equal(
      '11',
    )
  })

  it('count each where they come one way', () => {
    expect(counted(['info', '1', 0], ['info', '1', 10], ['rtp', '2', 20], ['rtp', '2', 30])).to.equal('1122')
  })

  it('are two when seconds lie between', () => {
    expect(counted(['rtp', '1', 0], ['info', '1', 3_000])).to.equal('11')
  })
})
