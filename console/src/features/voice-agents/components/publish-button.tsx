import { dataOf } from '@jackfield/sdk'
import { Button, Stack, Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import { IconRocket } from '@tabler/icons-react'
import { api } from '../../../api/client'
import { useAction } from '../../../api/use-action'
import { common } from '../../../i18n/common'
import { useTexts } from '../../../i18n/texts'
import { type LastEvaluation, voiceAgentsKey } from '../queries'
import { voiceAgentsTexts } from '../texts'
import { EvaluationBadge } from './evaluation-badge'

/** Publishes a version for callers, after a confirmation that shows its last evaluation. */
export function PublishButton({
  id,
  version,
  evaluation,
  disabled = false,
}: {
  id: string
  version: number
  evaluation: LastEvaluation | undefined
  disabled?: boolean
}) {
  const t = useTexts(voiceAgentsTexts)
  const c = useTexts(common)
  const publish = useAction({
    run: async () =>
      dataOf(api.PATCH('/voice-agents/{id}/publish', { params: { path: { id } }, body: { version } })),
    changes: [voiceAgentsKey],
    done: t('isPublished', { version }),
  })
  const ask = () =>
    modals.openConfirmModal({
      title: t('publishQuestion', { version }),
      children: (
        <Stack gap="xs" align="flex-start">
          <Text>{t('publishHint')}</Text>
          <EvaluationBadge evaluation={evaluation} />
        </Stack>
      ),
      labels: { confirm: t('publish'), cancel: c('cancel') },
      onConfirm: () => publish.mutate(),
    })
  return (
    <Button
      leftSection={<IconRocket size={18} />}
      loading={publish.isPending}
      disabled={disabled}
      onClick={ask}
    >
      {t('publishVersion', { version })}
    </Button>
  )
}
