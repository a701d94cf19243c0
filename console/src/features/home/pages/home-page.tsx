import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Answered, Page } from '../../../design/page'
import { useTexts } from '../../../i18n/texts'
import { Checklist } from '../components/checklist'
import { Figures } from '../components/figures'
import { overviewQuery } from '../queries'
import { homeTexts } from '../texts'

export function HomePage() {
  const t = useTexts(homeTexts)
  const query = useQuery(overviewQuery)
  return (
    <Page title={t('heading')} description={t('description')}>
      <Answered query={query} rows={8}>
        {(overview) => (
          <Stack gap="lg">
            <Figures overview={overview} />
            <Checklist setup={overview.setup} />
          </Stack>
        )}
      </Answered>
    </Page>
  )
}
