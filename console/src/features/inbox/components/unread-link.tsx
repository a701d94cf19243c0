/** Number of unread conversations, in the header of every page. It also keeps the inbox up to date. */
import { ActionIcon, Indicator, Tooltip } from '@mantine/core'
import { IconMessages } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useMe } from '../../../api/me'
import { useWaitingInTab } from '../../../design/tab-title'
import { useTexts } from '../../../i18n/texts'
import { notifyUnseen } from '../../../live/notifications'
import { unreadQuery } from '../queries'
import { inboxTexts } from '../texts'
import { useInboxEvents } from '../use-inbox-events'
import { clientName } from './client-name'

export default function UnreadLink() {
  const t = useTexts(inboxTexts)
  const me = useMe()
  const navigate = useNavigate()
  const count = useQuery(unreadQuery).data?.length ?? 0
  useWaitingInTab('inbox', count)
  useInboxEvents((message, conversation) => {
    const { assigned_agent_id } = conversation
    if (assigned_agent_id !== null && assigned_agent_id !== me?.id) return
    notifyUnseen(message.id, {
      ...{ tag: conversation.id, title: clientName(conversation), body: message.body },
      onClick: () => void navigate({ to: '/inbox', search: { conversation: conversation.id } }),
    })
  })
  const label = t('unreadConversations', { count })
  return (
    <Tooltip label={label}>
      <Indicator label={count > 99 ? '99+' : count} size={16} disabled={count === 0} color="red.8">
        <ActionIcon component={Link} to="/inbox" variant="subtle" size="lg" radius="xl" aria-label={label}>
          <IconMessages size={20} />
        </ActionIcon>
      </Indicator>
    </Tooltip>
  )
}
