/** Web phones in a headless Chromium, over WSS: pages with JsSIP or SIP.js, whose microphones are tones. */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { type Browser, type Page, chromium } from 'playwright-core'
import { build } from 'vite'
import type { CallEvent, WebPhone } from '../browser/web-phone.js'
import { eventually } from './api-client.js'
import { browserArguments, findChromium } from './browser.js'

/** The packages and the names that their scripts set. */
const libraries = {
  jssip: { name: 'JsSIP', entry: 'jssip' },
  sipjs: { name: 'SIP', entry: 'sip.js' },
} as const

export type Library = keyof typeof libraries

/** A library as one script that sets its name. */
async function script(library: Library): Promise<string> {
  const { name, entry } = libraries[library]
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    build: {
      write: false,
      minify: false,
      lib: { entry: createRequire(import.meta.url).resolve(entry), formats: ['iife'], name },
    },
  })
  const output = Array.isArray(built) ? built[0] : built
  if (!output || !('output' in output)) throw new Error('vite has built nothing')
  return output.output[0].code
}

const ours = async (name: string) => readFile(new URL(`../browser/${name}.js`, import.meta.url), 'utf8')

const address = 'http://phone.test/'

export class WebPhonePages {
  private constructor(private readonly browser: Browser) {}

  static async start(): Promise<WebPhonePages> {
    const executablePath = findChromium()
    if (!executablePath) throw new Error('no Chromium is found')
    return new WebPhonePages(await chromium.launch({ executablePath, args: [...browserArguments] }))
  }

  async open(library: Library): Promise<WebPhonePage> {
    const context = await this.browser.newContext({ ignoreHTTPSErrors: true })
    const page = await context.newPage()
    await page.route(address, async (route) =>
      route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>phone</title>' }),
    )
    await page.goto(address)
    const [code, ...modules] = await Promise.all([script(library), ours('web-phone'), ours(library)])
    await page.addScriptTag({ content: code })
    for (const content of modules) await page.addScriptTag({ content, type: 'module' })
    await page.waitForFunction(() => 'phone' in globalThis)
    return new WebPhonePage(page)
  }

  async stop(): Promise<void> {
    await this.browser.close()
  }
}

export class WebPhonePage {
  constructor(private readonly page: Page) {}

  /** Calls what the page has for tests. */
  async does<K extends keyof WebPhone>(
    name: K,
    ...args: Parameters<WebPhone[K]>
  ): Promise<Awaited<ReturnType<WebPhone[K]>>> {
    const run = async ([method, given]: [string, unknown[]]): Promise<any> => {
      const { phone } = globalThis as unknown as {
        phone: Record<string, (...values: unknown[]) => unknown>
      }
      return phone[method]?.(...given)
    }
    return this.page.evaluate(run, [name, args] as [string, unknown[]])
  }

  async told(event: CallEvent): Promise<void> {
    await eventually(
      async () => this.does('has', event),
      (has) => has,
      { what: `${event} at a web phone` },
    )
  }

  /** Waits until a tone is the loudest in what it hears. */
  async hears(hz: number): Promise<void> {
    await eventually(
      async () => this.does('loudest'),
      (loudest) => loudest !== null && Math.abs(loudest - hz) < 20,
      { what: `a web phone that hears ${hz} Hz` },
    )
  }

  async holds(on: boolean): Promise<void> {
    await eventually(
      async () => this.does('hold', on),
      (could) => could,
      { what: on ? 'hold' : 'taking back' },
    )
    await this.told(on ? 'hold' : 'unhold')
  }

  /** Ends as a browser that is killed. */
  async close(): Promise<void> {
    await this.page.context().close()
  }
}
