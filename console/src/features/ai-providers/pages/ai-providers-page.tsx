import { dataOf } from '@jackfield/sdk'
import { Anchor, Button, Switch } from '@mantine/core'
import { IconPlus, IconSparkles } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { api } from '../../../api/client'
import { checklistKey } from '../../../api/platform'
import { useAction } from '../../../api/use-action'
import { type Column, DataTable } from '../../../design/data-table'
import { EmptyState, Page } from '../../../design/page'
import { RowActions } from '../../../design/row-actions'
import { StateBadge, moneyOf } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import { menuTexts } from '../../texts'
import { useRemoveProvider } from '../components/remove-provider'
import { type AiProvider, aiProvidersKey, aiProvidersQuery } from '../queries'
import { aiProvidersTexts } from '../texts'

export function AiProvidersPage() {
  const t = useTexts(aiProvidersTexts)
  const heading = useTexts(menuTexts.aiProviders)('title')
  const search = useSearch({ from: '/shell/operator/ai-providers' })
  const navigate = useNavigate({ from: '/ai-providers' })
  const query = useQuery(aiProvidersQuery(search))
  const remove = useRemoveProvider()
  const turn = useAction({
    run: async ({ id, is_active }: AiProvider) =>
      dataOf(api.PATCH('/ai-providers/{id}', { params: { path: { id } }, body: { is_active: !is_active } })),
    changes: [aiProvidersKey, checklistKey],
  })
  const add = (
    <Button component={Link} to="/ai-providers/new" leftSection={<IconPlus size={18} aria-hidden />}>
      {t('add')}
    </Button>
  )
  const columns: Column<AiProvider>[] = [
    {
      key: 'name',
      header: t('name'),
      sort: 'name',
      render: ({ id, name }) => (
        <Anchor inherit component={Link} to={`/ai-providers/${id}`}>
          {name}
        </Anchor>
      ),
    },
    { key: 'kind', header: t('kind'), render: ({ kind }) => t(kind) },
    {
      key: 'models',
      header: t('models'),
      render: ({ models }) => models.map(({ name }) => name).join(', '),
    },
    {
      key: 'price',
      header: t('price'),
      align: 'right',
      render: ({ price_per_minute }) => moneyOf(price_per_minute),
    },
    {
      key: 'state',
      header: t('state'),
      render: ({ is_active }) => (
        <StateBadge tone={is_active ? 'good' : 'idle'}>{t(is_active ? 'on' : 'off')}</StateBadge>
      ),
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
          <EmptyState icon={IconSparkles} title={t('emptyTitle')} action={add}>
            {t('emptyHint')}
          </EmptyState>
        }
        rowActions={(provider) => (
          <RowActions name={provider.name} onDelete={() => remove(provider)}>
            <Switch
              aria-label={t(provider.is_active ? 'switchOff' : 'switchOn', { name: provider.name })}
              checked={provider.is_active}
              disabled={turn.isPending}
              onChange={() => turn.mutate(provider)}
            />
          </RowActions>
        )}
      />
    </Page>
  )
}
