/** What goes wrong around a page that has calls: nothing is told, connections are cut, no sound comes through. */
import type { BrowserContext, Page } from 'playwright-core'
import { eventually } from '../../../../server/dist/test/support/api-client.js'

interface PageFaults {
  /** Names of events that the page is not told from now on. */
  deaf: string[]
  /** Tells the page of an event. */
  tell(event: string, data: object): void
  /** Cuts the WebSocket that was opened last. */
  cut(): void
  /** Whether WebSockets are cut as soon as they open. */
  isCutOff: boolean
  /** The stream has told this page that it is open. */
  isTold: boolean
  /** The peer connection that was made last finds no way any more. */
  block(): void
  /** Whether nobody looks at the page. */
  isAside: boolean
  /** How many rings were heard. */
  rings: number
}

/** Pages of this context can have what {@link faultsOf} does. */
export async function faulty(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const sources: EventSource[] = []
    const sockets: WebSocket[] = []
    const connections: RTCPeerConnection[] = []
    const faults: PageFaults = {
      deaf: [],
      tell: (event, data) => {
        const message = new MessageEvent(event, { data: JSON.stringify({ event, ...data }) })
        for (const source of sources) source.dispatchEvent(message)
      },
      cut: () => sockets.at(-1)?.close(),
      isCutOff: false,
      isTold: false,
      block: () => {
        const connection = connections.at(-1)
        if (!connection) return
        Object.defineProperty(connection, 'connectionState', { value: 'failed' })
        connection.dispatchEvent(new Event('connectionstatechange'))
      },
      isAside: false,
      rings: 0,
    }
    Object.assign(window, { faults })
    Object.defineProperty(document, 'visibilityState', { get: () => (faults.isAside ? 'hidden' : 'visible') })
    const RealSource = window.EventSource
    window.EventSource = class extends RealSource {
      constructor(...given: ConstructorParameters<typeof RealSource>) {
        super(...given)
        sources.push(this)
        this.addEventListener('stream.opened', () => (faults.isTold = true))
        for (const name of ['call.canceled', 'call.answered', 'call.ended']) {
          this.addEventListener(name, (event) => {
            if (faults.deaf.includes(name)) event.stopImmediatePropagation()
          })
        }
      }
    }
    const RealSocket = window.WebSocket
    window.WebSocket = class extends RealSocket {
      constructor(...given: ConstructorParameters<typeof RealSocket>) {
        super(...given)
        sockets.push(this)
        this.addEventListener('open', (event) => {
          if (!faults.isCutOff) return
          event.stopImmediatePropagation()
          this.close()
        })
      }
    }
    const RealConnection = window.RTCPeerConnection
    window.RTCPeerConnection = class extends RealConnection {
      constructor(...given: ConstructorParameters<typeof RealConnection>) {
        super(...given)
        connections.push(this)
      }
    }
    const RealOscillator = window.OscillatorNode
    window.OscillatorNode = class extends RealOscillator {
      constructor(...given: ConstructorParameters<typeof RealOscillator>) {
        super(...given)
        if (given[1]?.frequency === 480) faults.rings += 1
      }
    }
  })
}

type Faults = {
  [Name in 'deaf' | 'isAside' | 'isCutOff']: (page: Page, value: PageFaults[Name]) => Promise<void>
}

/** Sets what a page suffers from. */
export const suffers: Faults = {
  deaf: async (page, value) =>
    page.evaluate((names) => {
      ;(window as unknown as { faults: PageFaults }).faults.deaf = names
    }, value),
  isCutOff: async (page, value) =>
    page.evaluate((isCutOff) => {
      ;(window as unknown as { faults: PageFaults }).faults.isCutOff = isCutOff
    }, value),
  isAside: async (page, value) =>
    page.evaluate((isAside) => {
      const { faults } = window as unknown as { faults: PageFaults }
      faults.isAside = isAside
      document.dispatchEvent(new Event('visibilitychange'))
    }, value),
}

/** Waits until the page is told what happens: it does not ring for what has begun to before. */
export async function streamIsOpen(page: Page): Promise<void> {
  await page.waitForFunction(() => (window as unknown as { faults: PageFaults }).faults.isTold)
}

/** The stream has come back too late to tell what was missed. */
export async function streamIsNew(page: Page): Promise<void> {
  await page.evaluate(() =>
    (window as unknown as { faults: PageFaults }).faults.tell('stream.opened', { resumed: false }),
  )
}

export async function cutSocket(page: Page): Promise<void> {
  await page.evaluate(() => (window as unknown as { faults: PageFaults }).faults.cut())
}

export async function blockMedia(page: Page): Promise<void> {
  await page.evaluate(() => (window as unknown as { faults: PageFaults }).faults.block())
}

export async function ringsHeard(page: Page): Promise<number> {
  return page.evaluate(() => (window as unknown as { faults: PageFaults }).faults.rings)
}

/** Resolves when the page waits for an answer of this address. @returns lets it and those after it come */
export async function holdBack(page: Page, url: string): Promise<() => Promise<void>> {
  let isHeld = false
  let release = (): void => undefined
  const released = new Promise<void>((resolve) => (release = resolve))
  await page.route(url, async (route) => {
    isHeld = true
    await released
    await route.continue()
  })
  await eventually(async () => Promise.resolve(isHeld), Boolean, { what: `a request of ${url}` })
  return async () => {
    release()
    await page.unrouteAll({ behavior: 'wait' })
  }
}

/** What servers say on WebSockets that are opened from now on is held back. @returns lets it come, and all after it */
export async function holdBackFrames(page: Page): Promise<() => void> {
  let release = (): void => undefined
  const released = new Promise<void>((resolve) => (release = resolve))
  await page.routeWebSocket(/.*/, (socket) => {
    socket.connectToServer().onMessage(async (frame) => {
      await released
      socket.send(frame)
    })
  })
  return release
}
