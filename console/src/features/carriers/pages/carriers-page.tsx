import { Anchor, Stack, Switch, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconMessage2Share } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { askedEveryMs } from '../../../api/platform'
import { AddButton } from '../../../design/add-button'
import { type Column, DataTable } from '../../../design/data-table'
import { FormModal } from '../../../design/forms'
import { EmptyState, Page } from '../../../design/page'
import { RowActions } from '../../../design/row-actions'
import { countOf } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import { menuTexts } from '../../texts'
import { LinkBadge } from '../components/link-badge'
import { NewCarrierForm } from '../components/new-carrier-form'
import { useRemoveCarrier } from '../components/remove-carrier'
import { useTurnCarrier } from '../components/turn-carrier'
import { type Carrier, carriersQuery } from '../queries'
import { carriersTexts } from '../texts'

export function CarriersPage() {
  const t = useTexts(carriersTexts)
  const heading = useTexts(menuTexts.carriers)('title')
  const search = useSearch({ from: '/shell/operator/carriers' })
  const navigate = useNavigate({ from: '/carriers' })
  const query = useQuery({ ...carriersQuery(search), refetchInterval: askedEveryMs })
  const [isAdding, adding] = useDisclosure()
  const turn = useTurnCarrier()
  const remove = useRemoveCarrier()
  const add = <AddButton onClick={adding.open}>{t('add')}</AddButton>
  const columns: Column<Carrier>[] = [
    {
      key: 'title',
      header: t('title'),
      sort: 'title',
      render: ({ id, title }) => (
        <Anchor inherit component={Link} to={`/carriers/${id}`}>
          {title}
        </Anchor>
      ),
    },
    { key: 'kind', header: t('kind'), render: ({ kind }) => t(kind) },
    {
      key: 'state',
      header: t('state'),
      render: ({ status: { state, last_error } }) => (
        <Stack gap={2} align="flex-start">
          <LinkBadge state={state} />
          {last_error && (
            <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
              {last_error}
            </Text>
          )}
        </Stack>
      ),
    },
    {
      key: 'throughput',
      header: t('throughput'),
      align: 'right',
      render: ({ throughput }) => countOf(throughput),
    },
  ]
  return (
    <Page title={heading} description={t('description')} actions={add}>
      <DataTable
        label={heading}
        query={query}
        columns={columns}
        rowKey={({ id }) => id}
        search={search}
        onSearch={(change) => void navigate({ search: (before) => ({ ...before, ...change }) })}
        searchLabel={t('search')}
        empty={
          <EmptyState icon={IconMessage2Share} title={t('emptyTitle')} action={add}>
            {t('emptyHint')}
          </EmptyState>
        }
        rowActions={(carrier) => (
          <RowActions name={carrier.title} onDelete={() => remove(carrier)}>
            <Switch
              aria-label={t(carrier.is_active ? 'switchOff' : 'switchOn', { title: carrier.title })}
              checked={carrier.is_active}
              disabled={turn.isPending}
              onChange={() => turn.mutate(carrier)}
            />
          </RowActions>
        )}
      />
      <FormModal title={t('add')} opened={isAdding} onClose={adding.close}>
        <NewCarrierForm
          onCancel={adding.close}
          onDone={({ id }) => void navigate({ to: '/carriers/$id', params: { id } })}
        />
      </FormModal>
    </Page>
  )
}
