import { type components, dataOf } from '@jackfield/sdk'
import { ActionIcon, Box, Button, Card, Group, Stack, Text, Tooltip } from '@mantine/core'
import { IconDownload, IconPlayerPlay, IconTrash } from '@tabler/icons-react'
import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../api/client'
import { contentOf, saveFile } from '../../../api/download'
import { messageOf } from '../../../api/errors'
import type { ListAnswer } from '../../../api/lists'
import { useAction } from '../../../api/use-action'
import { confirmDelete } from '../../../design/dialogs'
import { Answered } from '../../../design/page'
import { Reported } from '../../../design/reported'
import { Duration, Time } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import { callRecordingsQuery, soundQuery } from '../workspace-calls'
import { callsTexts, recordingTexts } from '../texts'
import { RecordingPlayer } from './recording-player'
import { RecordingStatusBadge } from './recording-status'

type Recording = components['schemas']['Recording']

export function CallRecordings({ query }: { query: UseQueryResult<ListAnswer<Recording>> }) {
  const t = useTexts(callsTexts)
  return (
    <Answered query={query} rows={2}>
      {({ data }) =>
        data.length === 0 ? (
          <Text c="dimmed">{t('noRecordings')}</Text>
        ) : (
          <Stack gap="sm">
            {data.map((recording, index) => (
              <OneRecording key={recording.id} recording={recording} number={index + 1} />
            ))}
          </Stack>
        )
      }
    </Answered>
  )
}

function OneRecording({ recording, number }: { recording: Recording; number: number }) {
  const t = useTexts(callsTexts)
  const r = useTexts(recordingTexts)
  const client = useQueryClient()
  const [isAsked, setAsked] = useState(false)
  const sound = useQuery({ ...soundQuery(recording.id), enabled: isAsked })
  const saving = useAction({
    run: async () =>
      saveFile(await contentOf(`/recordings/${recording.id}/content`), `${recording.id}.${recording.format}`),
  })
  const name = r(recording.kind, { number })
  const isReady = recording.status === 'ready'
  return (
    <Card withBorder padding="sm">
      <Group justify="space-between" gap="sm">
        <Group gap="sm">
          <Text fw={500}>{name}</Text>
          <RecordingStatusBadge status={recording.status} />
          <Time at={recording.created_at} exact />
          <Duration seconds={recording.duration} />
          <Text size="sm" c="dimmed">
            {recording.format.toUpperCase()}, {t(recording.channels === 2 ? 'stereo' : 'mono')}
          </Text>
        </Group>
        <Group gap={4}>
          {isReady && !sound.data && (
            <Button
              size="xs"
              variant="default"
              leftSection={<IconPlayerPlay size={16} aria-hidden />}
              loading={sound.isFetching}
              onClick={() => (isAsked ? void sound.refetch() : setAsked(true))}
            >
              {r('play')}
            </Button>
          )}
          {isReady && (
            <Tooltip label={r('download')}>
              <ActionIcon
                variant="subtle"
                aria-label={r('download')}
                loading={saving.isPending}
                onClick={() => saving.mutate()}
              >
                <IconDownload size={18} />
              </ActionIcon>
            </Tooltip>
          )}
          {(isReady || recording.status === 'failed') && (
            <Tooltip label={t('deleteRecording')}>
              <ActionIcon
                variant="subtle"
                color="red"
                aria-label={t('deleteRecording')}
                onClick={() =>
                  confirmDelete({
                    name,
                    consequence: t('recordingLost'),
                    run: async () =>
                      dataOf(api.DELETE('/recordings/{id}', { params: { path: { id: recording.id } } })),
                    onDone: () => void client.invalidateQueries(callRecordingsQuery(recording.call_id)),
                  })
                }
              >
                <IconTrash size={18} />
              </ActionIcon>
            </Tooltip>
          )}
        </Group>
      </Group>
      {recording.error && (
        <Text size="sm" c="dimmed" mt="xs">
          <Reported text={recording.error} />
        </Text>
      )}
      {sound.error && (
        <Text size="sm" c="red" mt="xs" role="alert">
          {messageOf(sound.error)}
        </Text>
      )}
      {sound.data && (
        <Box mt="sm">
          <RecordingPlayer recording={recording} sound={sound.data} isBegun />
        </Box>
      )}
    </Card>
  )
}
