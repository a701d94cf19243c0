/** What the menu and the page search say of a page. The page's route has it: `staticData: { menu: { … } }`. */
import type { Icon } from '@tabler/icons-react'
import type { ComponentType } from 'react'
import type { Person } from './people'

/** From top to bottom. */
export const navigationSections = [
  ...(['desk', 'telephony', 'people', 'automation'] as const),
  ...(['history', 'workspace', 'platform'] as const),
] as const

export type NavigationSection = (typeof navigationSections)[number]

export interface MenuEntry {
  section: NavigationSection
  icon: Icon
  /** Namespace of the page's texts, whose `heading` names it: `teams`, or `teams/ownTeams` where the file has groups. */
  texts: string
  /** A count beside the entry. Result of `lazy`. */
  Badge?: ComponentType
}

export interface NavigationItem extends Omit<MenuEntry, 'texts'> {
  /** In the current language. */
  label: () => string
  path: string
  for: readonly Person[]
}

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    menu?: MenuEntry
    /** Of a root: who may open the pages below it. */
    people?: readonly Person[]
  }
}
