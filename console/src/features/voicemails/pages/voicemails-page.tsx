import { Group, SegmentedControl, Stack } from '@mantine/core'
import { IconMicrophone2 } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Answered, EmptyState, Page } from '../../../design/page'
import { SearchField } from '../../../design/search-field'
import { TablePages } from '../../../design/table-pages'
import { useTexts } from '../../../i18n/texts'
import { VoicemailCard } from '../components/voicemail-card'
import { voicemailStates, voicemailsQuery } from '../queries'
import { voicemailTexts } from '../texts'

export function VoicemailsPage() {
  const t = useTexts(voicemailTexts)
  const search = useSearch({ from: '/shell/agent/voicemails' })
  const navigate = useNavigate({ from: '/voicemails' })
  const { state = 'open' } = search
  const query = useQuery(voicemailsQuery(search))
  return (
    <Page title={t('heading')} description={t('description')}>
      <Stack gap="md">
        <Group gap="sm">
          <SegmentedControl
            aria-label={t('state')}
            data={voicemailStates.map((value) => ({ value, label: t(`state_${value}`) }))}
            value={state}
            onChange={(value) =>
              void navigate({ search: ({ page: _, ...before }) => ({ ...before, state: value }) })
            }
          />
          <SearchField
            label={t('search')}
            value={search.search ?? ''}
            onSearch={(text) =>
              void navigate({
                search: ({ page: _, search: __, ...before }) => ({
                  ...before,
                  ...(text && { search: text }),
                }),
                replace: true,
              })
            }
          />
        </Group>
        <Answered query={query} rows={3}>
          {({ data, meta }) =>
            data.length === 0 ? (
              <EmptyState icon={IconMicrophone2} title={t(search.search ? 'emptySearch' : `empty_${state}`)}>
                {t(search.search ? 'emptySearchHint' : 'emptyHint')}
              </EmptyState>
            ) : (
              <>
                <Stack component="ul" gap="sm" p={0} m={0} style={{ listStyle: 'none' }}>
                  {data.map((voicemail) => (
                    <VoicemailCard key={voicemail.id} voicemail={voicemail} />
                  ))}
                </Stack>
                <TablePages
                  label={t('heading')}
                  meta={meta}
                  search={search}
                  onSearch={({ page, limit }) =>
                    void navigate({
                      search: ({ page: _, ...before }) => ({
                        ...before,
                        ...(page && { page }),
                        ...(limit && { limit }),
                      }),
                    })
                  }
                />
              </>
            )
          }
        </Answered>
      </Stack>
    </Page>
  )
}
