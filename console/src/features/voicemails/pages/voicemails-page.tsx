import { Group, SegmentedControl, Stack } from '@mantine/core'
import { IconArrowBackUp, IconCheck, IconMicrophone2 } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { BulkAction } from '../../../design/bulk-actions'
import { BulkBar } from '../../../design/bulk-bar'
import { useChoosing } from '../../../design/choosing'
import { Answered, EmptyState, Page } from '../../../design/page'
import { RowBox } from '../../../design/row-box'
import { SearchField } from '../../../design/search-field'
import { TablePages } from '../../../design/table-pages'
import { waitingKey } from '../../../api/waiting'
import { useTexts } from '../../../i18n/texts'
import { VoicemailCard } from '../components/voicemail-card'
import { type Voicemail, setDone, voicemailStates, voicemailsKey, voicemailsQuery } from '../queries'
import { voicemailTexts } from '../texts'

/** How one is named: as its card is. */
function useNameOf(): (voicemail: Voicemail) => string {
  const t = useTexts(voicemailTexts)
  return ({ call: { far_party: far } }) => far.name || far.number || t('unknown')
}

export function VoicemailsPage() {
  const t = useTexts(voicemailTexts)
  const search = useSearch({ from: '/shell/agent/voicemails' })
  const navigate = useNavigate({ from: '/voicemails' })
  const { state = 'open' } = search
  const query = useQuery(voicemailsQuery(search))
  const nameOf = useNameOf()
  const choosing = useChoosing(query.data?.data ?? [], ({ id }) => id, nameOf)
  const bulk = useBulk(state)
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
        <BulkBar actions={bulk} choosing={choosing} />
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
                    <VoicemailCard
                      key={voicemail.id}
                      voicemail={voicemail}
                      box={
                        <RowBox
                          name={nameOf(voicemail)}
                          isChosen={choosing.chosen.rows.has(voicemail.id)}
                          onClick={(isRange) => choosing.click(voicemail, isRange)}
                        />
                      }
                    />
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

/** Open voicemails can be marked, done ones opened again; where both are shown, both. */
function useBulk(state: (typeof voicemailStates)[number]): readonly BulkAction<Voicemail>[] {
  const t = useTexts(voicemailTexts)
  const changes = [voicemailsKey, waitingKey]
  const done: BulkAction<Voicemail> = {
    ...{ key: 'done', label: t('done'), icon: IconCheck, changes },
    question: (count) => t('doneQuestion', { count }),
    run: async ({ id }) => setDone(id, true),
  }
  const open: BulkAction<Voicemail> = {
    ...{ key: 'open', label: t('reopen'), icon: IconArrowBackUp, changes },
    question: (count) => t('reopenQuestion', { count }),
    run: async ({ id }) => setDone(id, false),
  }
  return { open: [done], new: [done], done: [open], all: [done, open] }[state]
}
