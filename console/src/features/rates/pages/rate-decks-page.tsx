import { Anchor, Group, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconReceipt2 } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { AddButton } from '../../../design/add-button'
import { type Column, DataTable } from '../../../design/data-table'
import { FormModal } from '../../../design/form-modal'
import { EmptyState, Page } from '../../../design/page'
import { partOf } from '../../../design/part-of'
import { StateBadge, Time, countOf } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import { menuTexts } from '../../texts'
import { LookupCard } from '../components/lookup-card'
import { type RateDeck, rateDecksQuery } from '../queries'
import { ratesTexts } from '../texts'

const DeckForm = partOf(async () => import('../components/deck-form'), 'DeckForm')

export function RateDecksPage() {
  const t = useTexts(ratesTexts)
  const heading = useTexts(menuTexts.rates)('title')
  const search = useSearch({ from: '/shell/operator/rate-decks' })
  const navigate = useNavigate({ from: '/rate-decks' })
  const query = useQuery(rateDecksQuery(search))
  const [isAdding, adding] = useDisclosure()
  const add = <AddButton onClick={adding.open}>{t('add')}</AddButton>
  return (
    <Page title={heading} description={t('description')} actions={add}>
      <Stack gap="lg">
        <DataTable
          label={heading}
          query={query}
          columns={useColumns()}
          rowKey={({ id }) => id}
          search={search}
          onSearch={(change) => void navigate({ search: (before) => ({ ...before, ...change }) })}
          searchLabel={t('searchDecks')}
          empty={
            <EmptyState icon={IconReceipt2} title={t('emptyTitle')} action={add}>
              {t('emptyHint')}
            </EmptyState>
          }
        />
        {(query.data?.data.length ?? 0) > 0 && <LookupCard />}
      </Stack>
      <FormModal title={t('add')} opened={isAdding} onClose={adding.close}>
        <DeckForm
          onCancel={adding.close}
          onDone={({ id }) => void navigate({ to: '/rate-decks/$id', params: { id } })}
        />
      </FormModal>
    </Page>
  )
}

function useColumns(): Column<RateDeck>[] {
  const t = useTexts(ratesTexts)
  return [
    {
      key: 'title',
      header: t('title'),
      sort: 'title',
      render: ({ id, title, is_default }) => (
        <Group gap="xs">
          <Anchor inherit component={Link} to={`/rate-decks/${id}`}>
            {title}
          </Anchor>
          {is_default && <StateBadge tone="good">{t('default')}</StateBadge>}
        </Group>
      ),
    },
    { key: 'id', header: 'ID', render: ({ id }) => <code>{id}</code> },
    { key: 'rates', header: t('rates'), align: 'right', render: ({ rates }) => countOf(rates) },
    { key: 'updated', header: t('updated'), render: ({ updated_at }) => <Time at={updated_at} /> },
  ]
}
