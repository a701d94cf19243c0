import { IconAddressBook, IconBook2 } from '@tabler/icons-react'
import type { NavigationItem } from '../../app/navigation'
import { defineTexts, textOf } from '../../i18n/texts'

/** Separate from the page's texts, which load later. */
export const contactsMenu = defineTexts('contacts-menu', {
  en: { addressBooks: 'Address books', title: 'Contacts' },
  de: { addressBooks: 'Adressbücher', title: 'Kontakte' },
})

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
