/** Entries of the menu and of the page search. */
import { featurePages } from '../features'
import { headingOf } from '../i18n/headings'
import { type NavigationItem, navigationSections } from './navigation-item'
import type { Person } from './people'

function itemsOf(page: (typeof featurePages)[number]): NavigationItem[] {
  const { menu } = page.options.staticData ?? {}
  const people = page.options.getParentRoute().options.staticData?.people ?? []
  if (!menu) return []
  const { texts, ...entry } = menu
  return [{ ...entry, label: () => headingOf(texts), path: page.fullPath, for: people }]
}

/** The pages that a user may open, in the order of the menu. */
export function navigationFor(people: ReadonlySet<Person>): NavigationItem[] {
  const items = featurePages.flatMap(itemsOf).filter((item) => item.for.some((person) => people.has(person)))
  return navigationSections.flatMap((section) => items.filter((item) => item.section === section))
}
