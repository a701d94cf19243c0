import { ActionIcon, Badge, Button, Group, Text, Title } from '@mantine/core'
import { useDisclosure, useMediaQuery } from '@mantine/hooks'
import { IconArrowLeft, IconTrash } from '@tabler/icons-react'
import { Suspense, useEffect, useRef } from 'react'
import { dataOf } from '@jackfield/sdk'
import { api } from '../../../api/client'
import { useMe } from '../../../api/me'
import { confirmDelete } from '../../../design/dialogs'
import { FormModal } from '../../../design/form-modal'
import { partOf } from '../../../design/part-of'
import { NumbersIn, PhoneNumber } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import { useConversationChange } from '../changes'
import { type Conversation, listsKey } from '../queries'
import { inboxTexts } from '../texts'
import { clientName } from './client-name'
import { useAgentName } from './people'

const CallButton = partOf(async () => import('../../phone/components/call-button'), 'CallButton')
const AssignForm = partOf(async () => import('./assign-form'), 'AssignForm')

export function ThreadHeader({ conversation, onClose }: { conversation: Conversation; onClose: () => void }) {
  const t = useTexts(inboxTexts)
  const me = useMe()
  const [isAssigning, assigning] = useDisclosure()
  const heading = useRef<HTMLHeadingElement>(null)
  const isNarrow = useMediaQuery('(max-width: 62em)', undefined, { getInitialValueInEffect: false })
  const change = useConversationChange(conversation)
  const { id, client_name, client_number, system_number, status, assigned_agent_id } = conversation
  const owner = useAgentName(assigned_agent_id)
  useEffect(() => {
    // On narrow screens it replaces the list, so the focus starts here.
    if (isNarrow) heading.current?.focus()
  }, [id, isNarrow])
  // Members may take unassigned conversations and pass on their own; the API enforces it.
  const mayAssign = me?.role !== 'member' || assigned_agent_id === null || assigned_agent_id === me.id
  return (
    <Group justify="space-between" gap="xs" pb="xs" align="flex-start">
      <Group gap="xs" wrap="nowrap" align="flex-start" style={{ minWidth: 0 }}>
        <ActionIcon variant="subtle" hiddenFrom="md" aria-label={t('backToList')} onClick={onClose}>
          <IconArrowLeft size={18} />
        </ActionIcon>
        <div style={{ minWidth: 0 }}>
          <Group gap="xs">
            <Title
              order={2}
              size="h4"
              ref={heading}
              tabIndex={-1}
              style={{ outline: 'none', overflowWrap: 'anywhere' }}
              translate="no"
            >
              <NumbersIn text={clientName(conversation)} />
            </Title>
            {status === 'closed' && <Badge variant="default">{t('closed')}</Badge>}
          </Group>
          <Text size="sm" c="dimmed">
            {client_name && (
              <>
                <PhoneNumber number={client_number} /> ·{' '}
              </>
            )}
            <PhoneNumber number={system_number} /> · {t('assignedTo', { name: owner })}
          </Text>
        </div>
      </Group>
      <Group gap="xs">
        <Suspense>
          <CallButton
            number={client_number}
            name={clientName(conversation)}
            numberId={conversation.phone_number_id}
          />
        </Suspense>
        {me && assigned_agent_id === null && (
          <Button size="xs" onClick={() => change.mutate({ assigned_agent_id: me.id })}>
            {t('take')}
          </Button>
        )}
        {mayAssign && (
          <Button size="xs" variant="default" onClick={assigning.open}>
            {t('assign')}
          </Button>
        )}
        <Button
          size="xs"
          variant="default"
          onClick={() => change.mutate({ status: status === 'open' ? 'closed' : 'open' })}
        >
          {t(status === 'open' ? 'close' : 'openAgain')}
        </Button>
        {me?.is_admin && (
          <ActionIcon
            variant="subtle"
            color="red"
            aria-label={t('deleteConversation')}
            title={t('deleteConversation')}
            onClick={() =>
              confirmDelete({
                name: clientName(conversation),
                consequence: t('deleteConsequence'),
                run: async () => dataOf(api.DELETE('/conversations/{id}', { params: { path: { id } } })),
                row: { from: listsKey, id },
                onDone: onClose,
              })
            }
          >
            <IconTrash size={18} />
          </ActionIcon>
        )}
      </Group>
      <FormModal title={t('assign')} opened={isAssigning} onClose={assigning.close}>
        <AssignForm conversation={conversation} onDone={assigning.close} />
      </FormModal>
    </Group>
  )
}
