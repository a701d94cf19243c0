import { Text } from '@mantine/core'
import { text, time } from '../../../design/column-kinds'
import { partOf } from '../../../design/part-of'
import { resourcePage } from '../../../design/resource-page'
import type { CannedReply } from '../queries'
import { cannedTexts } from '../texts'

const CannedReplyForm = partOf(async () => import('../components/canned-reply-form'), 'CannedReplyForm')

export const CannedRepliesPage = resourcePage({
  path: '/call-center/canned-replies',
  texts: cannedTexts,
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
  remove: {},
})
