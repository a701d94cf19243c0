import { IconAddressBook } from '@tabler/icons-react'
import type { NavigationItem } from '../../app/navigation'
import { defineTexts, textOf } from '../../i18n/texts'

/** Apart from the page's texts, which need not be there before it is. */
export const contactsMenu = defineTexts('contacts-menu', {
  en: { title: 'Contacts' },
  de: { title: 'Kontakte' },
})

export const contactsNavigation: readonly NavigationItem[] = [
  {
    path: '/contacts',
    label: () => textOf(contactsMenu, 'title'),
    icon: IconAddressBook,
    section: 'people',
    for: ['admin'],
  },
]
