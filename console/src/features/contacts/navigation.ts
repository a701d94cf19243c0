import { IconAddressBook, IconBook2 } from '@tabler/icons-react'
import type { NavigationItem } from '../../app/navigation'
import { textOf } from '../../i18n/texts'
import { menuTexts } from '../texts'

export const contactsMenu = menuTexts.contacts

export const contactsNavigation: readonly NavigationItem[] = [
  {
    path: '/contacts',
    label: () => textOf(contactsMenu, 'title'),
    icon: IconAddressBook,
    section: 'people',
    for: ['admin'],
  },
  {
    path: '/address-books',
    label: () => textOf(contactsMenu, 'addressBooks'),
    icon: IconBook2,
    section: 'people',
    for: ['admin'],
  },
]
