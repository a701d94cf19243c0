/** What can be done from anywhere, by the person's rights. */
import { dataOf } from '@jackfield/sdk'
import { useMantineColorScheme } from '@mantine/core'
import {
  IconCircleCheck,
  IconCircleDashed,
  IconCircleMinus,
  IconKeyboard,
  IconLanguage,
  IconLogout,
  IconMoon,
  IconPhone,
  IconPlus,
  IconSun,
  IconSunMoon,
} from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { api } from '../../api/client'
import { useAction } from '../../api/use-action'
import { writtenNumber } from '../../api/written-number'
import { ownStateKey } from '../../features/presence/queries'
import { type Language, chooseLanguage, languages } from '../../i18n/language'
import { useTexts } from '../../i18n/texts'
import { signOut } from '../../session/sign-out'
import type { Person } from '../people'
import type { Entry } from './entries'
import { paletteTexts } from './texts'

/** Lists whose form for a new one opens by the address. */
const makeable = ['agents', 'teams', 'contacts', 'flows', 'extensions'] as const

/** Flows begin with a template, on a page of its own. */
const pages: Partial<Record<(typeof makeable)[number], string>> = { flows: '/flows/new' }

const states = [
  ['available', IconCircleCheck],
  ['busy', IconCircleMinus],
  ['offline', IconCircleDashed],
] as const

const appearances = [
  ['light', IconSun],
  ['dark', IconMoon],
  ['auto', IconSunMoon],
] as const

/** @param onKeys shows the list of keys */
export function useActions(people: ReadonlySet<Person>, text: string, onKeys: () => void): Entry[] {
  const t = useTexts(paletteTexts)
  const navigate = useNavigate()
  const client = useQueryClient()
  const { setColorScheme } = useMantineColorScheme()
  const speak = useAction({ run: chooseLanguage })
  const choose = useAction({
    run: async (state: (typeof states)[number][0]) => dataOf(api.PUT('/me/state', { body: { state } })),
    onDone: (answer) => client.setQueryData(ownStateKey, answer),
  })
  const agents: Entry[] = states.map(([state, icon]) => ({
    ...{ key: `state ${state}`, group: 'actions', label: t(`go_${state}`), icon },
    run: () => choose.mutate(state),
  }))
  const makes: Entry[] = makeable.map((what) => ({
    ...{ key: `new ${what}`, group: 'actions', label: t(`new_${what}`), icon: IconPlus },
    run: () => {
      const page = pages[what]
      void navigate(page ? { to: page } : { to: `/${what}`, search: {}, hash: 'new' })
    },
  }))
  const settings: Entry[] = [
    ...appearances.map(([scheme, icon]): Entry => ({
      ...{ key: `theme ${scheme}`, group: 'settings', label: t(`theme_${scheme}`), icon },
      run: () => setColorScheme(scheme),
    })),
    ...Object.entries(languages).map(([language, { name }]): Entry => ({
      ...{ key: `language ${language}`, group: 'settings', label: t('speak', { language: name }) },
      ...{ icon: IconLanguage, run: () => speak.mutate(language as Language) },
    })),
    { key: 'keys', group: 'settings', label: t('keys'), icon: IconKeyboard, words: '?', run: onKeys },
    {
      ...{ key: 'sign-out', group: 'settings', label: t('signOut'), icon: IconLogout },
      run: () => {
        signOut()
        void navigate({ to: '/sign-in' })
      },
    },
  ]
  return [
    ...(people.has('agent') ? [...calling(), ...agents] : []),
    ...(people.has('admin') ? makes : []),
    ...settings,
  ]

  /** What looks like a number can be called: the phone has it then, and rings nowhere yet. */
  function calling(): Entry[] {
    const to = writtenNumber(text)
    if (!/^\+?\d{3,15}$/.test(to)) return []
    const run = () => void navigate({ to: '/phone', search: { to } })
    return [
      { key: 'call', group: 'actions', label: t('call', { number: to }), icon: IconPhone, words: text, run },
    ]
  }
}
