/** Says that the current call is recorded, for how long, and lets agents pause that. */
import { Button, Group, Text } from '@mantine/core'
import { RecordingDot } from '../../../design/recording-dot'
import { useTexts } from '../../../i18n/texts'
import type { CurrentCall } from '../phone'
import { usePausing, useRecording } from '../recordings'
import { phoneTexts } from '../texts'
import { TalkTime } from '../../../design/talk-time'

export function CallRecording({ current }: { current: CurrentCall }) {
  const t = useTexts(phoneTexts)
  const recording = useRecording(current)
  const pausing = usePausing(current.callId)
  if (!recording) return null
  const isPaused = recording.status === 'paused'
  return (
    <Group justify="space-between" gap="xs">
      <Group role="status" gap={8} wrap="nowrap">
        <RecordingDot isPaused={isPaused} />
        <Text size="sm" fw={500}>
          {t(isPaused ? 'recordingPaused' : 'recordingRuns')}
        </Text>
      </Group>
      <Group gap="xs" wrap="nowrap">
        <Text size="sm" c="dimmed" component="span">
          <TalkTime since={Date.parse(recording.created_at)} />
        </Text>
        {recording.may_pause && (
          <Button
            size="compact-sm"
            variant="default"
            loading={pausing.isPending}
            onClick={() => pausing.mutate(recording)}
          >
            {t(isPaused ? 'resumeRecording' : 'pauseRecording')}
          </Button>
        )}
      </Group>
    </Group>
  )
}
