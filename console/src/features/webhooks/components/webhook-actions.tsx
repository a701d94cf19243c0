/** Actions on a webhook's page. */
import { dataOf } from '@jackfield/sdk'
import { Button, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { modals } from '@mantine/modals'
import { IconKey, IconPencil, IconSend, IconTrash } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { api } from '../../../api/client'
import { useAction } from '../../../api/use-action'
import { showSecret } from '../../../design/dialogs'
import { FormModal } from '../../../design/forms'
import { common } from '../../../i18n/common'
import { useTexts } from '../../../i18n/texts'
import { type Webhook, deliveriesKey, webhooksKey } from '../queries'
import { webhooksTexts } from '../texts'
import { useDeleting } from './use-deleting'
import { WebhookForm } from './webhook-form'

export function WebhookActions({ webhook }: { webhook: Webhook }) {
  const t = useTexts(webhooksTexts)
  const c = useTexts(common)
  const navigate = useNavigate()
  const [isEditing, editing] = useDisclosure()
  const remove = useDeleting(() => void navigate({ to: '/webhooks' }))
  return (
    <>
      <TestButton webhook={webhook} />
      <Button variant="default" leftSection={<IconPencil size={18} aria-hidden />} onClick={editing.open}>
        {c('edit')}
      </Button>
      <RotateButton webhook={webhook} />
      <Button
        variant="default"
        leftSection={<IconTrash size={18} aria-hidden />}
        onClick={() => remove(webhook)}
      >
        {c('delete')}
      </Button>
      <FormModal title={t('edit')} opened={isEditing} onClose={editing.close}>
        <WebhookForm webhook={webhook} onDone={editing.close} />
      </FormModal>
    </>
  )
}

export function TestButton({ webhook: { id, is_active: isActive } }: { webhook: Webhook }) {
  const t = useTexts(webhooksTexts)
  const { mutate, isPending } = useAction({
    run: async () => dataOf(api.POST('/webhooks/{id}/test', { params: { path: { id } } })),
    changes: [[...deliveriesKey, id], webhooksKey],
    done: t('tested'),
  })
  return (
    <Button
      leftSection={<IconSend size={18} aria-hidden />}
      loading={isPending}
      disabled={!isActive}
      onClick={() => mutate()}
    >
      {t('test')}
    </Button>
  )
}

function RotateButton({ webhook: { id } }: { webhook: Webhook }) {
  const t = useTexts(webhooksTexts)
  const c = useTexts(common)
  const { mutate, isPending } = useAction({
    run: async () => dataOf(api.POST('/webhooks/{id}/rotate-secret', { params: { path: { id } } })),
    changes: [webhooksKey],
    onDone: ({ secret }) => showSecret({ title: t('rotated'), what: t('secret'), value: secret }),
  })
  const ask = () =>
    modals.openConfirmModal({
      title: t('rotateQuestion'),
      children: <Text>{t('rotateText')}</Text>,
      labels: { confirm: t('rotate'), cancel: c('cancel') },
      onConfirm: () => mutate(),
    })
  return (
    <Button
      variant="default"
      leftSection={<IconKey size={18} aria-hidden />}
      loading={isPending}
      onClick={ask}
    >
      {t('rotate')}
    </Button>
  )
}
