import { dataOf } from '@jackfield/sdk'
import { Group, Tooltip } from '@mantine/core'
import { IconDialpad } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../../api/client'
import { AddButton } from '../../../design/add-button'
import { type Column, DataTable } from '../../../design/data-table'
import { confirmDelete } from '../../../design/dialogs'
import { FormModal } from '../../../design/form-modal'
import { EmptyState, Page } from '../../../design/page'
import { partOf } from '../../../design/part-of'
import { RowActions } from '../../../design/row-actions'
import { StateBadge, Time } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import { menuTexts } from '../../texts'
import { Destination } from '../components/destination'
import { type Extension, extensionsKey, extensionsQuery } from '../queries'
import { extensionsTexts } from '../texts'

const ExtensionForm = partOf(async () => import('../components/extension-form'), 'ExtensionForm')

export function ExtensionsPage() {
  const t = useTexts(extensionsTexts)
  const heading = useTexts(menuTexts.extensions)('title')
  const search = useSearch({ from: '/shell/admin/extensions' })
  const navigate = useNavigate({ from: '/extensions' })
  const query = useQuery(extensionsQuery(search))
  const [open, setOpen] = useState<Extension | 'new'>()
  const close = () => setOpen(undefined)
  const edited = open === 'new' ? undefined : open
  const add = <AddButton onClick={() => setOpen('new')}>{t('add')}</AddButton>
  const columns: Column<Extension>[] = [
    {
      key: 'number',
      header: t('number'),
      sort: 'extension_number',
      render: ({ extension_number, is_emergency_number }) => (
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
      ),
    },
    { key: 'title', header: t('titleField'), sort: 'title', render: ({ title }) => title },
    {
      key: 'destination',
      header: t('destination'),
      render: (extension) => <Destination extension={extension} />,
    },
    {
      key: 'created',
      header: t('created'),
      sort: 'created_at',
      render: ({ created_at }) => <Time at={created_at} />,
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
          <EmptyState icon={IconDialpad} title={t('emptyTitle')} action={add}>
            {t('emptyHint')}
          </EmptyState>
        }
        rowActions={(extension) => (
          <RowActions
            name={`${extension.extension_number} ${extension.title}`}
            onEdit={() => setOpen(extension)}
            onDelete={() =>
              confirmDelete({
                name: `${extension.extension_number} ${extension.title}`,
                consequence: t('deleteConsequence'),
                run: async () =>
                  dataOf(api.DELETE('/extensions/{id}', { params: { path: { id: extension.id } } })),
                row: { from: extensionsKey, id: extension.id },
              })
            }
          />
        )}
      />
      <FormModal
        title={edited ? t('edit', { number: edited.extension_number }) : t('add')}
        opened={open !== undefined}
        onClose={close}
      >
        <ExtensionForm key={edited?.id ?? 'new'} {...(edited && { extension: edited })} onDone={close} />
      </FormModal>
    </Page>
  )
}
