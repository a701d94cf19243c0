/** A test call of a flow as it is published: the administrator hears it in the browser. */
import { dataOf } from '@jackfield/sdk'
import { Alert, Button, Group, Stack } from '@mantine/core'
import { IconPhone, IconPhoneOff } from '@tabler/icons-react'
import { useCallback, useEffect, useEffectEvent } from 'react'
import { api } from '../../../api/client'
import { useTexts } from '../../../i18n/texts'
import { CallStateBadge } from '../../../media/call-state-badge'
import { LevelMeter } from '../../../media/level-meter'
import { useTrialCall } from '../../../media/use-trial-call'
import { tryTexts } from '../texts'

/** The call is written when it has ended, a moment after its app knows. */
const writtenAfterMs = 1_000

interface FlowCallProps {
  flowId: string
  /** Called once the call is in the history. */
  onOver?: () => void
}

export function FlowCall({ flowId: id, onOver }: FlowCallProps) {
  const t = useTexts(tryTexts)
  const make = useCallback(
    async () => dataOf(api.POST('/call-flows/{id}/talk', { params: { path: { id } } })),
    [id],
  )
  const { current, state, isStarting, problem, start } = useTrialCall(make)
  const isOver = state?.at === 'ended'
  const over = useEffectEvent(() => onOver?.())
  useEffect(() => {
    if (!isOver) return undefined
    const timer = setTimeout(over, writtenAfterMs)
    return () => clearTimeout(timer)
  }, [isOver])
  const isRunning = state !== undefined && !isOver
  return (
    <Stack gap="xs" miw={220}>
      {problem && (
        <Alert color="red" role="alert">
          {'message' in problem ? problem.message : t(`microphone_${problem.microphone}`)}
        </Alert>
      )}
      {state && (
        <Group role="status">
          <CallStateBadge state={state} talking={t('youHear')} />
        </Group>
      )}
      {isRunning && current && (
        <>
          <LevelMeter label={t('you')} meter={current.call.microphone} />
          <LevelMeter label={t('flowLevel')} meter={current.call.heard} />
          <Button color="red" leftSection={<IconPhoneOff size={18} />} onClick={() => current.call.hangUp()}>
            {t('hangUp')}
          </Button>
        </>
      )}
      {!isRunning && (
        <Button leftSection={<IconPhone size={18} />} loading={isStarting} onClick={() => start(undefined)}>
          {t(current ? 'callAgain' : 'call')}
        </Button>
      )}
    </Stack>
  )
}
