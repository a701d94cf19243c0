/**
 * Browsers for tests: a headless Chromium whose pages speak WebRTC. A page plays a tone into its call and tells how loud
 * each tone is in what it hears.
 */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { type Browser, type Page, chromium } from 'playwright-core'
import type { App } from '../browser/app.js'
import type { Peer } from '../browser/peer.js'
import { eventually } from './api-client.js'

/** The shell has the engine and no more: a page in a new profile costs it a third of what it costs a whole Chromium. */
const candidates = [
  process.env['JACKFIELD_TEST_CHROMIUM'] ?? '',
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]

/** Path of this machine's Chromium, or null. */
export function findChromium(): string | null {
  return candidates.find((path) => path !== '' && existsSync(path)) ?? null
}

/** How a browser of the tests is started: with sounds and a microphone that are none. */
export const browserArguments: readonly string[] = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-software-rasterizer', // no emulated GPU either: what there is to draw is drawn at once
  '--disable-quic',
  '--no-first-run',
  // A page of a test ends before compiled code has paid for its compilation: without, it takes a third less.
  '--js-flags=--no-turbofan --no-maglev',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--allow-loopback-in-peer-connection',
  // Pages that no network brought count as public, from which the machine's own addresses are out of bounds.
  '--disable-features=WebRtcHideLocalIpsWithMdns,LocalNetworkAccessChecks,LocalNetworkAccessChecksWebSockets',
  '--use-fake-ui-for-media-stream',
  '--use-fake-device-for-media-stream',
  '--autoplay-policy=no-user-gesture-required',
  // Pages that nobody looks at go on as any other.
  '--disable-background-timer-throttling',
  '--disable-renderer-backgrounding',
  '--disable-backgrounding-occluded-windows',
]

/** The amplitude of a tone that is there is far above, of one that is not less than a quarter of it. */
const audible = 0.02

const address = 'http://app.test/'

/** What is there for a page to call: see `server/test/browser/`. */
interface InPage {
  peer: Peer
  app: App
}

export class Chromium {
  private constructor(
    private readonly browser: Browser,
    private readonly html: string,
  ) {}

  /** @throws when there is none */
  static async start(): Promise<Chromium> {
    const executablePath = findChromium()
    if (!executablePath) throw new Error('no Chromium is found')
    const scripts = ['peer', 'app'].map(async (name) =>
      readFile(new URL(`../browser/${name}.js`, import.meta.url), 'utf8'),
    )
    const modules = (await Promise.all(scripts)).map((script) => `<script type="module">${script}</script>`)
    const browser = await chromium.launch({
      executablePath,
      args: [...browserArguments],
    })
    return new Chromium(browser, `<!doctype html><title>test</title>${modules.join('')}`)
  }

  /** Opens a page that sends a tone. It seems to come from a site that is not ours. */
  async page(toneHz: number): Promise<BrowserPage> {
    const context = await this.browser.newContext()
    const page = await context.newPage()
    const { html } = this
    await page.route(address, async (route) => route.fulfill({ contentType: 'text/html', body: html }))
    const one = new BrowserPage(page, toneHz)
    await one.load()
    return one
  }

  async stop(): Promise<void> {
    await this.browser.close()
  }
}

/** One app in a browser. */
export class BrowserPage {
  constructor(
    private readonly page: Page,
    private readonly toneHz: number,
  ) {}

  /** Loads the page, or loads it anew: what it had is lost. */
  async load(): Promise<void> {
    await this.page.goto(address)
    await this.call('peer', 'sing', this.toneHz)
  }

  /** A new peer connection takes an offer; returns the answer. */
  async answerOf(sdp: string): Promise<string> {
    return this.call('peer', 'answer', sdp, false)
  }

  /** The peer connection that there is takes a further offer. */
  async answerAgain(sdp: string): Promise<string> {
    return this.call('peer', 'answer', sdp, true)
  }

  async levels(...tones: number[]): Promise<number[]> {
    return this.call('peer', 'levels', tones)
  }

  /** Waits until all of some tones are heard, and none of others. */
  async hears(tones: readonly number[], not: readonly number[] = [], withinMs = 15_000): Promise<void> {
    await eventually(
      async () => this.levels(...tones, ...not),
      (levels) =>
        levels.every((level, index) => (index < tones.length ? level > audible : level < audible / 4)),
      {
        withinMs,
        what: `hearing ${tones.join(', ')} Hz${not.length > 0 ? ` and not ${not.join(', ')}` : ''}`,
      },
    )
  }

  async packets(): Promise<number> {
    return this.call('peer', 'packets')
  }

  async press(keys: string): Promise<void> {
    await this.call('peer', 'press', keys)
  }

  /** Waits until a picture of mostly one colour is seen. */
  async sees(colour: 'red' | 'green' | 'blue'): Promise<void> {
    const wanted = ['red', 'green', 'blue'].indexOf(colour)
    await eventually(
      async () => this.call('peer', 'seen'),
      (mean) => mean?.every((level, index) => (index === wanted ? level > 100 : level < 90)) ?? false,
      { withinMs: 20_000, what: `a ${colour} picture` },
    )
  }

  async mute(on: boolean): Promise<void> {
    await this.call('peer', 'mute', on)
  }

  /** Ends as a browser that is killed. */
  async close(): Promise<void> {
    await this.page.context().close()
  }

  /** Calls what the page has for tests. */
  async call<T extends keyof InPage, K extends keyof InPage[T] & string>(
    target: T,
    name: K,
    ...args: InPage[T][K] extends (...given: infer A) => unknown ? A : never
  ): Promise<InPage[T][K] extends (...given: never[]) => infer R ? Awaited<R> : never> {
    const run = async ([object, method, given]: [string, string, unknown[]]): Promise<any> => {
      const all = globalThis as unknown as Record<string, Record<string, (...values: unknown[]) => unknown>>
      return all[object]?.[method]?.(...given)
    }
    return this.page.evaluate(run, [target, name, args] as [string, string, unknown[]])
  }
}
