/**
 * Looks at a page as everybody may see it: light and dark, on a desk and on the smallest phone. What axe finds, and
 * what does not fit, fails. With JACKFIELD_TEST_SCREENS=1 pictures are kept in `var/screens` for people to look at.
 */
import { createRequire } from 'node:module'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AxeResults } from 'axe-core'
import { expect } from 'chai'
import type { Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Pictures take a fifteenth of the time of the console's tests. */
const isDrawn = process.env['JACKFIELD_TEST_SCREENS'] === '1'

/** At the checkout's root. */
const screens = fileURLToPath(new URL('../../../../var/screens/', import.meta.url))

/** WCAG 2.2 AA, and what axe's authors hold for good practice. */
const everything = {
  type: 'tag',
  values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
} as const

/** The rules that look at colours: in the second colour scheme nothing else of the page has changed. */
const colours = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } as const

export const desk = { width: 1280, height: 900 }
const wall = { width: 3840, height: 2160 }
const phone = { width: 320, height: 640 }

/** @param name of the pictures: `numbers` gives `numbers-light.png`, `numbers-dark.png` and `numbers-320.png` */
export async function looksGood(page: Page, name: string): Promise<void> {
  const before = page.viewportSize() ?? desk
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.setViewportSize(desk)
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor({ state: 'attached' })
    await settled(page)
    await draw(page, `${name}-${colorScheme}.png`)
    const found = await violations(page, colorScheme === 'light' ? everything : colours)
    expect(found, `axe on ${name}, ${colorScheme}`).to.eql([])
  }
  await fitsPhone(page, name)
  await draw(page, `${name}-320.png`)
  expect(await violations(page), `axe on ${name}, 320 px`).to.eql([])
  await page.setViewportSize(before)
  await page.emulateMedia({ colorScheme: 'light' })
}

async function draw(page: Page, file: string): Promise<void> {
  if (!isDrawn) return
  mkdirSync(screens, { recursive: true })
  await page.screenshot({ path: join(screens, file), fullPage: true })
}

/** What axe finds in what is shown, in light and in dark. */
export async function isFine(page: Page, name: string): Promise<void> {
  await settled(page)
  expect(await violations(page), `axe on ${name}`).to.eql([])
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  await page.locator('html[data-mantine-color-scheme="dark"]').waitFor({ state: 'attached' })
  await settled(page)
  expect(await violations(page, colours), `axe on ${name}, dark`).to.eql([])
  await page.emulateMedia({ colorScheme: 'light' })
}

/** Nothing reaches beyond the smallest phone. The page is left as small. */
export async function fitsPhone(page: Page, name: string): Promise<void> {
  await page.setViewportSize(phone)
  await settled(page)
  expect(await tooWide(page), `wider than 320 px on ${name}`).to.eql([])
}

/** The same on a screen of 4K on a wall, where all is larger; the picture is `<name>-wall.png`. */
export async function looksGoodOnWall(page: Page, name: string): Promise<void> {
  const before = page.viewportSize() ?? desk
  await page.setViewportSize(wall)
  await settled(page)
  await draw(page, `${name}-wall.png`)
  const size = await page.evaluate(() => getComputedStyle(document.documentElement).fontSize)
  expect(Number.parseFloat(size), 'text on a wall').to.be.greaterThan(24)
  expect(await tooWide(page), `wider than the wall on ${name}`).to.eql([])
  await page.setViewportSize(before)
}

/** Until nothing is loading any more, and nothing moves. */
export async function settled(page: Page): Promise<void> {
  await page.waitForFunction(() => document.querySelector('[role="status"][aria-busy="true"]') === null)
  await page.evaluate(async () => {
    const ends = document.getAnimations().filter(({ effect }) => {
      const timing = effect?.getComputedTiming()
      return timing?.iterations !== Infinity
    })
    await Promise.all(ends.map(async (animation) => animation.finished.catch(() => undefined)))
    // What is fixed to the window would be drawn where the window is.
    window.scrollTo(0, 0)
    await new Promise((resolve) => requestAnimationFrame(resolve))
  })
}

async function violations(page: Page, runOnly: object = everything): Promise<string[]> {
  // Evaluated, not added as a script: the page's own policy allows no others.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe)
  const results = await page.evaluate(async (rules) => {
    const { axe: tool } = window as unknown as {
      axe: { run: (root: Document, options: object) => Promise<AxeResults> }
    }
    return tool.run(document, { runOnly: rules, resultTypes: ['violations'] })
  }, runOnly)
  return results.violations.flatMap(({ id, help, nodes }) =>
    nodes.map(
      ({ target, failureSummary }) => `${id}: ${help} at ${target.join(' ')}: ${failureSummary ?? ''}`,
    ),
  )
}

/** The innermost elements that reach beyond the window, unless something scrolls them. */
async function tooWide(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const width = document.documentElement.clientWidth
    if (document.documentElement.scrollWidth <= width) return []
    return [...document.querySelectorAll('body *')]
      .filter(
        (element) => element.getBoundingClientRect().right > width + 1 && element.childElementCount === 0,
      )
      .map(
        (element) =>
          `${element.tagName} ${String(element.getAttribute('class'))} ${element.textContent.slice(0, 40)}`,
      )
  })
}
