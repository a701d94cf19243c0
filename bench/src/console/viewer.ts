/** The browser of a user of the console. */
import { writeFileSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'
import { browserArguments, findChromium } from '../../../server/dist/test/support/browser.js'
import { say } from '../figures.js'

/** Of a group of processes, from -20, the first, to 19 (sched(7), "The autogroup feature"). */
const firstInLine = '-15'

/**
 * A browser that comes first on this machine, where that may be set: a viewer's is not the server's machine. By groups,
 * because Linux looks at the priority of a process within its session only.
 */
export async function startViewer(): Promise<{ browser: Browser; stop: () => Promise<void> }> {
  const process = await chromium.launchServer({
    executablePath: findChromium() ?? '',
    args: [...browserArguments],
  })
  try {
    writeFileSync(`/proc/${process.process().pid}/autogroup`, firstInLine)
  } catch (error) {
    say(`the browser shares the processors with the server alike: ${String(error)}`)
  }
  return { browser: await chromium.connect(process.wsEndpoint()), stop: async () => process.close() }
}
