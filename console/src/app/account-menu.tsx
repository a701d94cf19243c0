/** Who is signed in; language, light or dark, and the way out. */
import { ActionIcon, Avatar, Menu, SegmentedControl, Stack, Text, useMantineColorScheme } from '@mantine/core'
import { IconLogout, IconUser } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { api } from '../api/client'
import { useMe } from '../api/me'
import { type Language, chooseLanguage, languages } from '../i18n/language'
import { useTexts } from '../i18n/texts'
import { deviceId, forgetSession, useSession } from '../session/session'
import { shellTexts } from './texts'

export default function AccountMenu() {
  const t = useTexts(shellTexts)
  const { i18n } = useTranslation()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const session = useSession()
  const me = useMe()
  const navigate = useNavigate()
  const who = me?.display_name ?? t(session?.kind === 'operator' ? 'operatorSession' : 'apiKeySession')
  const signOut = async () => {
    // The API ends the session if it can be reached; this browser forgets it in any case.
    if (session?.kind === 'agent')
      await api.POST('/me/logout', { body: { device_id: deviceId() } }).catch(() => undefined)
    forgetSession()
    await navigate({ to: '/sign-in' })
  }
  return (
    <Menu width={260} position="bottom-end" withArrow>
      <Menu.Target>
        <ActionIcon variant="subtle" size="lg" radius="xl" aria-label={t('account')}>
          {me?.avatar ? <Avatar src={me.avatar} size={30} alt="" /> : <IconUser size={20} />}
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{who}</Menu.Label>
        <Stack gap={4} px="sm" py={4}>
          <Text size="xs" id="jf-appearance">
            {t('appearance')}
          </Text>
          <SegmentedControl
            size="xs"
            aria-labelledby="jf-appearance"
            value={colorScheme}
            onChange={(value) => setColorScheme(value)}
            data={[
              { value: 'light', label: t('light') },
              { value: 'dark', label: t('dark') },
              { value: 'auto', label: t('automatic') },
            ]}
          />
          <Text size="xs" id="jf-language">
            {t('language')}
          </Text>
          <SegmentedControl
            size="xs"
            aria-labelledby="jf-language"
            value={i18n.language}
            onChange={(value) => chooseLanguage(value as Language)}
            data={Object.entries(languages).map(([value, label]) => ({ value, label }))}
          />
        </Stack>
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => void signOut()}>
          {t('signOut')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
