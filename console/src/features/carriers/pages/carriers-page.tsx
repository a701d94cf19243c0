import { Anchor, Stack, Switch, Text } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { type ActionProps, type FormProps, resourcePage } from '../../../design/resource-page'
import { countOf } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import { LinkBadge } from '../components/link-badge'
import { NewCarrierForm } from '../components/new-carrier-form'
import { useRemoveCarrier } from '../components/remove-carrier'
import { useTurnCarrier } from '../components/turn-carrier'
import type { Carrier } from '../queries'
import { carriersTexts } from '../texts'

export const CarriersPage = resourcePage({
  path: '/carriers',
  texts: carriersTexts,
  columns: (t) => [
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
          <LinkBadge status={{ state, last_error }} />
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
  ],
  nameOf: ({ title }) => title,
  form: NewCarrier,
  Actions: Turn,
  useRemove: useRemoveCarrier,
})

function NewCarrier({ close }: FormProps<Carrier>) {
  const navigate = useNavigate()
  return (
    <NewCarrierForm
      onCancel={close}
      onDone={({ id }) => void navigate({ to: '/carriers/$id', params: { id } })}
    />
  )
}

function Turn({ row }: ActionProps<Carrier>) {
  const t = useTexts(carriersTexts)
  const turn = useTurnCarrier()
  return (
    <Switch
      aria-label={t(row.is_active ? 'switchOff' : 'switchOn', { title: row.title })}
      checked={row.is_active}
      disabled={turn.isPending}
      onChange={() => turn.mutate(row)}
    />
  )
}
