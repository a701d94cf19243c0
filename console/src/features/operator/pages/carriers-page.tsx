import { dataOf } from '@jackfield/sdk'
import { ActionIcon, Button, Group, Stack, Switch, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconMessage2Share, IconPlus, IconTrash } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { api } from '../../../api/client'
import { useAction } from '../../../api/use-action'
import { type Column, DataTable } from '../../../design/data-table'
import { confirmDelete } from '../../../design/dialogs'
import { FormModal } from '../../../design/form-modal'
import { EmptyState, Page } from '../../../design/page'
import { partOf } from '../../../design/part-of'
import { StateBadge, type Tone, countOf } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import { carriersTexts } from '../carriers-texts'
import { type Carrier, askedEveryMs, carriersKey, carriersQuery, checklistKey } from '../queries'
import { operatorTexts } from '../texts'

const NewCarrierForm = partOf(async () => import('../components/new-carrier-form'), 'NewCarrierForm')

const tones: Readonly<Record<Carrier['status']['state'], Tone>> = {
  ...{ up: 'good', connecting: 'warn', down: 'bad', inactive: 'idle' },
}

export function CarriersPage() {
  const [t, own] = [useTexts(carriersTexts), useTexts(operatorTexts)]
  const search = useSearch({ from: '/shell/operator/carriers' })
  const navigate = useNavigate({ from: '/carriers' })
  const client = useQueryClient()
  const query = useQuery({ ...carriersQuery(search), refetchInterval: askedEveryMs })
  const [isAdding, adding] = useDisclosure()
  const turn = useAction({
    run: async ({ id, is_active }: Carrier) =>
      dataOf(api.PATCH('/carriers/{id}', { params: { path: { id } }, body: { is_active: !is_active } })),
    changes: [carriersKey, checklistKey],
  })
  const add = (
    <Button leftSection={<IconPlus size={18} />} onClick={adding.open}>
      {t('add')}
    </Button>
  )
  const columns: Column<Carrier>[] = [
    { key: 'title', header: t('title'), sort: 'title', render: ({ title }) => title },
    { key: 'kind', header: t('kind'), render: ({ kind }) => t(kind) },
    {
      key: 'state',
      header: t('state'),
      render: ({ status: { state, last_error } }) => (
        <Stack gap={2} align="flex-start">
          <StateBadge tone={tones[state]}>{t(state)}</StateBadge>
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
    <Page title={own('carriers')} description={t('description')} actions={add}>
      <DataTable
        label={own('carriers')}
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
          <Group gap="xs" justify="flex-end" wrap="nowrap">
            <Switch
              aria-label={t(carrier.is_active ? 'switchOff' : 'switchOn', { title: carrier.title })}
              checked={carrier.is_active}
              disabled={turn.isPending}
              onChange={() => turn.mutate(carrier)}
            />
            <ActionIcon
              variant="subtle"
              color="red"
              aria-label={t('delete', { title: carrier.title })}
              onClick={() =>
                confirmDelete({
                  name: carrier.title,
                  consequence: t('deleteConsequence'),
                  run: async () =>
                    dataOf(api.DELETE('/carriers/{id}', { params: { path: { id: carrier.id } } })),
                  onDone: () => {
                    void client.invalidateQueries({ queryKey: carriersKey })
                    void client.invalidateQueries({ queryKey: checklistKey })
                  },
                })
              }
            >
              <IconTrash size={18} />
            </ActionIcon>
          </Group>
        )}
      />
      <FormModal title={t('add')} opened={isAdding} onClose={adding.close}>
        <NewCarrierForm onDone={adding.close} />
      </FormModal>
    </Page>
  )
}
