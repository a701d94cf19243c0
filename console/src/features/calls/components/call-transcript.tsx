import { Stack, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Answered } from '../../../design/page'
import { Time } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import { callTranscriptQuery } from '../queries'
import { callsTexts, callWords } from '../texts'
import { ShowMore } from './show-more'

interface CallTranscriptProps {
  callId: string
  refetchInterval: number | false
}

/** Transcript of a call with a voice agent. */
export function CallTranscript({ callId, refetchInterval }: CallTranscriptProps) {
  const t = useTexts(callsTexts)
  const words = useTexts(callWords)
  const query = useInfiniteQuery({ ...callTranscriptQuery(callId), refetchInterval })
  return (
    <Answered query={query} rows={3}>
      {({ pages }) => {
        const lines = pages.flatMap(({ data }) => data)
        if (lines.length === 0) return <Text c="dimmed">{t('noTranscript')}</Text>
        return (
          <Stack gap="sm">
            {lines.map(({ id, speaker, text, is_interrupted, created_at }) => (
              <div key={id}>
                <Text size="sm" c="dimmed">
                  {words(speaker)} · <Time at={created_at} exact />
                  {is_interrupted && ` · ${t('interrupted')}`}
                </Text>
                <Text style={{ overflowWrap: 'anywhere' }}>{text}</Text>
              </div>
            ))}
            <ShowMore query={query} shown={lines.length} total={pages[0]?.meta.total ?? 0} />
          </Stack>
        )
      }}
    </Answered>
  )
}
