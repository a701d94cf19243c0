import { Group, Tooltip } from '@mantine/core'
import { created, text } from '../../../design/column-kinds'
import { partOf } from '../../../design/part-of'
import { resourcePage } from '../../../design/resource-page'
import { StateBadge } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import { Destination } from '../components/destination'
import { ExtensionFilters } from '../components/extension-filters'
import { type Extension, extensionsFilterOf } from '../queries'
import { extensionsTexts } from '../texts'
import { useBulk } from '../use-bulk'

const ExtensionForm = partOf(async () => import('../components/extension-form'), 'ExtensionForm')

export const ExtensionsPage = resourcePage({
  path: '/extensions',
  texts: extensionsTexts,
  columns: (t) => [
    {
      key: 'number',
      header: t('number'),
      sort: 'extension_number',
      render: (extension: Extension) => <Number {...extension} />,
    },
    text('title', t('titleField'), { sort: true }),
    {
      key: 'destination',
      header: t('destination'),
      render: (extension) => <Destination extension={extension} />,
    },
    created(t('created')),
  ],
  nameOf: ({ extension_number, title }) => `${extension_number} ${title}`,
  form: ({ row, close }) => <ExtensionForm {...(row && { extension: row })} onDone={close} />,
  editTitle: (t, { extension_number }) => t('edit', { number: extension_number }),
  Filters: ExtensionFilters,
  csv: extensionsFilterOf,
  useBulk,
  remove: { consequence: 'deleteConsequence' },
})

function Number({ extension_number, is_emergency_number }: Extension) {
  const t = useTexts(extensionsTexts)
  return (
    <Group gap="xs">
      <code>{extension_number}</code>
      {is_emergency_number && (
        <Tooltip label={t('emergencyHint')}>
          <span>
            <StateBadge tone="bad">{t('emergency')}</StateBadge>
          </span>
        </Tooltip>
      )}
    </Group>
  )
}
