import { Badge, Button, Group, Text } from '@mantine/core'
import { IconInbox } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type KeyboardEvent, type ReactNode } from 'react'
import { EmptyState, ErrorState, Loading } from '../../../design/page'
import { common } from '../../../i18n/common'
import { NumbersIn } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import css from '../inbox.module.css'
import { type Conversation, conversationsQuery } from '../queries'
import { type InboxSearch, filterOf } from '../search'
import { inboxTexts } from '../texts'
import { clientName } from './client-name'
import { ShortTime } from './moments'
import { AgentName } from './people'

export function ConversationList({ search, action }: { search: InboxSearch; action: ReactNode }) {
  const t = useTexts(inboxTexts)
  const c = useTexts(common)
  const filter = filterOf(search)
  const query = useInfiniteQuery(conversationsQuery(filter))
  const retry = () => void query.refetch()
  if (!query.data)
    return query.error ? <ErrorState error={query.error} onRetry={retry} /> : <Loading onRetry={retry} />
  const seen = new Set<string>()
  // New conversations shift the offsets of pages: show a repeated row once.
  const rows = query.data.pages.flatMap(({ data }) => data).filter(({ id }) => !seen.has(id) && seen.add(id))
  if (rows.length === 0) {
    if (filter.search)
      return (
        <Text c="dimmed" ta="center" py="lg" role="status">
          {c('noMatch', { search: filter.search })}
        </Text>
      )
    const isAll = Object.keys(filter).length === 0
    return (
      <EmptyState icon={IconInbox} title={t(isAll ? 'emptyAll' : 'emptyView')} action={isAll && action}>
        {t(isAll ? 'emptyAllHint' : 'emptyViewHint')}
      </EmptyState>
    )
  }
  return (
    <div
      className={css['rows']}
      style={{ opacity: query.isPlaceholderData ? 0.6 : 1 }}
      aria-busy={query.isPlaceholderData}
    >
      <ul
        aria-label={t('conversations')}
        className={css['messages']}
        style={{ gap: 2 }}
        onKeyDown={moveFocus}
      >
        {rows.map((conversation) => (
          <li key={conversation.id}>
            <Row conversation={conversation} search={search} />
          </li>
        ))}
      </ul>
      {query.hasNextPage && (
        <Button
          fullWidth
          variant="subtle"
          mt="xs"
          loading={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          {t('more')}
        </Button>
      )}
    </div>
  )
}

function Row({ conversation, search }: { conversation: Conversation; search: InboxSearch }) {
  const t = useTexts(inboxTexts)
  const { id, unread_count, last_message, last_message_at, assigned_agent_id } = conversation
  const isUnread = unread_count > 0
  return (
    <Link to="/inbox" search={{ ...search, conversation: id }} className={css['row']} data-conversation={id}>
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <Text fw={isUnread ? 700 : 500} truncate translate="no">
          <NumbersIn text={clientName(conversation)} />
        </Text>
        <Text size="xs" c="dimmed">
          {last_message_at && <ShortTime at={last_message_at} />}
        </Text>
      </Group>
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <Text size="sm" c={isUnread ? undefined : 'dimmed'} truncate>
          {last_message?.direction === 'outbound' && '↩ '}
          {last_message?.body || t('file')}
        </Text>
        {isUnread && (
          <Badge
            size="sm"
            circle={unread_count < 10}
            style={{ flexShrink: 0 }}
            variant="filled"
            aria-label={t('unread', { count: unread_count })}
          >
            {unread_count}
          </Badge>
        )}
      </Group>
      {assigned_agent_id && (
        <Text size="xs" c="dimmed" truncate>
          <AgentName id={assigned_agent_id} />
        </Text>
      )}
    </Link>
  )
}

/** Arrow keys move between conversations. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
  const links = [...event.currentTarget.querySelectorAll('a')]
  const here = links.findIndex((link) => link === document.activeElement)
  const next = links[here + (event.key === 'ArrowDown' ? 1 : -1)]
  if (!next) return
  event.preventDefault()
  next.focus()
}
