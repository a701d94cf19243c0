/** What people do on many pages of the console. */
import type { Locator, Page } from 'playwright-core'

/** Chooses in a field that searches. */
export async function pick(form: Locator, label: string, search: string, option: string): Promise<void> {
  const field = form.getByRole('combobox', { name: label })
  await field.click()
  await field.fill(search)
  await form.page().getByRole('option', { name: option }).click()
}

/** `+1 202 555 0123` of `12025550123`: a number as fields that choose show it. */
export function spaced(number: string): string {
  return number.replace(/^\+?1(\d{3})(\d{3})(\d{4})$/, '+1 $1 $2 $3')
}

/** Goes to a page by the menu. */
export async function goTo(page: Page, name: string): Promise<void> {
  await page.getByRole('navigation').getByRole('link', { name, exact: true }).click()
  await page.getByRole('heading', { level: 1, name }).waitFor()
}
