/** The agent's own account. */
import { SimpleGrid, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { meQuery } from '../../../api/me'
import { Answered, Page } from '../../../design/page'
import { SectionCard } from '../../../design/section-card'
import { useTexts } from '../../../i18n/texts'
import { OwnPasswordForm } from '../components/own-password-form'
import { OwnPicture } from '../components/own-picture'
import { Phones } from '../components/phones'
import { ProfileForm } from '../components/profile-form'
import { Sessions } from '../components/sessions'
import { accountTexts } from '../texts'

export function AccountPage() {
  const t = useTexts(accountTexts)
  const query = useQuery(meQuery)
  return (
    <Page title={t('title')} description={query.data && t('description', { username: query.data.username })}>
      <Answered query={query} rows={12}>
        {(me) => (
          <SimpleGrid cols={{ base: 1, lg: 2 }}>
            <Stack>
              <SectionCard title={t('profile')}>
                <ProfileForm me={me} />
              </SectionCard>
              <SectionCard title={t('picture')}>
                <OwnPicture me={me} />
              </SectionCard>
              <SectionCard title={t('password')} hint={t('passwordHint')}>
                <OwnPasswordForm username={me.username} />
              </SectionCard>
            </Stack>
            <Stack>
              <SectionCard title={t('sessions')} hint={t('sessionsHint')}>
                <Sessions />
              </SectionCard>
              <Phones />
            </Stack>
          </SimpleGrid>
        )}
      </Answered>
    </Page>
  )
}
