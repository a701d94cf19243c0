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
  ): Promise<{ channel: Channel; frames: number[] }> {
    const frames: number[] = []
    const channel = await dial(more, async (offer) => {
      const remote = readAudioOffer(offer.sdp)
      if (!remote) throw new Error('no raw audio is offered')
      const audio = await RtpAudio.open(remote)
      open.push(audio)
      audio.connect(remote)
      audio.on('frame', (samples) => frames.push(samples.length))
      offer.answer(audioAnswer(remote, audio.port))
    })
    if (channel.state !== 'answered') await once(channel, 'answered')
    return { channel, frames }
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
