import { Stack, Text } from '@mantine/core'
import { IconEraser } from '@tabler/icons-react'
import { useSearch } from '@tanstack/react-router'
import { text, time } from '../../../design/column-kinds'
import { type FormProps, resourcePage } from '../../../design/resource-page'
import { StateBadge } from '../../../design/values'
import type { Translate } from '../../../i18n/texts'
import { ErasureForm } from '../components/erasure-form'
import type { Erasure } from '../queries'
import { erasuresTexts } from '../texts'

const shownTables = [
  ...(['calls', 'recordings', 'conversations', 'messages', 'contacts'] as const),
  ...(['device_registrations', 'webhook_deliveries'] as const),
] as const

const tones = { pending: 'idle', running: 'busy', waiting: 'warn', completed: 'good' } as const

type T = Translate<typeof erasuresTexts.en>

function countsOf(t: T, counts: Erasure['deleted']): string[] {
  return shownTables.flatMap((table) => {
    const count = counts[table] ?? 0
    return count > 0 ? [t(`table_${table}`, { count })] : []
  })
}

export const ErasuresPage = resourcePage({
  path: '/erasures',
  texts: erasuresTexts,
  columns: (t) => [
    text('label', t('label')),
    {
      key: 'status',
      header: t('status'),
      render: ({ status, waiting_for }) => (
        <StateBadge tone={tones[status]}>
          {t(`status_${status}`, { what: countsOf(t, waiting_for).join(', ') })}
        </StateBadge>
      ),
    },
    {
      key: 'deleted',
      header: t('deleted'),
      render: ({ deleted }) => (
        <Stack gap={0}>
          {countsOf(t, deleted).map((line) => (
            <Text key={line} size="sm">
              {line}
            </Text>
          ))}
        </Stack>
      ),
    },
    time('created_at', t('requested'), { sort: true }),
    time('ended_at', t('ended')),
  ],
  nameOf: ({ label }) => label,
  form: NewErasure,
  dangerIcon: IconEraser,
  // A contact's page leads here.
  newBy: 'contact',
})

function NewErasure({ close }: FormProps<Erasure>) {
  const { contact } = useSearch({ from: '/shell/admin/erasures' })
  return <ErasureForm contactId={contact} onDone={close} />
}
