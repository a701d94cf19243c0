/** What this person chose last, of what every visit offers; kept by the browser. */
import { mostRecent } from './entries'

const storageKey = 'jackfield.palette'

export function recentKeys(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? '[]')
    return Array.isArray(stored) ? stored.filter((key) => typeof key === 'string') : []
  } catch {
    return []
  }
}

export function remember(key: string): void {
  const keys = [key, ...recentKeys().filter((one) => one !== key)].slice(0, 2 * mostRecent)
  localStorage.setItem(storageKey, JSON.stringify(keys))
}
