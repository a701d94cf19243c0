import { IconMusic } from '@tabler/icons-react'
import type { NavigationItem } from '../../app/navigation'
import { defineTexts, textOf } from '../../i18n/texts'

/** Separate from the page's texts, which load later. */
export const audiosMenu = defineTexts('audios-menu', {
  en: { title: 'Audios' },
  de: { title: 'Ansagen' },
})

export const audiosNavigation: readonly NavigationItem[] = [
  {
    path: '/audios',
    label: () => textOf(audiosMenu, 'title'),
    icon: IconMusic,
    section: 'telephony',
    for: ['admin'],
  },
]
