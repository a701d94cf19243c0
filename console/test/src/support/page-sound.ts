/** What a page says into its microphone, and what it hears in its calls: tones, so that who hears whom can be told. */
import type { BrowserContext, Page } from 'playwright-core'
import { eventually } from '../../../../server/dist/test/support/api-client.js'

interface PageSound {
  /** The amplitude of a tone in what is heard, as a part of full scale. */
  level(hz: number): number
  /** Whether the next microphone is refused. */
  refused: boolean
  /** How many microphones were given. */
  given: number
  /** How many of them are still in use. */
  used(): number
  /** The person is asked for the next microphone, and waits with the answer. */
  ask(): void
  /** How many times the person is being asked. */
  asking: number
  allow(): void
  /** How many packets of sound the latest connection has sent. */
  sent(): Promise<number>
  /** The microphone that is used is no more. */
  unplug(): void
}

/** The amplitude of a tone that is there is far above; of one that is not, less than a quarter of it. */
const audible = 0.02

/** From now on pages of this context speak with a tone. The microphone itself is asked for as ever. */
export async function singing(context: BrowserContext, toneHz: number): Promise<void> {
  await context.addInitScript((hz) => {
    let analyser: AnalyserNode | undefined
    const microphones: MediaStreamTrack[] = []
    const connections: RTCPeerConnection[] = []
    let allowed = Promise.resolve()
    const sound: PageSound = {
      refused: false,
      given: 0,
      used: () => microphones.filter(({ readyState }) => readyState === 'live').length,
      asking: 0,
      ask(): void {
        allowed = new Promise((resolve) => (sound.allow = resolve))
      },
      allow: () => undefined,
      async sent(): Promise<number> {
        let packets = 0
        for (const { type, packetsSent } of (await connections.at(-1)?.getStats())?.values() ?? [])
          if (type === 'outbound-rtp') packets += packetsSent as number
        return packets
      },
      unplug(): void {
        const inUse = microphones.at(-1)
        inUse?.stop()
        inUse?.dispatchEvent(new Event('ended'))
      },
      level(tone: number): number {
        if (!analyser) return 0
        const samples = new Float32Array(analyser.fftSize)
        analyser.getFloatTimeDomainData(samples)
        let [real, imaginary] = [0, 0]
        samples.forEach((sample, index) => {
          // A window, so that one tone does not spill into another.
          const weight = 1 - Math.cos((2 * Math.PI * index) / samples.length)
          const angle = (2 * Math.PI * tone * index) / (analyser?.context.sampleRate ?? 1)
          real += weight * sample * Math.cos(angle)
          imaginary += weight * sample * Math.sin(angle)
        })
        return (2 * Math.hypot(real, imaginary)) / samples.length
      },
    }
    Object.assign(window, { pageSound: sound })
    const devices = navigator.mediaDevices
    const real = devices.getUserMedia.bind(devices)
    devices.getUserMedia = async (constraints) => {
      sound.asking += 1
      await allowed
      sound.asking -= 1
      if (sound.refused) throw new DOMException('refused by the test', 'NotAllowedError')
      const asked = await real(constraints)
      for (const track of asked.getTracks()) track.stop()
      const context = new AudioContext()
      const microphone = new MediaStreamAudioDestinationNode(context)
      const oscillator = new OscillatorNode(context, { frequency: hz })
      oscillator.connect(new GainNode(context, { gain: 0.25 })).connect(microphone)
      oscillator.start()
      microphones.push(...microphone.stream.getAudioTracks())
      sound.given += 1
      return microphone.stream
    }
    const Real = window.RTCPeerConnection
    window.RTCPeerConnection = class extends Real {
      constructor(...given: ConstructorParameters<typeof Real>) {
        super(...given)
        connections.push(this)
        this.addEventListener('track', ({ track }) => {
          const context = new AudioContext()
          analyser = new AnalyserNode(context, { fftSize: 16_384, smoothingTimeConstant: 0 })
          new MediaStreamAudioSourceNode(context, { mediaStream: new MediaStream([track]) }).connect(analyser)
          // An analyser that leads nowhere is not fed.
          analyser.connect(new GainNode(context, { gain: 0 })).connect(context.destination)
        })
      }
    }
  }, toneHz)
}

/** Has the page's next microphone refused, or given. */
export async function refuseMicrophone(page: Page, refused: boolean): Promise<void> {
  await page.evaluate((value) => {
    const { pageSound } = window as unknown as { pageSound: PageSound }
    pageSound.refused = value
  }, refused)
}

/** Has the microphone that the page speaks into unplugged. */
export async function unplugMicrophone(page: Page): Promise<void> {
  await page.evaluate(() => (window as unknown as { pageSound: PageSound }).pageSound.unplug())
}

/** How many microphones the page was given since it was loaded. */
export async function microphonesGiven(page: Page): Promise<number> {
  return page.evaluate(() => (window as unknown as { pageSound: PageSound }).pageSound.given)
}

/** A person who takes their time to let the page use a microphone. */
export class SlowConsent {
  private constructor(
    private readonly page: Page,
    private readonly given: number,
  ) {}

  /** From now on, for one microphone. */
  static async on(page: Page): Promise<SlowConsent> {
    await page.evaluate(() => (window as unknown as { pageSound: PageSound }).pageSound.ask())
    return new SlowConsent(page, await microphonesGiven(page))
  }

  /** Waits until the page asks. */
  async asked(): Promise<void> {
    await eventually(
      async () => this.page.evaluate(() => (window as unknown as { pageSound: PageSound }).pageSound.asking),
      (asking) => asking > 0,
      { what: 'a page that asks for a microphone' },
    )
  }

  /** Gives a microphone of which nobody has use any more: waits until the page has let go of it. */
  async comesTooLate(): Promise<void> {
    const { page, given } = this
    await page.evaluate(() => (window as unknown as { pageSound: PageSound }).pageSound.allow())
    await eventually(
      async () => ({ given: await microphonesGiven(page), used: await microphonesUsed(page) }),
      (now) => now.given > given && now.used === 0,
      { what: 'microphone that is let go' },
    )
  }
}

/** How many microphones the page uses. */
export async function microphonesUsed(page: Page): Promise<number> {
  return page.evaluate(() => (window as unknown as { pageSound: PageSound }).pageSound.used())
}

/** Waits until the page sends sound, be it silence: what it sends from now on. */
export async function pageSends(page: Page): Promise<void> {
  const sent = async () =>
    page.evaluate(async () => (window as unknown as { pageSound: PageSound }).pageSound.sent())
  const before = await sent()
  // Some are still on their way when a microphone ends; these are of two seconds.
  await eventually(sent, (now) => now > before + 100, { withinMs: 20_000, what: 'sound that is sent' })
}

/** Has the page told that there are other devices now. */
export async function changeDevices(page: Page): Promise<void> {
  await page.evaluate(() => navigator.mediaDevices.dispatchEvent(new Event('devicechange')))
}

/** Waits until the page hears a tone, or hears it no more. */
export async function pageHears(page: Page, hz: number, isHeard = true): Promise<void> {
  await eventually(
    async () =>
      page.evaluate((tone) => (window as unknown as { pageSound: PageSound }).pageSound.level(tone), hz),
    (level) => (isHeard ? level > audible : level < audible / 4),
    { withinMs: 20_000, what: `${hz} Hz ${isHeard ? '' : 'not '}heard in the page` },
  )
}
