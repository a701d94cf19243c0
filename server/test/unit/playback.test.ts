/** How much of what a voice agent says has been heard. */
import { EventEmitter } from 'node:events'
import { expect } from 'chai'
import type { RawAudio, RawAudioEvents } from '../../src/adapters/freeswitch/raw-audio.js'
import { Playback } from '../../src/features/voice-agents/sessions/playback.js'

/** Plays when it is told to. */
class FakeAudio extends EventEmitter<RawAudioEvents> implements RawAudio {
  readonly sampleRate = 8000
  written = 0
  played = 0

  get queuedMs(): number {
    return (this.written - this.played) / 8
  }

  write(samples: Int16Array): number {
    this.written += samples.length
    return 0
  }

  play(ms: number): void {
    this.played = Math.min(this.written, this.played + ms * 8)
    if (this.played === this.written) this.emit('drained')
  }

  clear(): void {
    this.played = this.written
  }

  close(): void {
    this.removeAllListeners()
  }
}

const ms = (count: number) => new Int16Array(count * 8)

/** All that waits has gone on. */
const settled = async () => new Promise((resolve) => setImmediate(resolve))

describe('playback of a voice agent', () => {
  let audio: FakeAudio
  let playback: Playback
  let heard: string[]

  beforeEach(() => {
    audio = new FakeAudio()
    playback = new Playback(audio)
    heard = []
    playback.on('heard', (itemId) => heard.push(itemId))
  })

  it('tells what was heard to its end, when all of it has come', () => {
    playback.play(ms(100), 'a')
    audio.play(100)
    expect(heard).to.deep.equal([])
    playback.play(ms(100), 'a')
    playback.finish('a')
    expect(heard).to.deep.equal([])
    audio.play(100)
    expect(heard).to.deep.equal(['a'])
  })

  it('says how much of each was heard that is cut off, and plays none of it any more', () => {
    playback.play(ms(1_000), 'a')
    playback.finish('a')
    playback.play(ms(500), 'b')
    audio.play(300)
    expect(playback.interrupt()).to.deep.equal([
      { itemId: 'a', heardMs: 300 },
      { itemId: 'b', heardMs: 0 },
    ])
    expect(audio.queuedMs).to.equal(0)
    expect(playback.play(ms(20), 'b')).to.equal(false)
    expect(audio.queuedMs).to.equal(0)
    playback.play(ms(100), 'c')
    audio.play(40)
    expect(playback.interrupt()).to.deep.equal([{ itemId: 'c', heardMs: 40 }])
    expect(heard).to.deep.equal([])
  })

  it('waits until all that was said so far has been heard, cut off, or is over', async () => {
    playback.play(ms(100), 'a')
    let count = 0
    const wait = () => void playback.heard().then(() => (count += 1))
    wait()
    playback.play(ms(100), 'b')
    audio.play(120)
    playback.look()
    await settled()
    expect(count).to.equal(1)
    wait()
    playback.interrupt()
    await settled()
    expect(count).to.equal(2)
    playback.play(ms(100), 'c')
    wait()
    playback.close()
    await settled()
    expect(count).to.equal(3)
  })
})
