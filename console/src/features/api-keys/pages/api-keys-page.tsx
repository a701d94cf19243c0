import { dataOf } from '@jackfield/sdk'
import { Button, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconKey, IconPlus, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { api } from '../../../api/client'
import { type Column, DataTable } from '../../../design/data-table'
import { confirmDelete } from '../../../design/dialogs'
import { FormModal } from '../../../design/form-modal'
import { EmptyState, Page } from '../../../design/page'
import { partOf } from '../../../design/part-of'
import { Time } from '../../../design/values'
import { RowAction } from '../../../design/row-actions'
import { useTexts } from '../../../i18n/texts'
import { menuTexts } from '../../texts'
import { type ApiKey, apiKeysKey, apiKeysQuery } from '../queries'
import { apiKeysTexts } from '../texts'

const NewApiKeyForm = partOf(async () => import('../components/new-api-key-form'), 'NewApiKeyForm')

export function ApiKeysPage() {
  const [t, menu] = [useTexts(apiKeysTexts), useTexts(menuTexts.apiKeys)]
  const search = useSearch({ from: '/shell/admin/api-keys' })
  const navigate = useNavigate({ from: '/api-keys' })
  const query = useQuery(apiKeysQuery(search))
  const [isAdding, adding] = useDisclosure()
  const add = (
    <Button leftSection={<IconPlus size={18} />} onClick={adding.open}>
      {t('add')}
    </Button>
  )
  const columns: Column<ApiKey>[] = [
    {
      key: 'title',
      header: t('what'),
      render: ({ title }) => title || <Text c="dimmed">{t('untitled')}</Text>,
    },
    { key: 'sid', header: 'SID', render: ({ sid }) => <code>{sid}</code> },
    { key: 'scope', header: t('scope'), render: ({ scope }) => t(scope) },
    { key: 'role', header: t('role'), render: ({ role }) => t(role) },
    {
      key: 'signs',
      header: t('signs'),
      render: ({ signs_clients }) => t(signs_clients ? 'signsYes' : 'signsNo'),
    },
    {
      key: 'used',
      header: t('lastUsed'),
      render: ({ last_used_at }) => (last_used_at ? <Time at={last_used_at} /> : t('never')),
    },
    {
      key: 'created',
      header: t('created'),
      sort: 'created_at',
      render: ({ created_at }) => <Time at={created_at} />,
    },
  ]
  return (
    <Page title={menu('title')} description={t('description')} actions={add}>
      <DataTable
        label={menu('title')}
        query={query}
        columns={columns}
        rowKey={({ sid }) => sid}
        search={search}
        onSearch={(change) => void navigate({ search: (before) => ({ ...before, ...change }) })}
        searchLabel={t('search')}
        empty={
          <EmptyState icon={IconKey} title={t('emptyTitle')} action={add}>
            {t('emptyHint')}
          </EmptyState>
        }
        rowActions={({ sid, title }) => (
          <RowAction
            label={t('delete', { title: title || sid })}
            icon={IconTrash}
            isDangerous
            onClick={() =>
              confirmDelete({
                name: title || sid,
                consequence: t('deleteConsequence'),
                run: async () => dataOf(api.DELETE('/api-keys/{sid}', { params: { path: { sid } } })),
                row: { from: apiKeysKey, id: sid },
              })
            }
          />
        )}
      />
      <FormModal title={t('add')} opened={isAdding} onClose={adding.close}>
        <NewApiKeyForm onDone={adding.close} />
      </FormModal>
    </Page>
  )
}
