/** Legs whose raw audio ends in the server, on the sandbox: the same SIP and RTP as on FreeSWITCH, with silence in it. */
import { once } from 'node:events'
import { expect } from 'chai'
import { pino } from 'pino'
import { audioAnswer, readAudioOffer } from '../../src/adapters/freeswitch/audio-sdp.js'
import { Channel } from '../../src/adapters/freeswitch/channel.js'
import { LegAnswerer, type LegOffer } from '../../src/adapters/freeswitch/leg-answerer.js'
import { RtpAudio } from '../../src/adapters/freeswitch/rtp-audio.js'
import { SwitchLink } from '../../src/adapters/freeswitch/switch-link.js'
import { type AudioDialRequest, Switchboard } from '../../src/adapters/freeswitch/switchboard.js'
import { eventually } from '../support/api-client.js'
import { SandboxFixture } from './sandbox-fixture.js'

const log = pino({ level: 'silent' })

describe('raw audio on the sandbox', () => {
  const sandbox = new SandboxFixture()
  const answerer = new LegAnswerer({ port: 0 }, log)
  let link: SwitchLink
  let board: Switchboard
  const open: RtpAudio[] = []

  before(async () => {
    await sandbox.start()
    await answerer.start()
    link = new SwitchLink({ host: '127.0.0.1', port: sandbox.port, password: 'test-password' }, log)
    board = new Switchboard(link, answerer)
    link.start()
    await once(link, 'up')
  })

  after(async () => {
    for (const audio of open) audio?.close()
    await link?.stop()
    await answerer?.stop()
    await sandbox?.stop()
  })

  async function dial(
    more: Partial<AudioDialRequest>,
    onOffer: (offer: LegOffer) => Promise<void>,
  ): Promise<Channel> {
    const request: AudioDialRequest = {
      ...{ channelId: board.newChannelId(), ringTimeout: 20, maxDuration: 120, afterBridge: 'park' },
      ...{ recoveryVariables: {}, sampleRate: 24000 },
      ...more,
    }
    return board.dialAudio(request, (offer) => void onOffer(offer))
  }

  async function answered(
    more: Partial<AudioDialRequest> = {},
  ): Promise<{ channel: Channel; frames: number[]; audio: RtpAudio }> {
    const frames: number[] = []
    const opened: RtpAudio[] = []
    const channel = await dial(more, async (offer) => {
      const remote = readAudioOffer(offer.sdp)
      if (!remote) throw new Error('no raw audio is offered')
      const audio = await RtpAudio.open(remote)
      open.push(audio)
      opened.push(audio)
      audio.connect(remote)
      audio.on('frame', (samples) => frames.push(samples.length))
      offer.answer(audioAnswer(remote, audio.port))
    })
    if (channel.state !== 'answered') await once(channel, 'answered')
    const [audio] = opened
    if (!audio) throw new Error('there is no audio')
    return { channel, frames, audio }
  }

  async function joined(more: Partial<AudioDialRequest> = {}) {
    const caller = new Channel(await sandbox.parked(), link)
    caller.restore('answered', new Date(), false)
    const leg = await answered(more)
    await caller.bridgeTo(leg.channel)
    return { caller, ...leg }
  }

  for (const [sampleRate, size] of [
    [8000, 160],
    [16000, 320],
    [24000, 480],
  ] as const) {
    it(`sends silence at ${sampleRate} Hz while the leg is joined with somebody, and ends with it`, async () => {
      const { channel, frames } = await joined({ sampleRate })
      await eventually(
        async () => Promise.resolve(frames.length),
        (count) => count > 5,
      )
      expect(new Set(frames)).to.deep.equal(new Set([size]))
      await channel.hangUp('NORMAL_CLEARING')
      const end = await channel.untilEnded()
      expect(end.hangupCause).to.equal('NORMAL_CLEARING')
    })
  }

  it('begins with the frame that is due what is written right after one came', async () => {
    const { channel, audio } = await joined()
    /** Whether a reply, such as a model's, is in the packet that answers the frame it replies to. */
    const replies = async () => {
      const first = new Promise<boolean>((resolve) => {
        audio.once('frame', () => {
          audio.once('sent', (samples) => resolve(samples.some((sample) => sample !== 0)))
          setImmediate(() => audio.write(new Int16Array(480).fill(1_000)))
        })
      })
      const isAtOnce = await first
      if (audio.queuedMs > 0) await once(audio, 'drained')
      for (let silent = 0; silent < 3; silent++) await once(audio, 'frame')
      return isAtOnce
    }
    // A machine that is busy may come to it a frame later.
    let isAtOnce = false
    for (let tries = 0; tries < 20 && !isAtOnce; tries++) isAtOnce = await replies()
    expect(isAtOnce).to.equal(true)
    await channel.hangUp('NORMAL_CLEARING')
    await channel.untilEnded()
  })

  it('fails as it is refused', async () => {
    const channel = await dial({}, async (offer) => {
      offer.refuse(503)
      return Promise.resolve()
    })
    const [end] = channel.end ? [channel.end] : await once(channel, 'ended')
    expect(end).to.include({ hangupCause: 'NORMAL_TEMPORARY_FAILURE', sipCode: 503 })
  })

  it('hears another channel until that ends', async () => {
    const target = await sandbox.parked()
    const { channel, frames } = await answered({ taps: { channelId: target, track: 'both' } })
    await eventually(
      async () => Promise.resolve(frames.length),
      (count) => count > 5,
    )
    await board.kill(target, 'NORMAL_CLEARING')
    if (!channel.end) await once(channel, 'ended')
    expect(channel.end?.hangupCause).to.equal('NORMAL_CLEARING')
  })

  it('does not hear a channel that is not there', async () => {
    const { channel } = await answered({ taps: { channelId: board.newChannelId(), track: 'both' } })
    if (!channel.end) await once(channel, 'ended')
    expect(channel.end?.hangupCause).to.equal('NORMAL_CLEARING')
  })
})
