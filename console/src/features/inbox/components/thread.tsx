/** A conversation: header, messages and composer. */
import { Alert, Button, Paper, Text } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Fragment } from 'react'
import { Answered, ErrorState, Loading } from '../../../design/page'
import { useTexts } from '../../../i18n/texts'
import { useReadWhileSeen } from '../changes'
import css from '../inbox.module.css'
import {
  type Conversation,
  type Message,
  type Note,
  conversationQuery,
  messagesQuery,
  notesQuery,
} from '../queries'
import { useOutgoing } from '../sending'
import { inboxTexts } from '../texts'
import { clientName } from './client-name'
import { Composer } from './composer'
import { MessageRow, NoteRow, OutgoingRow } from './message-row'
import { dayOf, isSameDay } from './moments'
import { ThreadHeader } from './thread-header'

export function Thread({ id, onClose }: { id: string; onClose: () => void }) {
  const query = useQuery(conversationQuery(id))
  return (
    <Answered query={query}>
      {(conversation) => <Opened key={id} conversation={conversation} onClose={onClose} />}
    </Answered>
  )
}

function Opened({ conversation, onClose }: { conversation: Conversation; onClose: () => void }) {
  const t = useTexts(inboxTexts)
  useReadWhileSeen(conversation)
  return (
    <Paper
      withBorder
      p="sm"
      component="section"
      className={css['thread']}
      aria-label={t('conversation', { name: clientName(conversation) })}
    >
      <ThreadHeader conversation={conversation} onClose={onClose} />
      <Log conversation={conversation} />
      {conversation.status === 'closed' && (
        <Text size="sm" c="dimmed" pt="xs">
          {t('closedHint')}
        </Text>
      )}
      <Composer conversation={conversation} />
    </Paper>
  )
}

type Entry = { at: string } & ({ message: Message } | { note: Note })

function Log({ conversation }: { conversation: Conversation }) {
  const t = useTexts(inboxTexts)
  const { id } = conversation
  const messages = useInfiniteQuery(messagesQuery(id))
  const notes = useQuery(notesQuery(id))
  const outgoing = useOutgoing(id)
  const retry = () => void messages.refetch()
  if (!messages.data)
    return (
      <div className={css['log']}>
        {messages.error ? <ErrorState error={messages.error} onRetry={retry} /> : <Loading onRetry={retry} />}
      </div>
    )
  const entries = entriesOf(
    messages.data.pages.flatMap(({ data }) => data),
    notes.data?.data ?? [],
    messages.hasNextPage,
  )
  const missing = (notes.data?.meta.total ?? 0) - (notes.data?.data.length ?? 0)
  return (
    // Focusable, so that the keyboard can scroll it.
    <div className={css['log']} role="log" aria-label={t('messages')} tabIndex={0}>
      <ol className={css['messages']}>
        {messages.hasNextPage && (
          <li style={{ alignSelf: 'center' }}>
            <Button
              variant="default"
              size="xs"
              loading={messages.isFetchingNextPage}
              onClick={() => void messages.fetchNextPage()}
            >
              {t('earlier')}
            </Button>
          </li>
        )}
        {notes.error && (
          <li>
            <ErrorState error={notes.error} onRetry={() => void notes.refetch()} />
          </li>
        )}
        {missing > 0 && (
          <li className={css['day']}>
            <Alert color="yellow" p="xs">
              {t('notesPartly', { count: notes.data?.data.length ?? 0 })}
            </Alert>
          </li>
        )}
        {entries.map((entry, index) => {
          const before = entries[index - 1]
          return (
            <Fragment key={'note' in entry ? entry.note.id : entry.message.id}>
              {(!before || !isSameDay(before.at, entry.at)) && (
                <li className={css['day']}>
                  <Text size="xs" c="dimmed">
                    {dayOf(entry.at)}
                  </Text>
                </li>
              )}
              {'note' in entry ? (
                <NoteRow note={entry.note} />
              ) : (
                <MessageRow message={entry.message} client={clientName(conversation)} />
              )}
            </Fragment>
          )
        })}
        {outgoing.map((message) => (
          <OutgoingRow key={message.key} message={message} />
        ))}
      </ol>
    </div>
  )
}

/** Messages and notes in chronological order. Notes older than the loaded messages are held back until those are loaded. */
function entriesOf(messages: readonly Message[], notes: readonly Note[], hasEarlier: boolean): Entry[] {
  const all: Entry[] = messages.map((message) => ({ at: message.created_at, message }))
  const first = messages.map(({ created_at }) => created_at).sort()[0] ?? ''
  const shown = notes.filter(({ created_at }) => !hasEarlier || created_at >= first)
  return [...all, ...shown.map((note) => ({ at: note.created_at, note }))].sort((one, other) =>
    one.at < other.at ? -1 : 1,
  )
}
