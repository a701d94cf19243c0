import { ActionIcon, Group, Select, Stack, Text, Tooltip } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { saveFile } from '../../../api/download'
import { Answered } from '../../../design/page'
import { useTexts } from '../../../i18n/texts'
import { type OwnCallDetail, type Recording, ownSoundQuery } from '../own-calls'
import type { Position } from '../position'
import { ownCallsTexts, recordingTexts } from '../texts'
import { RecordingPlayer } from './recording-player'
import { RecordingStatusBadge } from './recording-status'

interface ChosenRecordingProps {
  call: OwnCallDetail
  sought: Position | null
  onPosition: (position: Position) => void
}

/** The recordings of a call, one at a time. */
export function ChosenRecording({ call, sought, onPosition }: ChosenRecordingProps) {
  const t = useTexts(ownCallsTexts)
  const r = useTexts(recordingTexts)
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
            label: r(kind, { number: index + 1 }),
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
        <Group>
          <RecordingStatusBadge status={shown.status} />
        </Group>
      )}
    </Stack>
  )
}

function Sound({
  callId,
  recording,
  sought,
  onPosition,
}: Omit<ChosenRecordingProps, 'call'> & { callId: string; recording: Recording }) {
  const r = useTexts(recordingTexts)
  const query = useQuery(ownSoundQuery(callId, recording.id))
  return (
    <Answered query={query} rows={3}>
      {(blob) => (
        <RecordingPlayer recording={recording} sound={blob} sought={sought} onPosition={onPosition}>
          <Tooltip label={r('download')}>
            <ActionIcon
              variant="default"
              aria-label={r('download')}
              onClick={() => saveFile(blob, `${recording.id}.${recording.format}`)}
            >
              <IconDownload size={18} />
            </ActionIcon>
          </Tooltip>
        </RecordingPlayer>
      )}
    </Answered>
  )
}
