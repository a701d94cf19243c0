/** Live transcript of a call. */
import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useTexts } from '../../../i18n/texts'
import { useCallInvalidation } from '../../../live/call-events'
import { transcriptQuery } from '../queries'
import { voiceAgentsTexts } from '../texts'

const events = ['transcription.dialogue', 'transcription.completed']

const askedEveryMs = 2_000

export function TalkTranscript({ callId, isLive }: { callId: string; isLive: boolean }) {
  const t = useTexts(voiceAgentsTexts)
  const query = transcriptQuery(callId)
  const { queryKey } = query
  const refetchInterval = useCallInvalidation({ callId, isLive, queryKey, events, everyMs: askedEveryMs })
  const { data, refetch } = useQuery({ ...query, refetchInterval })
  // The last line may be stored after the call's end.
  useEffect(() => {
    if (isLive) return
    const timer = setTimeout(() => void refetch(), 1_500)
    return () => clearTimeout(timer)
  }, [isLive, refetch])
  const end = useRef<HTMLDivElement>(null)
  const last = data?.at(-1)
  // The newest line is what one reads.
  useEffect(() => {
    if (last && isLive) end.current?.scrollIntoView({ block: 'nearest' })
  }, [last, isLive])
  return (
    <Stack gap="xs" role="log" aria-label={t('transcript')}>
      {(data ?? []).map(({ id, speaker, text, is_interrupted }) => (
        <Text key={id} style={{ overflowWrap: 'anywhere' }}>
          <Text span fw={600}>
            {t(speaker === 'caller' ? 'you' : 'voiceAgent')}:{' '}
          </Text>
          {text}
          {is_interrupted && (
            <Text span size="sm" c="dimmed">
              {' '}
              {t('interrupted')}
            </Text>
          )}
        </Text>
      ))}
      <div ref={end} />
    </Stack>
  )
}
