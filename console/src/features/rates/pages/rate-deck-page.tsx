import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { Facts } from '../../../design/facts'
import { Answered, Page } from '../../../design/page'
import { UpLink } from '../../../design/up-link'
import { Copyable, StateBadge } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import { DeckActions } from '../components/deck-actions'
import { DeckWorkspaces } from '../components/deck-workspaces'
import { RatesTable } from '../components/rates-table'
import { rateDeckQuery } from '../queries'
import { ratesTexts } from '../texts'

export function RateDeckPage() {
  const t = useTexts(ratesTexts)
  const { id } = useParams({ from: '/shell/operator/rate-decks/$id' })
  const query = useQuery(rateDeckQuery(id))
  return (
    <Page
      title={query.data?.title ?? id}
      up={<UpLink to="/rate-decks">{t('heading')}</UpLink>}
      description={query.data?.is_default && <StateBadge tone="good">{t('default')}</StateBadge>}
      actions={query.data && <DeckActions deck={query.data} />}
    >
      <Answered query={query}>
        {(deck) => (
          <Stack gap="lg">
            <DeckWorkspaces key={id} deck={deck} />
            <RatesTable deck={deck} />
            <Facts facts={[['ID', <Copyable key="id" value={id} what="ID" />]]} />
          </Stack>
        )}
      </Answered>
    </Page>
  )
}
