import { Box, Stack, Text, UnstyledButton } from '@mantine/core'
import { durationOf } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import type { Position } from '../../calls/position'
import { callWords } from '../../calls/texts'
import type { Dialogue } from '../queries'
import { historyTexts } from '../texts'

interface TranscriptProps {
  lines: readonly Dialogue[]
  total: number
  /** Position of the playing recording. */
  position: Position | null
  onSeek: (position: Position) => void
}

/** Transcript; a click on a line jumps to its position in the recording. */
export function Transcript({ lines, total, position, onSeek }: TranscriptProps) {
  const t = useTexts(historyTexts)
  if (lines.length === 0) return <Text c="dimmed">{t('noTranscript')}</Text>
  const heard = position ? lines.findLast((line) => secondsIn(line, position) <= position.seconds) : undefined
  return (
    <Stack gap="xs">
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
      {total > lines.length && <Text c="dimmed">{t('transcriptMore', { count: lines.length })}</Text>}
    </Stack>
  )
}

/** Seconds from the start of the recording. */
function secondsIn({ created_at }: Dialogue, { beganAt }: Position): number {
  return Math.max(0, (Date.parse(created_at) - beganAt) / 1000)
}

function Line({
  line,
  isHeard,
  position,
  onSeek,
}: {
  line: Dialogue
  isHeard: boolean
  position: Position | null
  onSeek: (position: Position) => void
}) {
  const t = useTexts(callWords)
  const said = (
    <>
      <Text size="xs" c="dimmed">
        {t(line.speaker)}
        {position && ` · ${durationOf(secondsIn(line, position))}`}
      </Text>
      <Text>{line.text}</Text>
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
      {position ? (
        <UnstyledButton w="100%" onClick={() => onSeek({ ...position, seconds: secondsIn(line, position) })}>
          {said}
        </UnstyledButton>
      ) : (
        said
      )}
    </Box>
  )
}
