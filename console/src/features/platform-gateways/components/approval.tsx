import { dataOf } from '@jackfield/sdk'
import { Button, Stack, Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import { api } from '../../../api/client'
import { checklistKey } from '../../../api/platform'
import { useAction } from '../../../api/use-action'
import { useWorkspaceTitle } from '../../../design/workspaces'
import { common } from '../../../i18n/common'
import { useTexts } from '../../../i18n/texts'
import { type Gateway, platformGatewaysKey } from '../queries'
import { platformGatewaysTexts } from '../texts'
import { Addresses } from './addresses'

/** Approves a gateway, or revokes the approval, after showing its addresses. */
export function Approval({ gateway }: { gateway: Gateway }) {
  const [t, words] = [useTexts(platformGatewaysTexts), useTexts(common)]
  const { id, title, is_approved } = gateway
  const workspace = useWorkspaceTitle(gateway.workspace_id)
  const isWaiting = gateway.state === 'pending_approval'
  const approval = useAction({
    run: async (next: boolean) =>
      dataOf(api.PATCH('/operator/gateways/{id}', { params: { path: { id } }, body: { is_approved: next } })),
    changes: [platformGatewaysKey, checklistKey],
    done: (_, next) => t(next ? (isWaiting ? 'approvedNow' : 'claimed') : 'takenBack', { title }),
  })
  const approves = isWaiting ? 'approveConsequence' : 'claimConsequence'
  const consequence = is_approved ? 'takeBackConsequence' : approves
  const label = t(is_approved ? 'takeBack' : 'approve')
  const ask = () =>
    modals.openConfirmModal({
      title: is_approved ? t('takeBackQuestion', { title }) : t('approveQuestion', { title, workspace }),
      children: (
        <Stack gap="xs">
          <Text size="sm">{t(consequence)}</Text>
          <Addresses gateway={gateway} />
        </Stack>
      ),
      labels: { confirm: label, cancel: words('cancel') },
      ...(is_approved && { confirmProps: { color: 'red' } }),
      onConfirm: () => approval.mutate(!is_approved),
    })
  return (
    <Button
      size="xs"
      variant={isWaiting ? 'filled' : 'default'}
      loading={approval.isPending}
      aria-label={`${label}: ${title}`}
      onClick={ask}
    >
      {label}
    </Button>
  )
}
