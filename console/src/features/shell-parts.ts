/** Parts of features around every page: in the header, or floating. Each loads when it is first shown. */
import { type ComponentType, lazy } from 'react'
import type { Person } from '../app/people'
import { fetched } from '../api/fetched'

export interface ShellPart {
  key: string
  for: readonly Person[]
  /** Result of `lazy`. */
  Part: ComponentType
}

export const headerParts: readonly ShellPart[] = [
  {
    key: 'presence',
    for: ['agent'],
    Part: lazy(async () => fetched(async () => import('./presence/components/presence-menu'))),
  },
  {
    key: 'inbox',
    for: ['agent'],
    Part: lazy(async () => fetched(async () => import('./inbox/components/unread-link'))),
  },
]

export const sideParts: readonly ShellPart[] = [
  {
    key: 'phone',
    for: ['agent'],
    Part: lazy(async () => fetched(async () => import('./phone/components/call-dock'))),
  },
]
