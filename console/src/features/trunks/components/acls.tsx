import { dataOf } from '@jackfield/sdk'
import { Code, Group } from '@mantine/core'
import { IconShieldCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../api/client'
import { AddButton } from '../../../design/add-button'
import { type Column, DataTable } from '../../../design/data-table'
import { confirmDelete } from '../../../design/dialogs'
import { FormModal } from '../../../design/form-modal'
import { EmptyState } from '../../../design/page'
import { partOf } from '../../../design/part-of'
import { RowActions } from '../../../design/row-actions'
import { Time } from '../../../design/values'
import { common } from '../../../i18n/common'
import { useTexts } from '../../../i18n/texts'
import { type InboundAcl, aclsKey, aclsQuery } from '../queries'
import { trunksTexts } from '../texts'
import type { TrunkListProps } from './trunk-list'

const AclForm = partOf(async () => import('./acl-form'), 'AclForm')

export function Acls({ search, onSearch, isAdding, onAdd, onAdded }: TrunkListProps) {
  const t = useTexts(trunksTexts)
  const c = useTexts(common)
  const [edited, setEdited] = useState<InboundAcl>()
  const columns: Column<InboundAcl>[] = [
    { key: 'title', header: t('titleField'), sort: 'title', render: ({ title }) => title },
    { key: 'mode', header: t('mode'), render: ({ mode }) => t(mode) },
    {
      key: 'entries',
      header: t('entries'),
      render: ({ allowed_ips }) => (
        <Group gap={4}>
          {allowed_ips.map((entry) => (
            <Code key={entry}>{entry}</Code>
          ))}
        </Group>
      ),
    },
    {
      key: 'created',
      header: c('created'),
      sort: 'created_at',
      render: ({ created_at }) => <Time at={created_at} />,
    },
  ]
  return (
    <>
      <DataTable
        label={t('acls')}
        query={useQuery(aclsQuery(search))}
        columns={columns}
        rowKey={({ id }) => id}
        search={search}
        onSearch={onSearch}
        searchLabel={t('aclSearch')}
        empty={
          <EmptyState
            icon={IconShieldCheck}
            title={t('aclEmptyTitle')}
            action={<AddButton onClick={onAdd}>{t('aclAdd')}</AddButton>}
          >
            {t('aclEmptyHint')}
          </EmptyState>
        }
        rowActions={(acl) => (
          <RowActions
            name={acl.title}
            onEdit={() => setEdited(acl)}
            onDelete={() =>
              confirmDelete({
                name: acl.title,
                consequence: t('usedByNumbers'),
                run: async () =>
                  dataOf(api.DELETE('/sip-trunks/acls/{id}', { params: { path: { id: acl.id } } })),
                row: { from: aclsKey, id: acl.id },
              })
            }
          />
        )}
      />
      <FormModal title={t('aclAdd')} opened={isAdding} onClose={onAdded}>
        <AclForm onDone={onAdded} />
      </FormModal>
      <FormModal
        title={t('aclEdit', { title: edited?.title ?? '' })}
        opened={edited !== undefined}
        onClose={() => setEdited(undefined)}
      >
        {edited && <AclForm acl={edited} onDone={() => setEdited(undefined)} />}
      </FormModal>
    </>
  )
}
