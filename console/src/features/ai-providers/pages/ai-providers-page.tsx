import { dataOf } from '@jackfield/sdk'
import { Anchor, Switch } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { api } from '../../../api/client'
import { checklistKey } from '../../../api/platform'
import { useAction } from '../../../api/use-action'
import { type ActionProps, resourcePage } from '../../../design/resource-page'
import { StateBadge, exactMoneyOf } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import { useRemoveProvider } from '../components/remove-provider'
import { type AiProvider, aiProvidersKey } from '../queries'
import { aiProvidersTexts } from '../texts'

export const AiProvidersPage = resourcePage({
  path: '/ai-providers',
  texts: aiProvidersTexts,
  columns: (t) => [
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
      render: ({ price_per_minute }) => exactMoneyOf(price_per_minute),
    },
    {
      key: 'state',
      header: t('state'),
      render: ({ is_active }) => (
        <StateBadge tone={is_active ? 'good' : 'idle'}>{t(is_active ? 'on' : 'off')}</StateBadge>
      ),
    },
  ],
  nameOf: ({ name }) => name,
  newPage: '/ai-providers/new',
  Actions: Turn,
  useRemove: useRemoveProvider,
})

function Turn({ row }: ActionProps<AiProvider>) {
  const t = useTexts(aiProvidersTexts)
  const turn = useAction({
    run: async ({ id, is_active }: AiProvider) =>
      dataOf(api.PATCH('/ai-providers/{id}', { params: { path: { id } }, body: { is_active: !is_active } })),
    changes: [aiProvidersKey, checklistKey],
  })
  return (
    <Switch
      aria-label={t(row.is_active ? 'switchOff' : 'switchOn', { name: row.name })}
      checked={row.is_active}
      disabled={turn.isPending}
      onChange={() => turn.mutate(row)}
    />
  )
}
