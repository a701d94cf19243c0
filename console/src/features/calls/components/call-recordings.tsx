import { type components, dataOf } from '@jackfield/sdk'
import { ActionIcon, Button, Card, Group, Stack, Text, Tooltip } from '@mantine/core'
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
import { Duration, StateBadge, Time, type Tone } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import { callRecordingsQuery, soundQuery } from '../queries'
import { callsTexts } from '../texts'
import { useObjectUrl } from '../use-object-url'

type Recording = components['schemas']['Recording']

const tones: Readonly<Record<Recording['status'], Tone>> = {
  recording: 'busy',
  paused: 'warn',
  processing: 'busy',
  ready: 'good',
  failed: 'bad',
}

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
  const client = useQueryClient()
  const [isAsked, setAsked] = useState(false)
  const sound = useQuery({ ...soundQuery(recording.id), enabled: isAsked })
  const url = useObjectUrl(sound.data)
  const saving = useAction({
    run: async () =>
      saveFile(await contentOf(`/recordings/${recording.id}/content`), `${recording.id}.${recording.format}`),
  })
  const name = t('numberOfRecording', { number })
  const isReady = recording.status === 'ready'
  return (
    <Card withBorder padding="sm">
      <Group justify="space-between" gap="sm">
        <Group gap="sm">
          <Text fw={500}>{recording.kind === 'voicemail' ? t('voicemail') : name}</Text>
          <StateBadge tone={tones[recording.status]}>{t(recording.status)}</StateBadge>
          <Time at={recording.created_at} exact />
          <Duration seconds={recording.duration} />
          <Text size="sm" c="dimmed">
            {recording.format.toUpperCase()}, {t(recording.channels === 2 ? 'stereo' : 'mono')}
          </Text>
        </Group>
        <Group gap={4}>
          {isReady && url === undefined && (
            <Button
              size="xs"
              variant="default"
              leftSection={<IconPlayerPlay size={16} aria-hidden />}
              loading={sound.isFetching}
              onClick={() => (isAsked ? void sound.refetch() : setAsked(true))}
            >
              {t('play')}
            </Button>
          )}
          {isReady && (
            <Tooltip label={t('downloadRecording')}>
              <ActionIcon
                variant="subtle"
                aria-label={t('downloadRecording')}
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
          {recording.error}
        </Text>
      )}
      {sound.error && (
        <Text size="sm" c="red" mt="xs" role="alert">
          {messageOf(sound.error)}
        </Text>
      )}
      {url !== undefined && (
        <audio controls autoPlay src={url} aria-label={name} style={{ width: '100%', marginTop: 8 }} />
      )}
    </Card>
  )
}
