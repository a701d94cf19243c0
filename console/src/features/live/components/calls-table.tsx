import { Group, Text } from '@mantine/core'
import { IconArrowDownLeft, IconArrowUpRight, IconEar, IconRobot } from '@tabler/icons-react'
import { useMemo } from 'react'
import { RecordingDot } from '../../../design/recording-dot'
import { StateBadge } from '../../../design/values'
import { directionWords } from '../../../i18n/common'
import { useTexts } from '../../../i18n/texts'
import { type LiveAgent, type LiveCall, otherParty } from '../board'
import { maySupervise, teammatesOf, useOwnSupervision } from '../supervision'
import { liveTexts } from '../texts'
import { type DetailsFor, DetailsLink } from './details-link'
import { PartyLine } from './party-line'
import { Since } from './since'
import { SuperviseButtons } from './supervise-buttons'
import { type VirtualColumn, VirtualTable } from './virtual-table'

interface CallsTableProps {
  calls: readonly LiveCall[]
  /** All agents, whichever team is selected. */
  agents: readonly LiveAgent[]
  /** Names of teams, by id. */
  teamName: (id: string) => string
  details: DetailsFor | null
}

export function CallsTable({ calls, agents, teamName, details }: CallsTableProps) {
  const t = useTexts(liveTexts)
  const supervision = useOwnSupervision()
  const ownId = supervision?.ownId
  const ownCall = supervision?.own?.callId
  const ownMode = supervision?.own?.mode ?? null
  const isInCall = supervision?.isInCall ?? false
  const isTeammate = useMemo(() => teammatesOf(agents, ownId), [agents, ownId])
  const columns = useMemo(() => {
    const list: VirtualColumn<LiveCall>[] = [
      {
        key: 'with',
        header: t('partner'),
        width: 'minmax(10rem, 2fr)',
        render: (call) => <Partner call={call} />,
      },
      {
        key: 'agent',
        header: t('agent'),
        width: 'minmax(9.375rem, 2fr)',
        render: (call) => <Who call={call} teamName={teamName} />,
      },
      { key: 'state', header: t('call'), width: '9.375rem', render: (call) => <StateCell call={call} /> },
      {
        key: 'since',
        header: t('since'),
        width: '5.25rem',
        render: (call) => <Since at={call.answered_at ?? call.created_at} />,
      },
    ]
    if (ownId !== undefined) {
      list.push({
        key: 'supervise',
        header: t('supervise'),
        width: '11rem',
        render: (call) => {
          const isOwn = call.call_id === ownCall
          if (!isOwn && !maySupervise(call, ownId, isTeammate)) return null
          return (
            <SuperviseButtons
              call={call}
              mode={isOwn ? (ownMode ?? 'listen') : null}
              isDisabled={isInCall || (ownCall !== undefined && !isOwn)}
            />
          )
        },
      })
    }
    if (details) {
      list.push({
        key: 'details',
        header: t('more'),
        width: '5.25rem',
        render: (call) => <DetailsLink call={call} person={details} />,
      })
    }
    return list
  }, [t, teamName, ownId, ownCall, ownMode, isInCall, isTeammate, details])
  return <VirtualTable label={t('calls')} rows={calls} columns={columns} rowKey={({ call_id }) => call_id} />
}

function Partner({ call }: { call: LiveCall }) {
  const t = useTexts(directionWords)
  const Picture = call.direction === 'inbound' ? IconArrowDownLeft : IconArrowUpRight
  return (
    <Group gap={6} wrap="nowrap" style={{ minWidth: 0 }}>
      <Picture size="1rem" role="img" aria-label={t(call.direction)} style={{ flexShrink: 0 }} />
      <PartyLine party={otherParty(call)} />
    </Group>
  )
}

function Who({ call, teamName }: { call: LiveCall; teamName: (id: string) => string }) {
  const t = useTexts(liveTexts)
  const { agents, supervisors, voice_agent_id, waiting } = call
  const names = agents.map(({ display_name }) => display_name).join(', ')
  const heardBy = supervisors.map(({ display_name }) => display_name).join(', ')
  return (
    <Group gap={6} wrap="nowrap" style={{ minWidth: 0 }}>
      {voice_agent_id !== null && (
        <>
          <IconRobot size="1rem" aria-hidden style={{ flexShrink: 0 }} />
          <Text span>{t('voiceAgent')}</Text>
        </>
      )}
      <Text span truncate>
        {names || (waiting ? teamName(waiting.team_id) : voice_agent_id === null ? '–' : '')}
      </Text>
      {heardBy !== '' && (
        <IconEar
          size="1rem"
          role="img"
          aria-label={t('supervisedBy', { who: heardBy })}
          style={{ flexShrink: 0 }}
        />
      )}
    </Group>
  )
}

function StateCell({ call }: { call: LiveCall }) {
  const t = useTexts(liveTexts)
  const { recording } = call
  return (
    <Group gap={8} wrap="nowrap">
      <CallState call={call} />
      {recording && (
        <RecordingDot
          isPaused={recording.is_paused}
          label={t(recording.is_paused ? 'recordingPaused' : 'recordingRuns')}
        />
      )}
    </Group>
  )
}

function CallState({ call }: { call: LiveCall }) {
  const t = useTexts(liveTexts)
  if (call.waiting) return <StateBadge tone="warn">{t('waiting')}</StateBadge>
  if (call.agents.some(({ state }) => state === 'talking') && call.answered_at !== null) {
    return <StateBadge tone="good">{t('talking')}</StateBadge>
  }
  if (call.status === 'created' || call.status === 'ringing') {
    return <StateBadge tone="idle">{t('ringing')}</StateBadge>
  }
  return <StateBadge tone="busy">{t(call.status === 'active' ? 'talking' : 'started')}</StateBadge>
}
