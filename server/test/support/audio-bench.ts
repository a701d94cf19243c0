/** Legs of raw audio on a real FreeSWITCH, and the telephones and browsers that they are joined with. */
import { once } from 'node:events'
import { pino } from 'pino'
import { audioAnswer, readAudioOffer } from '../../src/adapters/freeswitch/audio-sdp.js'
import type { Channel } from '../../src/adapters/freeswitch/channel.js'
import { type LegOffer, LegAnswerer } from '../../src/adapters/freeswitch/leg-answerer.js'
import type { RawAudio } from '../../src/adapters/freeswitch/raw-audio.js'
import type { SampleRate } from '../../src/lib/sound/sample-rate.js'
import { RtpAudio } from '../../src/adapters/freeswitch/rtp-audio.js'
import { SwitchLink } from '../../src/adapters/freeswitch/switch-link.js'
import { type AudioDialRequest, Switchboard } from '../../src/adapters/freeswitch/switchboard.js'
import { eventually } from './api-client.js'
import type { BrowserPage } from './browser.js'
import { type Freeswitch, type FreeswitchSettings, startFreeswitch } from './freeswitch.js'
import type { PhoneDialog } from './phone-dialog.js'
import { Telephone } from './telephone.js'
import { tone, toneLevel } from './tone.js'

const log = pino({ level: 'silent' })

/** Of both kinds of leg. */
const limits = { ringTimeout: 20, maxDuration: 300, afterBridge: 'park', recoveryVariables: {} } as const

export class AudioBench {
  private readonly phones: Telephone[] = []

  private constructor(
    readonly freeswitch: Freeswitch,
    readonly answerer: LegAnswerer,
    readonly link: SwitchLink,
    readonly board: Switchboard,
  ) {}

  static async start(settings?: FreeswitchSettings): Promise<AudioBench> {
    const freeswitch = await startFreeswitch(settings)
    const answerer = new LegAnswerer({ port: 0 }, log)
    await answerer.start()
    const { host, port, password } = freeswitch
    const link = new SwitchLink({ host, port, password }, log)
    const bench = new AudioBench(freeswitch, answerer, link, new Switchboard(link, answerer))
    link.start()
    await once(link, 'up')
    return bench
  }

  /** Dials a leg of raw audio, which waits for an answer. */
  async offered(
    sampleRate: SampleRate,
    more: Partial<AudioDialRequest> = {},
  ): Promise<{ channel: Channel; offer: LegOffer }> {
    const channelId = this.board.newChannelId()
    let channel: Channel | undefined
    const offer = await new Promise<LegOffer>((resolve) => {
      channel = this.board.dialAudio({ channelId, sampleRate, ...limits, ...more }, resolve)
    })
    return { channel: channel!, offer }
  }

  /** The same, answered. @param queuedSeconds how much sound it holds */
  async raw(
    sampleRate: SampleRate,
    more: Partial<AudioDialRequest> = {},
    queuedSeconds?: number,
  ): Promise<RawEnd> {
    const { channel, offer } = await this.offered(sampleRate, more)
    const answered = once(channel, 'answered', { signal: AbortSignal.timeout(15_000) })
    const remote = readAudioOffer(offer.sdp)
    if (!remote) throw new Error(`no offer of raw audio: ${offer.sdp}`)
    const audio = await RtpAudio.open(remote, queuedSeconds)
    audio.connect(remote)
    offer.answer(audioAnswer(remote, audio.port))
    await answered
    return new RawEnd(channel, audio)
  }

  /** Dials a new telephone (PCMU), which answers and sends a tone. */
  async phone(hz: number): Promise<PhoneEnd> {
    const phone = await Telephone.open({
      username: `p${hz}`,
      domain: 'test',
      server: '127.0.0.1:1',
      toneHz: hz,
    })
    this.phones.push(phone)
    const channelId = this.board.newChannelId()
    const proxy = `127.0.0.1:${phone.port}`
    const channel = this.board.dial({
      ...{ channelId, ...limits, credential: null, headers: {}, codecs: ['PCMU'] },
      target: { user: `p${hz}`, host: 'test', port: null, transport: 'udp', proxy },
      callerId: { user: 'bench', name: 'Bench', domain: 'test' },
    })
    await once(channel, 'answered', { signal: AbortSignal.timeout(15_000) })
    return new PhoneEnd(channel, phone, await phone.called(0))
  }

  /** Dials a browser (Opus), which answers. */
  async browser(page: BrowserPage): Promise<Channel> {
    const channelId = this.board.newChannelId()
    const channel = this.board.dialApp({ channelId, codec: 'OPUS', ...limits }, (offer) => {
      void page.answerOf(offer.sdp).then((sdp) => offer.answer(sdp))
    })
    await once(channel, 'answered', { signal: AbortSignal.timeout(15_000) })
    return channel
  }

  async stop(): Promise<void> {
    await this.link.stop()
    await this.answerer.stop()
    await Promise.all(this.phones.map(async (phone) => phone.close()))
    await this.freeswitch.stop()
  }
}

/** Sounds softer than this are silence: of 16-bit samples. */
const loud = 1_500

/** The end of a leg that is in this process: it keeps what it hears. */
export class RawEnd {
  private frames: Int16Array[] = []

  constructor(
    readonly channel: Channel,
    readonly audio: RawAudio,
  ) {
    audio.on('frame', (samples) => this.frames.push(samples))
  }

  /** Queues a tone of so many milliseconds. @returns how many samples did not fit */
  sing(hz: number, ms: number): number {
    const { sampleRate } = this.audio
    return this.audio.write(tone(hz, (sampleRate * ms) / 1000, sampleRate))
  }

  /** How many frames have come since the last `forget`. */
  get heard(): number {
    return this.frames.length
  }

  forget(): void {
    this.frames = []
  }

  /** Waits until half a second of sound is this tone and not another one. */
  async hears(hz: number, not?: number): Promise<void> {
    await this.listen(`${hz} Hz`, (level) => level(hz) > 0.9 && (!not || level(not) < 0.05))
  }

  /** Waits until half a second of sound has all of these tones. */
  async hearsAll(tones: readonly number[]): Promise<void> {
    await this.listen(`${tones.join(' and ')} Hz`, (level) => tones.every((hz) => level(hz) > 0.2))
  }

  /** Waits until half a second is silent. */
  async hearsNothing(): Promise<void> {
    this.forget()
    await eventually(
      async () => this.frames.slice(-25),
      (last) => last.length === 25 && last.every((frame) => frame.every((sample) => Math.abs(sample) < loud)),
      { withinMs: 15_000, what: 'silence at the raw end' },
    )
  }

  private async listen(what: string, isIt: (level: (hz: number) => number) => boolean): Promise<void> {
    this.forget()
    await eventually(
      async () => Int16Array.from(this.frames.slice(-25).flatMap((frame) => [...frame])),
      (last) => this.frames.length >= 25 && isIt((hz) => toneLevel(last, hz, this.audio.sampleRate)),
      { withinMs: 15_000, what: `${what} at the raw end` },
    )
  }

  async end(): Promise<void> {
    this.audio.close()
    await this.channel.hangUp('NORMAL_CLEARING')
  }
}

export class PhoneEnd {
  constructor(
    readonly channel: Channel,
    readonly phone: Telephone,
    readonly dialog: PhoneDialog,
  ) {}

  /** All that it has heard, at 8 kHz. */
  get pcm(): Int16Array {
    const { host, port } = this.dialog.media ?? {}
    return this.phone.ear.heard().find(({ source }) => source === `${host}:${port}`)?.pcm ?? new Int16Array()
  }

  /** Waits until half a second of sound is this tone and not another one. */
  async hears(hz: number, not?: number): Promise<void> {
    const before = this.pcm.length
    await eventually(
      async () => this.pcm,
      (pcm) =>
        pcm.length >= before + 4_000 &&
        toneLevel(pcm.subarray(-4_000), hz) > 0.9 &&
        (!not || toneLevel(pcm.subarray(-4_000), not) < 0.05),
      { withinMs: 15_000, what: `${hz} Hz at the telephone` },
    )
  }

  /** How many milliseconds of sound it has heard behind the first so many samples. */
  loudMs(from: number): number {
    const pcm = this.pcm.subarray(from)
    let blocks = 0
    for (let start = 0; start + 80 <= pcm.length; start += 80) {
      if (pcm.subarray(start, start + 80).some((sample) => Math.abs(sample) > loud)) blocks += 1
    }
    return blocks * 10
  }
}
