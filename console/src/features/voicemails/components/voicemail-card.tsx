import { dataOf } from '@jackfield/sdk'
import {
  ActionIcon,
  Anchor,
  Badge,
  Blockquote,
  Button,
  Card,
  Group,
  Stack,
  Text,
  Tooltip,
} from '@mantine/core'
import { IconArrowBackUp, IconCheck, IconDownload, IconPlayerPlay } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { api } from '../../../api/client'
import { saveFile } from '../../../api/download'
import { waitingKey } from '../../../api/waiting'
import { useAction } from '../../../api/use-action'
import { Answered } from '../../../design/page'
import { partOf } from '../../../design/part-of'
import { NumbersIn, Duration, Time } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import { RecordingPlayer } from '../../calls/components/recording-player'
import { type Voicemail, setDone, voicemailSoundQuery, voicemailsKey } from '../queries'
import { voicemailTexts } from '../texts'

const CallButton = partOf(async () => import('../../phone/components/call-button'), 'CallButton')

interface VoicemailCardProps {
  voicemail: Voicemail
  /** The box by which it is chosen. */
  box: ReactNode
}

export function VoicemailCard({ voicemail, box }: VoicemailCardProps) {
  const t = useTexts(voicemailTexts)
  const { id, call, status, duration, transcript, created_at, heard_at, done_at, done_by } = voicemail
  const [isOpen, setOpen] = useState(false)
  const { number, name } = call.far_party
  const shown = name || number || t('unknown')
  const params = { path: { id } }
  const heard = useAction({
    run: async () => dataOf(api.PUT('/call-center/voicemails/{id}/heard', { params })),
    changes: [voicemailsKey, waitingKey],
  })
  const done = useAction({
    run: async () => setDone(id, done_at === null),
    changes: [voicemailsKey, waitingKey],
    done: t(done_at === null ? 'marked' : 'reopened'),
  })
  const play = () => {
    setOpen(true)
    if (heard_at === null) heard.mutate()
  }
  return (
    <Card component="li" withBorder aria-label={t('of', { name: shown })} role="listitem">
      <Stack gap="sm">
        <Group justify="space-between" gap="sm">
          <div style={{ minWidth: 0 }}>
            <Group gap="xs" wrap="nowrap">
              {box}
              <Text fw={heard_at === null ? 700 : 500} truncate>
                <NumbersIn text={shown} />
              </Text>
              {heard_at === null && (
                <Badge size="sm" color="red.8" variant="filled">
                  {t('new')}
                </Badge>
              )}
            </Group>
            <Text size="sm" c="dimmed">
              {name !== '' && name !== number && <NumbersIn text={`${number} · `} />}
              <Anchor
                size="sm"
                renderRoot={(props) => (
                  <Link {...props} to="/history/$callId" params={{ callId: call.call_id }} />
                )}
              >
                <Time at={created_at} />
              </Anchor>
              {' · '}
              <Duration seconds={duration} />
              {call.team && ` · ${call.team.title}`}
            </Text>
            {done_by && (
              <Text size="sm" c="dimmed">
                {t('doneBy', { name: done_by.display_name })}
              </Text>
            )}
          </div>
          <Group gap="xs">
            {!isOpen && (
              <Button
                size="xs"
                leftSection={<IconPlayerPlay size={16} aria-hidden />}
                disabled={status !== 'ready'}
                onClick={play}
              >
                {status === 'ready' ? t('play') : t('stored')}
              </Button>
            )}
            <CallButton number={number} name={shown} numberId={call.phone_number?.id ?? ''} />
            <Tooltip label={t(done_at === null ? 'done' : 'reopen')}>
              <ActionIcon
                variant="default"
                aria-label={t(done_at === null ? 'done' : 'reopen')}
                loading={done.isPending}
                onClick={() => done.mutate()}
              >
                {done_at === null ? <IconCheck size={16} /> : <IconArrowBackUp size={16} />}
              </ActionIcon>
            </Tooltip>
          </Group>
        </Group>
        {transcript && (
          <Blockquote p="xs" m={0} radius="sm" aria-label={t('transcript')}>
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {transcript}
            </Text>
          </Blockquote>
        )}
        {isOpen && <Sound voicemail={voicemail} />}
      </Stack>
    </Card>
  )
}

function Sound({ voicemail }: { voicemail: Voicemail }) {
  const t = useTexts(voicemailTexts)
  const { id, format } = voicemail
  const query = useQuery(voicemailSoundQuery(id))
  return (
    <Answered query={query} rows={3}>
      {(blob) => (
        <RecordingPlayer recording={voicemail} sound={blob} isBegun>
          <Tooltip label={t('download')}>
            <ActionIcon
              variant="default"
              aria-label={t('download')}
              onClick={() => saveFile(blob, `${id}.${format}`)}
            >
              <IconDownload size={18} />
            </ActionIcon>
          </Tooltip>
        </RecordingPlayer>
      )}
    </Answered>
  )
}
