/** What comes of handing a call over, and what can be done meanwhile. */
import { Alert, Button, Group, Stack } from '@mantine/core'
import { useTexts } from '../../../i18n/texts'
import { type Handover, phone } from '../phone'
import { phoneTexts } from '../texts'

const known = ['busy', 'canceled', 'completed', 'left', 'no_answer', 'offline'] as const

interface HandoverNewsProps {
  handover: Handover
  run: (work: () => Promise<void>) => void
}

export function HandoverNews({ handover, run }: HandoverNewsProps) {
  const t = useTexts(phoneTexts)
  const { to: name, isConsulting, status } = handover
  if (status === 'starting' || status === 'initiated') {
    return (
      <Alert color="blue" role="status">
        <Stack gap="xs">
          {t(isConsulting ? 'consulting' : 'handingOver', { name })}
          {status === 'initiated' && (
            <Group gap="xs">
              {isConsulting && (
                <Button size="xs" onClick={() => run(async () => phone.completeHandover())}>
                  {t('completeHandover')}
                </Button>
              )}
              <Button size="xs" variant="default" onClick={() => run(async () => phone.cancelHandover())}>
                {t('cancelHandover')}
              </Button>
            </Group>
          )}
        </Stack>
      </Alert>
    )
  }
  const told = known.find((one) => one === status) ?? 'failed'
  return (
    <Alert
      color={told === 'completed' || told === 'canceled' ? 'blue' : 'yellow'}
      role="status"
      withCloseButton
      closeButtonLabel={t('dismiss')}
      onClose={() => phone.dismissHandover()}
    >
      {t(`handover_${told}`, { name })}
    </Alert>
  )
}
