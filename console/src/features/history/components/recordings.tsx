import { Select, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Suspense, lazy, useState } from 'react'
import { Answered, Loading } from '../../../design/page'
import { useTexts } from '../../../i18n/texts'
import type { Position } from '../position'
import { type CallDetail, type Recording, soundQuery } from '../queries'
import { historyTexts } from '../texts'
import { fetched } from '../../../api/fetched'

/** The waveform's library comes with the first recording that is looked at. */
const Player = lazy(async () => fetched(async () => import('./player')))

interface RecordingsProps {
  call: CallDetail
  sought: Position | null
  onPosition: (position: Position) => void
}

/** The recordings of a call, one at a time. */
export function Recordings({ call, sought, onPosition }: RecordingsProps) {
  const t = useTexts(historyTexts)
  const { recordings } = call
  const [chosen, choose] = useState<string | null>(null)
  const shown = recordings.find(({ id }) => id === chosen) ?? recordings[0]
  if (!shown) return <Text c="dimmed">{t('noRecording')}</Text>
  return (
    <Stack gap="sm">
      {recordings.length > 1 && (
        <Select
          label={t('recording')}
          data={recordings.map(({ id, kind }, index) => ({
            value: id,
            label: `${t(kind === 'voicemail' ? 'voicemail' : 'recording')} ${index + 1}`,
          }))}
          value={shown.id}
          allowDeselect={false}
          onChange={choose}
        />
      )}
      {shown.status === 'ready' ? (
        <Sound
          key={shown.id}
          callId={call.call_id}
          recording={shown}
          sought={sought}
          onPosition={onPosition}
        />
      ) : (
        <Text c="dimmed">{t('notReady', { status: t(unready[shown.status]) })}</Text>
      )}
    </Stack>
  )
}

const unready = {
  recording: 'statusRecording',
  paused: 'statusPaused',
  processing: 'processing',
  failed: 'statusFailed',
} as const

function Sound({
  callId,
  recording,
  sought,
  onPosition,
}: Omit<RecordingsProps, 'call'> & { callId: string; recording: Recording }) {
  const query = useQuery(soundQuery(callId, recording.id))
  return (
    <Answered query={query} rows={3}>
      {(blob) => (
        <Suspense fallback={<Loading rows={3} />}>
          <Player recording={recording} sound={blob} sought={sought} onPosition={onPosition} />
        </Suspense>
      )}
    </Answered>
  )
}
