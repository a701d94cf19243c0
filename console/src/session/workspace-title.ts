/**
 * The workspace's title as this browser last knew it. Before a sign-in the API tells it to none: strangers who try host names
 * must not learn the names of customers.
 */
const titleKey = 'jackfield.title'

export function knownTitle(): string | null {
  return localStorage.getItem(titleKey)
}

export function keepTitle(title: string): void {
  if (knownTitle() !== title) localStorage.setItem(titleKey, title)
}
