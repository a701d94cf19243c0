/** JsSIP in a headless Chromium: a phone of a web page, over WSS, whose microphone is a tone. */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { type Browser, type Page, chromium } from 'playwright-core'
import { build } from 'vite'
import type { WebPhone } from '../browser/jssip.js'
import { browserArguments, findChromium } from './browser.js'

/** The library as one script that sets `JsSIP`. */
async function script(): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    build: {
      write: false,
      lib: { entry: createRequire(import.meta.url).resolve('jssip'), formats: ['iife'], name: 'JsSIP' },
    },
  })
  const output = Array.isArray(built) ? built[0] : built
  if (!output || !('output' in output)) throw new Error('vite has built nothing')
  return output.output[0].code
}

const address = 'http://phone.test/'

export class JssipPage {
  private constructor(
    private readonly browser: Browser,
    private readonly page: Page,
  ) {}

  static async start(): Promise<JssipPage> {
    const executablePath = findChromium()
    if (!executablePath) throw new Error('no Chromium is found')
    const ours = readFile(new URL('../browser/jssip.js', import.meta.url), 'utf8')
    const browser = await chromium.launch({ executablePath, args: [...browserArguments] })
    const context = await browser.newContext({ ignoreHTTPSErrors: true })
    const page = await context.newPage()
    await page.route(address, async (route) =>
      route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>phone</title>' }),
    )
    await page.goto(address)
    await page.addScriptTag({ content: await script() })
    await page.addScriptTag({ content: await ours, type: 'module' })
    await page.waitForFunction(() => 'phone' in globalThis)
    return new JssipPage(browser, page)
  }

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

  async stop(): Promise<void> {
    await this.browser.close()
  }
}
