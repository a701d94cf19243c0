import { Anchor, Group } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { time } from '../../../design/column-kinds'
import { partOf } from '../../../design/part-of'
import { type FormProps, resourcePage } from '../../../design/resource-page'
import { StateBadge, countOf } from '../../../design/values'
import { LookupCard } from '../components/lookup-card'
import type { RateDeck } from '../queries'
import { ratesTexts } from '../texts'

const DeckForm = partOf(async () => import('../components/deck-form'), 'DeckForm')

export const RateDecksPage = resourcePage({
  path: '/rate-decks',
  texts: ratesTexts,
  columns: (t) => [
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
    { key: 'rates', header: t('rates'), align: 'right', render: ({ rates }) => countOf(rates) },
    time('updated_at', t('updated')),
  ],
  nameOf: ({ title }) => title,
  form: NewDeck,
  Below: LookupCard,
})

function NewDeck({ close }: FormProps<RateDeck>) {
  const navigate = useNavigate()
  return (
    <DeckForm
      onCancel={close}
      onDone={({ id }) => void navigate({ to: '/rate-decks/$id', params: { id } })}
    />
  )
}
