import { Anchor, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Answered } from '../../../design/page'
import { PageNumbers } from '../../../design/page-numbers'
import { SectionCard } from '../../../design/section-card'
import { useTexts } from '../../../i18n/texts'
import { type RateDeck, deckWorkspacesQuery } from '../queries'
import { ratesTexts } from '../texts'

/** Workspaces that use this deck as their own. */
export function DeckWorkspaces({ deck: { id, is_default } }: { deck: RateDeck }) {
  const t = useTexts(ratesTexts)
  const [page, setPage] = useState(1)
  const query = useQuery(deckWorkspacesQuery(id, page))
  return (
    <SectionCard title={t('workspaces')}>
      <Answered query={query} rows={1}>
        {({ data, meta }) =>
          meta.total === 0 ? (
            <Text c="dimmed">{t(is_default ? 'noWorkspacesDefault' : 'noWorkspaces')}</Text>
          ) : (
            <Stack>
              <Group component="ul" gap="md" p={0} m={0}>
                {data.map((workspace) => (
                  <li key={workspace.id} style={{ listStyle: 'none' }}>
                    <Anchor component={Link} to={`/workspaces/${workspace.id}`}>
                      {workspace.title}
                    </Anchor>
                  </li>
                ))}
              </Group>
              <PageNumbers label={t('workspaces')} meta={meta} page={page} onPage={setPage} />
            </Stack>
          )
        }
      </Answered>
    </SectionCard>
  )
}
