/** Entries of the menu and of the page search. */
import type { Icon } from '@tabler/icons-react'
import type { Person } from './people'
import { featureNavigation } from '../features/navigation'

export type NavigationSection =
  'desk' | 'telephony' | 'people' | 'automation' | 'history' | 'workspace' | 'platform'

export interface NavigationItem {
  path: string
  label: () => string
  icon: Icon
  section: NavigationSection
  for: readonly Person[]
}

/** The pages that a user may open, in the order of the menu. */
export function navigationFor(people: ReadonlySet<Person>): NavigationItem[] {
  return featureNavigation.filter((item) => item.for.some((person) => people.has(person)))
}
