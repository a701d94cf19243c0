/** State of a transfer, and its actions. */
import { Alert, Button, Group, Stack } from '@mantine/core'
import { useTexts } from '../../../i18n/texts'
import { type Handover, type Handovers, isUnderWay } from '../engine/handover'
import { phoneTexts } from '../texts'

function runningText({ isConsulting, status }: Handover) {
  if (status === 'consulting') return 'consulting'
  if (status === 'three_way') return 'threeWay'
  return isConsulting && status === 'calling' ? 'consultCalling' : 'handingOver'
}

const known = ['busy', 'canceled', 'completed', 'left', 'no_answer', 'offline'] as const

interface HandoverNewsProps {
  handover: Handover
  handovers: Handovers
  run: (work: () => Promise<void>) => void
}

export function HandoverNews({ handover, handovers, run }: HandoverNewsProps) {
  const t = useTexts(phoneTexts)
  const { to: name, isConsulting, status } = handover
  if (status === 'starting' || isUnderWay(handover)) {
    return (
      <Alert color="blue" role="status">
        <Stack gap="xs">
          {t(runningText(handover), { name })}
          {status !== 'starting' && (
            <Group gap="xs">
              {status === 'consulting' && (
                <Button size="xs" onClick={() => run(async () => handovers.startThreeWay())}>
                  {t('startThreeWay')}
                </Button>
              )}
              {isConsulting && status !== 'joining' && (
                <Button size="xs" onClick={() => run(async () => handovers.complete())}>
                  {t(status === 'three_way' ? 'leaveCall' : 'completeHandover')}
                </Button>
              )}
              <Button size="xs" variant="default" onClick={() => run(async () => handovers.cancel())}>
                {t(status === 'three_way' ? 'dropTarget' : 'cancelHandover', { name })}
              </Button>
            </Group>
          )}
        </Stack>
      </Alert>
    )
  }
  const shown = known.find((one) => one === status) ?? 'failed'
  return (
    <Alert
      color={shown === 'completed' || shown === 'canceled' ? 'blue' : 'yellow'}
      role="status"
      withCloseButton
      closeButtonLabel={t('dismiss')}
      onClose={() => handovers.dismiss()}
    >
      {t(`handover_${shown}`, { name })}
    </Alert>
  )
}
