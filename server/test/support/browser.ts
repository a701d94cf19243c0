/**
 * Browsers for tests: a headless Chromium whose pages speak WebRTC. A page plays a tone into its call and tells how loud
 * each tone is in what it hears.
 */
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { type Server, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Browser, type Page, chromium } from 'playwright-core'
import type { Peer } from '../browser/peer.js'
import { eventually } from './api-client.js'

const candidates = [
  process.env['JACKFIELD_TEST_CHROMIUM'] ?? '',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]

/** Path of this machine's Chromium, or null. */
export function findChromium(): string | null {
  return candidates.find((path) => path !== '' && existsSync(path)) ?? null
}

/** The amplitude of a tone that is there is far above, of one that is not less than a quarter of it. */
const audible = 0.02

export class Chromium {
  private constructor(
    private readonly browser: Browser,
    private readonly server: Server,
  ) {}

  /** @throws when there is none */
  static async start(): Promise<Chromium> {
    const executablePath = findChromium()
    if (!executablePath) throw new Error('no Chromium is found')
    const browser = await chromium.launch({
      executablePath,
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--allow-loopback-in-peer-connection',
        '--disable-features=WebRtcHideLocalIpsWithMdns',
        '--use-fake-ui-for-media-stream',
        '--use-fake-device-for-media-stream',
        '--autoplay-policy=no-user-gesture-required',
        // Pages that nobody looks at go on as any other.
        '--disable-background-timer-throttling',
        '--disable-renderer-backgrounding',
        '--disable-backgrounding-occluded-windows',
      ],
    })
    // A page of its own origin: about:blank may not open event streams or sockets with the origin that an app has.
    const script = await readFile(new URL('../browser/peer.js', import.meta.url))
    const server = createServer(({ url }, response) => {
      const isPage = url === '/'
      response.setHeader('Content-Type', isPage ? 'text/html' : 'text/javascript')
      response.end(isPage ? '<!doctype html><script type="module" src="peer.js"></script>' : script)
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return new Chromium(browser, server)
  }

  /** Opens a page that sends a tone. */
  async page(toneHz: number): Promise<BrowserPage> {
    const context = await this.browser.newContext()
    const page = await context.newPage()
    const { port } = this.server.address() as AddressInfo
    const one = new BrowserPage(page, `http://127.0.0.1:${port}/`, toneHz)
    await one.load()
    return one
  }

  async stop(): Promise<void> {
    await this.browser.close()
    this.server.closeAllConnections()
    await new Promise<void>((done) => this.server.close(() => done()))
  }
}

/** One app in a browser. */
export class BrowserPage {
  constructor(
    readonly page: Page,
    private readonly address: string,
    private readonly toneHz: number,
  ) {}

  /** Loads the page, or loads it anew: what it had is lost. */
  async load(): Promise<void> {
    await this.page.goto(this.address)
    await this.peer('sing', this.toneHz)
  }

  /** A new peer connection takes an offer; returns the answer. */
  async answerOf(sdp: string): Promise<string> {
    return this.peer('answer', sdp, false)
  }

  /** The peer connection that there is takes a further offer. */
  async answerAgain(sdp: string): Promise<string> {
    return this.peer('answer', sdp, true)
  }

  async levels(...tones: number[]): Promise<number[]> {
    return this.peer('levels', tones)
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
    return this.peer('packets')
  }

  async press(keys: string): Promise<void> {
    await this.peer('press', keys)
  }

  async mute(on: boolean): Promise<void> {
    await this.peer('mute', on)
  }

  /** Ends as a browser that is killed. */
  async close(): Promise<void> {
    await this.page.context().close()
  }

  private async peer<K extends keyof Peer>(
    name: K,
    ...args: Parameters<Peer[K]>
  ): Promise<Awaited<ReturnType<Peer[K]>>> {
    const call = async ([method, values]: [string, unknown[]]): Promise<any> => {
      const { peer } = globalThis as unknown as { peer: Record<string, (...given: unknown[]) => unknown> }
      return peer[method]?.(...values)
    }
    return this.page.evaluate(call, [name, args] as [string, unknown[]])
  }
}
