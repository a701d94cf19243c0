/** A message, a note, or an outgoing message that is not accepted yet. */
import { ActionIcon, Alert, Button, Group, Text } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { dataOf } from '@jackfield/sdk'
import { api } from '../../../api/client'
import { useMe } from '../../../api/me'
import { useFailureWords } from '../../../api/message-failures/failure-words'
import { useAction } from '../../../api/use-action'
import { MessageFiles } from '../../../design/message-files'
import { common } from '../../../i18n/common'
import { useTexts } from '../../../i18n/texts'
import css from '../inbox.module.css'
import { type Message, type Note, notesKey } from '../queries'
import { type Outgoing, discard, sendAgain } from '../sending'
import { inboxTexts } from '../texts'
import { ShortTime } from './moments'
import { AgentName, useAgentName } from './people'

export function MessageRow({ message, client }: { message: Message; client: string }) {
  const isOurs = message.direction === 'outbound'
  const { body, created_at } = message
  return (
    <li className={`${css['message']} ${isOurs ? css['ours'] : ''}`}>
      <div className={css['bubble']}>
        <MessageFiles media={message.media} />
        {body}
      </div>
      <Text size="xs" c="dimmed" ta={isOurs ? 'right' : 'left'}>
        <Sender message={message} client={client} /> · <ShortTime at={created_at} always />
        {isOurs && (
          <>
            {' · '}
            <State message={message} />
          </>
        )}
      </Text>
    </li>
  )
}

function Sender({ message, client }: { message: Message; client: string }) {
  const t = useTexts(inboxTexts)
  const { sender_type, sender_id } = message
  if (sender_type === 'client') return <span translate="no">{client}</span>
  if (sender_type === 'agent') return <AgentName id={sender_id} />
  return <>{t(sender_type === 'voice_agent' ? 'sentByVoiceAgent' : 'sentBySystem')}</>
}

function State({ message }: { message: Message }) {
  const t = useTexts(inboxTexts)
  const wordsOf = useFailureWords()
  const { status, error_message, error_code } = message
  if (status === 'failed' || status === 'undelivered') {
    const reason = wordsOf(message) ?? error_message ?? error_code ?? ''
    return (
      <Text span inherit c="red" fw={600}>
        {t(`${status}State`, { reason })}
      </Text>
    )
  }
  return <>{t(`${status}State`)}</>
}

/** A message that the API has not accepted yet. */
export function OutgoingRow({ message }: { message: Outgoing }) {
  const t = useTexts(inboxTexts)
  const c = useTexts(common)
  const { body, media_urls, problem, isLost } = message
  return (
    <li className={`${css['message']} ${css['ours']}`}>
      <div className={css['bubble']} style={{ opacity: problem ? 1 : 0.75 }}>
        {body || `${t('attachments')}: ${media_urls.length}`}
      </div>
      {isLost && (
        <Group justify="flex-end" gap="xs">
          <Text size="xs" c="dimmed" role="status">
            {t('you')} · {t('sendsWhenOnline')}
          </Text>
          <Button size="compact-xs" variant="default" onClick={() => discard(message)}>
            {t('discard')}
          </Button>
        </Group>
      )}
      {!isLost && problem && (
        <Alert color="red" p="xs" role="alert" mt={4}>
          <Text size="sm">{problem}</Text>
          <Group gap="xs" mt={4}>
            <Button size="compact-xs" color="red" onClick={() => sendAgain(message)}>
              {c('retry')}
            </Button>
            <Button size="compact-xs" variant="default" onClick={() => discard(message)}>
              {t('discard')}
            </Button>
          </Group>
        </Alert>
      )}
      {!isLost && !problem && (
        <Text size="xs" c="dimmed" ta="right">
          {t('you')} · {t('sending')}
        </Text>
      )}
    </li>
  )
}

export function NoteRow({ note }: { note: Note }) {
  const t = useTexts(inboxTexts)
  const me = useMe()
  const name = useAgentName(note.agent_id)
  const key = notesKey(note.conversation_id)
  const removing = useAction({
    run: async () => {
      const path = { id: note.conversation_id, note_id: note.id }
      return dataOf(api.DELETE('/call-center/conversations/{id}/notes/{note_id}', { params: { path } }))
    },
    changes: [key],
    optimistic: {
      key,
      change: (cached: { data: Note[] }) => ({
        ...cached,
        data: cached.data.filter(({ id }) => id !== note.id),
      }),
    },
  })
  return (
    <li className={`${css['message']} ${css['ours']} ${css['note']}`}>
      <div className={css['bubble']}>{note.body}</div>
      <Group gap={4} justify="flex-end">
        <Text size="xs" c="dimmed">
          {t('noteBy', { name })} · <ShortTime at={note.created_at} always />
        </Text>
        {note.agent_id === me?.id && (
          <ActionIcon
            size="sm"
            variant="subtle"
            color="red"
            aria-label={t('deleteNote')}
            onClick={() => removing.mutate()}
          >
            <IconTrash size={14} />
          </ActionIcon>
        )}
      </Group>
    </li>
  )
}
