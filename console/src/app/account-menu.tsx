/** The signed-in user; language, light or dark mode, and sign-out. */
import { ActionIcon, Avatar, type MantineColorScheme, Menu, useMantineColorScheme } from '@mantine/core'
import { IconHelp, IconLogout, IconUser, IconUserCog } from '@tabler/icons-react'
import { Link, useLocation, useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useMe } from '../api/me'
import { useAction } from '../api/use-action'
import { type Language, chooseLanguage, languages } from '../i18n/language'
import { useTexts } from '../i18n/texts'
import { useSession } from '../session/session'
import { signOut } from '../session/sign-out'
import { documentationOf, documentationUrl } from './documentation'
import { shellTexts } from './texts'

const appearances = [
  ['light', 'light'],
  ['dark', 'dark'],
  ['auto', 'automatic'],
] as const satisfies readonly [MantineColorScheme, string][]

export default function AccountMenu() {
  const t = useTexts(shellTexts)
  const { i18n } = useTranslation()
  const pathname = useLocation({ select: (location) => location.pathname })
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const session = useSession()
  const me = useMe()
  const navigate = useNavigate()
  const choose = useAction({ run: chooseLanguage })
  const leave = () => {
    signOut()
    void navigate({ to: '/sign-in' })
  }
  const who = me?.display_name ?? t(session?.kind === 'api_key' ? 'apiKeySession' : 'operatorSession')
  return (
    <Menu
      width={220}
      position="bottom-end"
      withArrow
      // In the page’s banner, and with nothing but its items in it, as assistive technology has it.
      withinPortal={false}
      withInitialFocusPlaceholder={false}
    >
      <Menu.Target>
        <ActionIcon variant="subtle" size="lg" radius="xl" aria-label={t('account')}>
          {me?.avatar ? <Avatar src={me.avatar} size={30} alt="" /> : <IconUser size={20} />}
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{who}</Menu.Label>
        {session?.kind === 'agent' && (
          <Menu.Item component={Link} to="/account" leftSection={<IconUserCog size={16} />}>
            {t('ownAccount')}
          </Menu.Item>
        )}
        <Menu.Item
          component="a"
          href={documentationUrl(documentationOf(pathname))}
          target="_blank"
          rel="noreferrer"
          leftSection={<IconHelp size={16} />}
        >
          {t('documentation')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>{t('appearance')}</Menu.Label>
        <Menu.RadioGroup
          value={colorScheme}
          onChange={(value) => setColorScheme(value as MantineColorScheme)}
        >
          {appearances.map(([value, name]) => (
            <Menu.RadioItem key={value} value={value}>
              {t(name)}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.Label>{t('language')}</Menu.Label>
        <Menu.RadioGroup value={i18n.language} onChange={(value) => choose.mutate(value as Language)}>
          {Object.entries(languages).map(([value, { name }]) => (
            <Menu.RadioItem key={value} value={value} lang={value}>
              {name}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={leave}>
          {t('signOut')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
