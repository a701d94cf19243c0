import { dataOf } from '@jackfield/sdk'
import { Button, Group, Text } from '@mantine/core'
import { IconPencil, IconPlus, IconTemplate, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../../api/client'
import { type Column, DataTable } from '../../../design/data-table'
import { confirmDelete } from '../../../design/dialogs'
import { FormModal } from '../../../design/form-modal'
import { EmptyState, Page } from '../../../design/page'
import { partOf } from '../../../design/part-of'
import { Time } from '../../../design/values'
import { common } from '../../../i18n/common'
import { RowAction } from '../../../design/row-actions'
import { useTexts } from '../../../i18n/texts'
import { menuTexts } from '../../texts'
import { type CannedReply, cannedRepliesKey, cannedRepliesQuery } from '../queries'
import { cannedTexts } from '../texts'

const CannedReplyForm = partOf(async () => import('../components/canned-reply-form'), 'CannedReplyForm')

export function CannedRepliesPage() {
  const t = useTexts(cannedTexts)
  const c = useTexts(common)
  const menu = useTexts(menuTexts.inbox)
  const search = useSearch({ from: '/shell/supervisor/canned-replies' })
  const navigate = useNavigate({ from: '/canned-replies' })
  const query = useQuery(cannedRepliesQuery(search))
  /** The reply in the form: a new one, an existing one, or none. */
  const [edited, setEdited] = useState<CannedReply | 'new' | null>(null)
  const close = () => setEdited(null)
  const add = (
    <Button leftSection={<IconPlus size={18} />} onClick={() => setEdited('new')}>
      {t('add')}
    </Button>
  )
  const columns: Column<CannedReply>[] = [
    { key: 'title', header: t('what'), render: ({ title }) => title },
    {
      key: 'body',
      header: t('body'),
      render: ({ body }) => (
        <Text size="sm" lineClamp={2}>
          {body}
        </Text>
      ),
    },
    { key: 'updated', header: c('updated'), render: ({ updated_at }) => <Time at={updated_at} /> },
  ]
  return (
    <Page title={menu('cannedReplies')} description={t('description')} actions={add}>
      <DataTable
        label={menu('cannedReplies')}
        query={query}
        columns={columns}
        rowKey={({ id }) => id}
        search={search}
        onSearch={(change) => void navigate({ search: (before) => ({ ...before, ...change }) })}
        searchLabel={t('search')}
        empty={
          <EmptyState icon={IconTemplate} title={t('emptyTitle')} action={add}>
            {t('emptyHint')}
          </EmptyState>
        }
        rowActions={(reply) => (
          <Group gap={4} wrap="nowrap">
            <RowAction
              label={t('edit', { title: reply.title })}
              icon={IconPencil}
              onClick={() => setEdited(reply)}
            />
            <RowAction
              label={t('remove', { title: reply.title })}
              icon={IconTrash}
              isDangerous
              onClick={() =>
                confirmDelete({
                  name: reply.title,
                  run: async () =>
                    dataOf(
                      api.DELETE('/call-center/canned-replies/{id}', { params: { path: { id: reply.id } } }),
                    ),
                  row: { from: cannedRepliesKey, id: reply.id },
                })
              }
            />
          </Group>
        )}
      />
      <FormModal
        title={edited === 'new' || !edited ? t('add') : t('edit', { title: edited.title })}
        opened={edited !== null}
        onClose={close}
      >
        <CannedReplyForm reply={edited === 'new' ? null : edited} onDone={close} />
      </FormModal>
    </Page>
  )
}
