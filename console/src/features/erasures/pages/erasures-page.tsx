import { Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconEraser } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { AddButton } from '../../../design/add-button'
import { type Column, DataTable } from '../../../design/data-table'
import { FormModal } from '../../../design/form-modal'
import { EmptyState, Page } from '../../../design/page'
import { StateBadge, Time } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import { menuTexts } from '../../texts'
import { ErasureForm } from '../components/erasure-form'
import { type Erasure, erasuresQuery } from '../queries'
import { erasuresTexts } from '../texts'

/** Polling interval: their progress is not streamed. */
const askedEveryMs = 3_000

const shownTables = [
  ...(['calls', 'recordings', 'conversations', 'messages', 'contacts'] as const),
  ...(['device_registrations', 'webhook_deliveries'] as const),
] as const

const tones = { pending: 'idle', running: 'busy', waiting: 'warn', completed: 'good' } as const

export function ErasuresPage() {
  const t = useTexts(erasuresTexts)
  const title = useTexts(menuTexts.erasures)('title')
  const search = useSearch({ from: '/shell/admin/erasures' })
  const navigate = useNavigate({ from: '/erasures' })
  const query = useQuery({
    ...erasuresQuery(search),
    refetchInterval: ({ state }) =>
      state.data?.data.some(({ status }) => status !== 'completed') ? askedEveryMs : false,
  })
  const [isAdding, adding] = useDisclosure()
  const close = () => {
    adding.close()
    void navigate({ search: ({ contact: _, ...before }) => before })
  }
  const countsOf = (counts: Erasure['deleted']) =>
    shownTables.flatMap((table) => {
      const count = counts[table] ?? 0
      return count > 0 ? [t(`table_${table}`, { count })] : []
    })
  const columns: Column<Erasure>[] = [
    { key: 'label', header: t('label'), render: ({ label }) => label },
    {
      key: 'status',
      header: t('status'),
      render: ({ status, waiting_for }) => (
        <StateBadge tone={tones[status]}>
          {t(`status_${status}`, { what: countsOf(waiting_for).join(', ') })}
        </StateBadge>
      ),
    },
    {
      key: 'deleted',
      header: t('deleted'),
      render: ({ deleted }) => (
        <Stack gap={0}>
          {countsOf(deleted).map((text) => (
            <Text key={text} size="sm">
              {text}
            </Text>
          ))}
        </Stack>
      ),
    },
    {
      key: 'requested',
      header: t('requested'),
      sort: 'created_at',
      render: ({ created_at }) => <Time at={created_at} />,
    },
    { key: 'ended', header: t('ended'), render: ({ ended_at }) => <Time at={ended_at} /> },
  ]
  const add = <AddButton onClick={adding.open}>{t('add')}</AddButton>
  return (
    <Page title={title} description={t('description')} actions={add}>
      <DataTable
        label={title}
        query={query}
        columns={columns}
        rowKey={({ id }) => id}
        search={search}
        onSearch={(change) => void navigate({ search: (before) => ({ ...before, ...change }) })}
        empty={
          <EmptyState icon={IconEraser} title={t('emptyTitle')} action={add}>
            {t('emptyHint')}
          </EmptyState>
        }
      />
      <FormModal title={t('add')} opened={isAdding || search.contact !== undefined} onClose={close}>
        <ErasureForm contactId={search.contact} onDone={close} />
      </FormModal>
    </Page>
  )
}
