/** Pages for unknown addresses and for failures. */
import { Alert, Button, Stack, Text } from '@mantine/core'
import { IconMapOff } from '@tabler/icons-react'
import { type ErrorComponentProps, Link } from '@tanstack/react-router'
import { messageOf } from '../api/errors'
import { EmptyState, Page } from '../design/page'
import { common } from '../i18n/common'
import { useTexts } from '../i18n/texts'
import { shellTexts } from './texts'

/** The page of an unknown address, before signing in. */
export function NoSuchAddress() {
  return (
    <Stack component="main" p="lg">
      <NotFound />
    </Stack>
  )
}

/** A user who may open no page at all. */
export function NothingForYou() {
  const t = useTexts(shellTexts)
  return (
    <Page title={t('nothingForYou')}>
      <EmptyState icon={IconMapOff} title={t('nothingForYouHint')} />
    </Page>
  )
}

/** An unknown address, within the shell. */
export function NotFound() {
  const t = useTexts(common)
  return (
    <Page title={t('notFound')}>
      <EmptyState
        icon={IconMapOff}
        title={t('notFoundHint')}
        action={
          <Button component={Link} to="/">
            {t('back')}
          </Button>
        }
      />
    </Page>
  )
}

export function PageCrashed({ error, reset }: ErrorComponentProps) {
  const t = useTexts(shellTexts)
  return (
    <Stack p="lg" component="main">
      <Alert color="red" title={t('crashed')} role="alert">
        <Stack align="flex-start">
          <Text>{messageOf(error)}</Text>
          <Button
            onClick={() => {
              reset()
              location.reload()
            }}
          >
            {t('reload')}
          </Button>
        </Stack>
      </Alert>
    </Stack>
  )
}
