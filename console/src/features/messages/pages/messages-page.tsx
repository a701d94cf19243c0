import { Anchor, Button, Group, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconMessage2, IconPaperclip, IconSend } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useBulkDelete } from '../../../design/bulk-delete'
import { CsvExport } from '../../../design/csv-tools'
import { type Column, DataTable } from '../../../design/data-table'
import { FormModal } from '../../../design/forms'
import { EmptyState, Page } from '../../../design/page'
import { Time, moneyOf } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import { useLiveInvalidation, usePolling } from '../../../live/live'
import { MessageFilters, type MessagesChange } from '../components/message-filters'
import { MessageParty } from '../components/message-party'
import { Direction, MessageStatusBadge } from '../components/message-status'
import { SendForm } from '../components/send-form'
import { type Message, messagesKey, messagesQuery } from '../queries'
import { messageFilterOf } from '../search'
import { messagesTexts } from '../texts'

const events = [
  ...(['message.received', 'message.sent', 'message.delivered'] as const),
  ...(['message.undelivered', 'message.failed'] as const),
]

export function MessagesPage() {
  const t = useTexts(messagesTexts)
  const title = t('heading')
  const search = useSearch({ from: '/shell/admin/messages' })
  const navigate = useNavigate({ from: '/messages' })
  const query = useQuery({ ...messagesQuery(search), refetchInterval: usePolling() })
  useLiveInvalidation(events, messagesKey)
  const [isWriting, writing] = useDisclosure()
  const bulk = useBulkDelete<Message>({
    ...{ path: '/messages', idOf: ({ id }) => id },
    consequence: t('deleteAllConsequence'),
  })
  const change = (next: MessagesChange) => void navigate({ search: (before) => ({ ...before, ...next }) })
  const write = (
    <Button leftSection={<IconSend size={18} aria-hidden />} onClick={writing.open}>
      {t('sendOne')}
    </Button>
  )
  return (
    <Page title={title} description={t('description')} actions={write}>
      <DataTable
        label={title}
        query={query}
        columns={useColumns()}
        rowKey={({ id }) => id}
        bulk={bulk}
        nameOf={({ from, to }) => t('titleOf', { from, to })}
        search={search}
        onSearch={change}
        searchLabel={t('search')}
        filters={<MessageFilters search={search} onChange={(next) => change({ ...next, page: undefined })} />}
        isFiltered={Object.keys(messageFilterOf(search)).length > 0}
        tools={<CsvExport path="/messages" filters={{ search: search.search, ...messageFilterOf(search) }} />}
        empty={
          <EmptyState icon={IconMessage2} title={t('emptyTitle')} action={write}>
            {t('emptyHint')}
          </EmptyState>
        }
      />
      <FormModal title={t('sendOne')} opened={isWriting} onClose={writing.close}>
        <SendForm
          onCancel={writing.close}
          onDone={({ id }) => void navigate({ to: '/messages/$id', params: { id } })}
        />
      </FormModal>
    </Page>
  )
}

function useColumns(): Column<Message>[] {
  const t = useTexts(messagesTexts)
  return [
    {
      key: 'created_at',
      header: t('moment'),
      sort: 'created_at',
      render: ({ id, created_at }) => (
        <Anchor size="sm" renderRoot={(props) => <Link {...props} to="/messages/$id" params={{ id }} />}>
          <Time at={created_at} exact />
        </Anchor>
      ),
    },
    {
      key: 'direction',
      header: t('direction'),
      render: ({ direction }) => <Direction direction={direction} />,
    },
    { key: 'from', header: t('from'), render: (message) => <MessageParty message={message} side="from" /> },
    { key: 'to', header: t('to'), render: (message) => <MessageParty message={message} side="to" /> },
    { key: 'body', header: t('body'), render: (message) => <Excerpt message={message} /> },
    {
      key: 'status',
      header: t('status'),
      sort: 'status',
      render: ({ status }) => <MessageStatusBadge status={status} />,
    },
    {
      key: 'cost',
      header: t('cost'),
      align: 'right',
      render: ({ cost }) => (cost === null ? '–' : moneyOf(cost)),
    },
  ]
}

function Excerpt({ message: { body, media } }: { message: Message }) {
  const t = useTexts(messagesTexts)
  return (
    <Group gap={6} wrap="nowrap" align="flex-start">
      {media.length > 0 && (
        <IconPaperclip size={16} role="img" aria-label={t('file', { count: media.length })} />
      )}
      <Text size="sm" lineClamp={2} maw={320} style={{ overflowWrap: 'anywhere' }}>
        {body}
      </Text>
    </Group>
  )
}
