import { dataOf } from '@jackfield/sdk'
import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../../api/client'
import type { ListSearch } from '../../../api/lists'
import { text, time } from '../../../design/column-kinds'
import { partOf } from '../../../design/part-of'
import { resourcePage } from '../../../design/resource-page'
import { type CannedReply, cannedRepliesKey, cannedRepliesQuery } from '../queries'
import { cannedTexts } from '../texts'

const CannedReplyForm = partOf(async () => import('../components/canned-reply-form'), 'CannedReplyForm')

export const CannedRepliesPage = resourcePage({
  texts: cannedTexts,
  useRows: (search: ListSearch) => useQuery(cannedRepliesQuery(search)),
  columns: (t) => [
    text('title', t('what')),
    {
      key: 'body',
      header: t('body'),
      render: ({ body }: CannedReply) => (
        <Text size="sm" lineClamp={2}>
          {body}
        </Text>
      ),
    },
    time('updated_at', t('updated')),
  ],
  nameOf: ({ title }) => title,
  form: ({ row, close }) => <CannedReplyForm reply={row ?? null} onDone={close} />,
  editTitle: (t, { title }) => t('edit', { title }),
  labelsOf: (t, { title }) => ({ edit: t('edit', { title }), delete: t('remove', { title }) }),
  remove: {
    run: async ({ id }) =>
      dataOf(api.DELETE('/call-center/canned-replies/{id}', { params: { path: { id } } })),
    from: cannedRepliesKey,
  },
})
