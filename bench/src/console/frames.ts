/// <reference lib="dom" />
/** How smoothly a page is drawn: the time between one frame and the next, as the page itself sees it. */
import type { Page } from 'playwright-core'

/** A pause of this length, in milliseconds, between two frames is a visible stutter. */
export const stutterMs = 100

interface Watched {
  gaps: number[]
  reset: () => void
}

declare global {
  interface Window {
    frames_: Watched
  }
}

/** Has every page of a context count its frames from its beginning on. */
export async function watchFrames(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const gaps: number[] = []
    let last = performance.now()
    const step = (now: number) => {
      gaps.push(now - last)
      last = now
      requestAnimationFrame(step)
    }
    requestAnimationFrame(step)
    window.frames_ = {
      gaps,
      reset: () => {
        gaps.length = 0
        last = performance.now()
      },
    }
  })
}

/** The gaps between frames, in milliseconds, while something is done. */
export async function framesDuring(page: Page, work: () => Promise<void>): Promise<number[]> {
  await page.evaluate(() => window.frames_.reset())
  await work()
  return page.evaluate(() => window.frames_.gaps)
}
