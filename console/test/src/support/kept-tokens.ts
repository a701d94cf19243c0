/** The tokens of an agent that a browser keeps, for all of its tabs. */
import type { Page } from 'playwright-core'

export interface KeptTokens {
  id: string
  access_token: string
  refresh_token: string
  expires_at: number
}

/** What the API takes for none, as when their time is over. */
export const ended = { access_token: 'gone', expires_at: 0 }

export async function keptTokens(page: Page): Promise<KeptTokens> {
  const kept = await page.evaluate(() => localStorage.getItem('jackfield.agent'))
  return JSON.parse(kept ?? '{}') as KeptTokens
}

export async function keepTokens(page: Page, tokens: KeptTokens): Promise<void> {
  const kept = JSON.stringify(tokens)
  await page.evaluate((value) => localStorage.setItem('jackfield.agent', value), kept)
}

/** How the API names the browser. */
export async function deviceOf(page: Page): Promise<string> {
  return page.evaluate(() => localStorage.getItem('jackfield.device') ?? '')
}
