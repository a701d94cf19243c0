/** What people do on many pages of the console. */
import type { Locator, Page } from 'playwright-core'

/** Chooses in a field that searches. */
export async function pick(form: Locator, label: string, search: string, option: string): Promise<void> {
  const field = form.getByRole('combobox', { name: label })
  await field.click()
  await field.fill(search)
  await form.page().getByRole('option', { name: option }).click()
}

/** Goes to a page by the menu. */
export async function goTo(page: Page, name: string): Promise<void> {
  await page.getByRole('navigation').getByRole('link', { name, exact: true }).click()
  await page.getByRole('heading', { level: 1, name }).waitFor()
}
