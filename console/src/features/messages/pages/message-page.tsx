import { Anchor, Button, Card, Grid, Group, Stack, Text, Title } from '@mantine/core'
import { IconMessage2, IconMessages, IconTrash } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { dataOf } from '@jackfield/sdk'
import { api } from '../../../api/client'
import { encodingNames } from '../../../api/segments'
import { isStatus } from '../../../api/errors'
import { usePeople } from '../../../app/people'
import { confirmDelete } from '../../../design/dialogs'
import { Facts } from '../../../design/facts'
import { MessageFiles } from '../../../design/message-files'
import { Answered, EmptyState, Page } from '../../../design/page'
import { UpLink } from '../../../design/up-link'
import { MessageParty } from '../components/message-party'
import { Copyable, moneyOf } from '../../../design/values'
import { common } from '../../../i18n/common'
import { useTexts } from '../../../i18n/texts'
import { Direction, MessageStatusBadge } from '../components/message-status'
import { MessageTimeline } from '../components/message-timeline'
import { type MessageDetail, messageQuery, messagesKey } from '../queries'
import { agentQuery } from '../../agents/queries'
import { messagesTexts } from '../texts'

/** Polling interval until the message has a final status. */
const underWayEveryMs = 5_000

const underWay: ReadonlySet<MessageDetail['status']> = new Set(['queued', 'sending', 'sent'])

export function MessagePage() {
  const t = useTexts(messagesTexts)
  const { id } = useParams({ from: '/shell/admin/messages/$id' })
  const query = useQuery({
    ...messageQuery(id),
    refetchInterval: ({ state }) => (state.data && underWay.has(state.data.status) ? underWayEveryMs : false),
  })
  if (isStatus(query.error, 404)) {
    return (
      <Page title={t('gone')}>
        <EmptyState icon={IconMessage2} title={t('gone')} action={<ToList />}>
          {t('goneHint')}
        </EmptyState>
      </Page>
    )
  }
  const { data } = query
  const title = data ? t('titleOf', { from: data.from, to: data.to }) : t('body')
  return (
    <Page title={title} up={<ToList />} actions={data && <MessageActions message={data} />}>
      <Answered query={query}>{(message) => <Message message={message} />}</Answered>
    </Page>
  )
}

function ToList() {
  const title = useTexts(messagesTexts)('heading')
  return <UpLink to="/messages">{title}</UpLink>
}

function MessageActions({ message }: { message: MessageDetail }) {
  return (
    <Group gap="xs">
      <ToConversation message={message} />
      {!underWay.has(message.status) && <DeleteButton message={message} />}
    </Group>
  )
}

function DeleteButton({ message: { id, from, to } }: { message: MessageDetail }) {
  const t = useTexts(messagesTexts)
  const c = useTexts(common)
  const navigate = useNavigate()
  const client = useQueryClient()
  const ask = () =>
    confirmDelete({
      name: t('titleOf', { from, to }),
      consequence: t('deleteConsequence'),
      run: async () => dataOf(api.DELETE('/messages/{id}', { params: { path: { id } } })),
      onDone: () => {
        void navigate({ to: '/messages' }).then(async () =>
          client.invalidateQueries({ queryKey: messagesKey }),
        )
      },
    })
  return (
    <Button variant="default" leftSection={<IconTrash size={18} aria-hidden />} onClick={ask}>
      {c('delete')}
    </Button>
  )
}

/** For agents, who have an inbox. */
function ToConversation({ message: { conversation_id } }: { message: MessageDetail }) {
  const t = useTexts(messagesTexts)
  if (!usePeople().has('agent')) return null
  return (
    <Button
      variant="default"
      leftSection={<IconMessages size={18} aria-hidden />}
      renderRoot={(props) => <Link {...props} to="/inbox" search={{ conversation: conversation_id }} />}
    >
      {t('conversation')}
    </Button>
  )
}

function Message({ message }: { message: MessageDetail }) {
  const t = useTexts(messagesTexts)
  const { body, media, carrier_message_id: carrierId } = message
  const size = t('size', { count: message.segments, encoding: encodingNames[message.encoding] })
  const files = media.length > 0 ? ` · ${t('file', { count: media.length })}` : ''
  return (
    <Grid gap="xl">
      <Grid.Col span={{ base: 12, md: 7 }}>
        <Stack gap="xl">
          <Section title={t('body')}>
            <Card withBorder>
              {body ? (
                <Text style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{body}</Text>
              ) : (
                <Text c="dimmed">{t('noText')}</Text>
              )}
            </Card>
          </Section>
          {media.length > 0 && (
            <Section title={t('files')}>
              <MessageFiles media={media} />
            </Section>
          )}
          <Facts
            facts={[
              [t('status'), <MessageStatusBadge key="status" status={message.status} />],
              [t('direction'), <Direction key="direction" direction={message.direction} />],
              [t('from'), <MessageParty key="from" message={message} side="from" />],
              [t('to'), <MessageParty key="to" message={message} side="to" />],
              [t('sender'), <Sender key="sender" message={message} />],
              [t('parts'), `${size}${files}`],
              [t('cost'), message.cost === null ? '–' : moneyOf(message.cost)],
              [
                t('carrierId'),
                carrierId ? <Copyable key="carrier" value={carrierId} what={t('carrierId')} /> : '–',
              ],
              ['ID', <Copyable key="id" value={message.id} what="ID" />],
            ]}
          />
        </Stack>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 5 }}>
        <Section title={t('timeline')}>
          <MessageTimeline message={message} />
        </Section>
      </Grid.Col>
    </Grid>
  )
}

function Sender({ message: { sender_type, sender_id } }: { message: MessageDetail }) {
  const t = useTexts(messagesTexts)
  const isAgent = sender_type === 'agent'
  const agent = useQuery({ ...agentQuery(sender_id ?? ''), enabled: isAgent && sender_id !== null })
  const label = (isAgent && agent.data?.display_name) || t(`sender_${sender_type}`)
  if (sender_id === null) return <>{label}</>
  return (
    <Anchor
      component={Link}
      to={sender_type === 'agent' ? `/agents/${sender_id}` : `/voice-agents/${sender_id}`}
    >
      {label}
    </Anchor>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Stack component="section" gap="sm" aria-label={title}>
      <Title order={2} size="h4">
        {title}
      </Title>
      {children}
    </Stack>
  )
}
