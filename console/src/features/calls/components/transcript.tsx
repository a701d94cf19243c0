import type { components } from '@jackfield/sdk'
import { Box, Stack, Text, UnstyledButton } from '@mantine/core'
import { Time, durationOf } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import type { Position } from '../position'
import { callWords, callsTexts } from '../texts'

type Dialogue = components['schemas']['CallDialogue']

interface TranscriptProps {
  lines: readonly Dialogue[]
  /** Position of the playing recording: a click on a line jumps to it there. */
  position?: Position | null
  onSeek?: (position: Position) => void
}

/** What caller and voice agent have said to each other. */
export function Transcript({ lines, position = null, onSeek }: TranscriptProps) {
  const t = useTexts(callsTexts)
  if (lines.length === 0) return <Text c="dimmed">{t('noTranscript')}</Text>
  const heard = position ? lines.findLast((line) => secondsIn(line, position) <= position.seconds) : undefined
  return (
    <Stack
      gap={4}
      component="ol"
      p={0}
      m={0}
      mah={480}
      tabIndex={0}
      aria-label={t('transcript')}
      style={{ listStyle: 'none', overflowY: 'auto' }}
    >
      {lines.map((line) => (
        <Line key={line.id} line={line} isHeard={line === heard} position={position} onSeek={onSeek} />
      ))}
    </Stack>
  )
}

/** Seconds from the start of the recording. */
function secondsIn({ created_at }: Dialogue, { beganAt }: Position): number {
  return Math.max(0, (Date.parse(created_at) - beganAt) / 1000)
}

interface LineProps {
  line: Dialogue
  isHeard: boolean
  position: Position | null
  onSeek: TranscriptProps['onSeek']
}

function Line({ line, isHeard, position, onSeek }: LineProps) {
  const t = useTexts(callsTexts)
  const words = useTexts(callWords)
  const said = (
    <>
      <Text size="xs" c="dimmed">
        {words(line.speaker)} ·{' '}
        {position ? durationOf(secondsIn(line, position)) : <Time at={line.created_at} exact />}
        {line.is_interrupted && ` · ${t('interrupted')}`}
      </Text>
      <Text style={{ overflowWrap: 'anywhere' }}>{line.text}</Text>
    </>
  )
  return (
    <Box
      component="li"
      p="xs"
      aria-current={isHeard || undefined}
      style={{
        borderInlineStart: `3px solid ${isHeard ? 'var(--mantine-primary-color-filled)' : 'transparent'}`,
      }}
    >
      {position && onSeek ? (
        <UnstyledButton w="100%" onClick={() => onSeek({ ...position, seconds: secondsIn(line, position) })}>
          {said}
        </UnstyledButton>
      ) : (
        said
      )}
    </Box>
  )
}
