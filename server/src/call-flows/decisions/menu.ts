import type { FlowNode } from '../call-flow.entity.js'
import type { MenuParams } from '../nodes/inputs.js'

const defaultRetries = 2

/** What a menu does after it was played and has waited: it ends, or is played again. */
export type MenuAttempt =
  | { outcome: string }
  /** `invalid`: `invalid_audio_id`, when there is one, is played before. */
  | { again: true; invalid: boolean }

/**
 * A key is chosen when the menu has an edge for it; `default` is no such edge. Any other key, and no key, has the menu
 * said again up to `retries` times; then what came of the last attempt is the outcome: `invalid` or `timeout`.
 * @param key the first that was pressed; null when none was in time
 * @param attempts how often it had been said before
 */
export function menuAttempt(
  { retries = defaultRetries }: Pick<MenuParams, 'retries'>,
  next: FlowNode['next'],
  key: string | null,
  attempts: number,
): MenuAttempt {
  if (key !== null && isKey.test(key) && Object.hasOwn(next, key)) return { outcome: key }
  if (attempts < retries) return { again: true, invalid: key !== null }
  return { outcome: key === null ? 'timeout' : 'invalid' }
}

const isKey = /^[0-9*#]$/
