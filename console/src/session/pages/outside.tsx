import { Anchor, Center, Paper, Stack, Text, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { OfflineBanner } from '../../design/offline-banner'
import { useTexts } from '../../i18n/texts'
import { sessionTexts } from '../texts'

/** Frame of the pages before sign-in. */
export function Outside({ title, children }: { title: string; children: ReactNode }) {
  useDocumentTitle(`${title} · Jackfield`)
  return (
    <Center component="main" mih="100dvh" p="sm">
      <Paper withBorder shadow="sm" p="lg" w="100%" maw={420}>
        <Stack>
          <Text fw={700}>Jackfield</Text>
          <Title order={1} size="h3">
            {title}
          </Title>
          <OfflineBanner />
          {children}
        </Stack>
      </Paper>
    </Center>
  )
}

/** The way on where a link of a mail or of the operator's console leads no further. */
export function BackToSignIn() {
  const t = useTexts(sessionTexts)
  return (
    <Anchor component={Link} to="/sign-in" size="sm">
      {t('backToSignIn')}
    </Anchor>
  )
}
