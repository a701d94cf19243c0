import '../phone.css'
import { Grid, Stack } from '@mantine/core'
import { useSearch } from '@tanstack/react-router'
import { complain } from '../../../api/use-action'
import { Page } from '../../../design/page'
import { useTexts } from '../../../i18n/texts'
import { Colleagues } from '../../presence/components/colleagues'
import { DialForm } from '../components/dial-form'
import { RecentCalls } from '../components/recent-calls'
import { SoundSettings } from '../components/sound-settings'
import { phone, usePhone } from '../phone'
import { problemOf } from '../phone-problem'
import { phoneTexts } from '../texts'

/** Of the room that a call leaves them: it has a column of its own. */
const columnsFrom = { xs: '20em', sm: '38em', md: '48em', lg: '58em', xl: '80em' } as const

export function PhonePage() {
  const t = useTexts(phoneTexts)
  const { to = '' } = useSearch({ from: '/shell/agent/phone' })
  const { isBusy, isStarting } = usePhone()
  const call = (number: string, name: string) => {
    phone.dial(number, '', name).catch((error: unknown) => complain(error, problemOf(error)))
  }
  const onCall = isBusy || isStarting ? undefined : call
  return (
    <Page title={t('heading')} description={t('description')}>
      <Grid gap="md" type="container" breakpoints={columnsFrom}>
        <Grid.Col span={{ base: 12, sm: 6, lg: 4 }}>
          <Stack>
            <DialForm key={to} to={to} />
            <SoundSettings />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, sm: 6, lg: 4 }}>
          <Colleagues onCall={onCall && (({ username, display_name }) => onCall(username, display_name))} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 4 }}>
          <RecentCalls onCall={onCall} />
        </Grid.Col>
      </Grid>
    </Page>
  )
}
