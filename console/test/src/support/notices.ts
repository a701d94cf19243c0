/** What is said at the edge of the page. */
import type { Page } from 'playwright-core'

const notices = '.mantine-Notification-root'
const earlier = 'data-earlier'

/**
 * Runs what saves something, and waits until the page says that it is saved: those of earlier saves, which may still be
 * shown, and other texts with the word do not count.
 */
export async function saves(page: Page, save: () => Promise<unknown>): Promise<void> {
  await page.locator(notices).evaluateAll((shown, mark) => {
    for (const one of shown) one.setAttribute(mark, '')
  }, earlier)
  await save()
  await page
    .locator(`${notices}:not([${earlier}])`)
    .getByText(/^Saved$| is (made|saved)$/)
    .waitFor()
}
