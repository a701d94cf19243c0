import { dataOf } from '@jackfield/sdk'
import { Anchor, Button, Grid, Stack, Text, Title, Tooltip } from '@mantine/core'
import { modals } from '@mantine/modals'
import { IconHistory, IconPhoneOff, IconTrash } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { api } from '../../../api/client'
import { causeInWords } from '../../../api/call-words/causes'
import { isStatus } from '../../../api/errors'
import { useAction } from '../../../api/use-action'
import { confirmDelete } from '../../../design/dialogs'
import { Facts } from '../../../design/facts'
import { Answered, EmptyState, Page } from '../../../design/page'
import { TalkTime } from '../../../design/talk-time'
import { Copyable, Duration, Time, moneyOf } from '../../../design/values'
import { common } from '../../../i18n/common'
import { useTexts } from '../../../i18n/texts'
import { askedEveryMs, isMoving, useCallUpdates } from '../call-updates'
import { CallLadder } from '../components/call-ladder'
import { CallRecordings } from '../components/call-recordings'
import { CallOutcomeBadge, HandledBy } from '../components/call-outcome'
import { Direction } from '../components/call-status'
import { Verified } from '../components/verified'
import { CallTimeline } from '../components/call-timeline'
import { PartyOf } from '../components/party'
import { ShowMore } from '../components/show-more'
import { Transcript } from '../components/transcript'
import {
  type CallDetail,
  callEventsQuery,
  callKey,
  callQuery,
  callRecordingsQuery,
  callTranscriptQuery,
  callsKey,
} from '../workspace-calls'
import { callWords, callsTexts } from '../texts'

export function CallPage() {
  const t = useTexts(callsTexts)
  const { id } = useParams({ from: '/shell/admin/calls/$id' })
  const query = useQuery({
    ...callQuery(id),
    refetchInterval: ({ state }) => isLive(state.data) && askedEveryMs,
  })
  if (isStatus(query.error, 404)) {
    return (
      <Page title={t('gone')}>
        <EmptyState
          icon={IconHistory}
          title={t('gone')}
          action={
            <Anchor component={Link} to="/calls">
              {t('heading')}
            </Anchor>
          }
        >
          {t('goneHint')}
        </EmptyState>
      </Page>
    )
  }
  const title = query.data ? t('titleOf', { from: query.data.from, to: query.data.to }) : t('heading')
  return (
    <Page
      title={title}
      description={
        <Anchor component={Link} to="/calls" size="sm">
          {t('heading')}
        </Anchor>
      }
      actions={
        query.data && (isLive(query.data) ? <EndButton id={id} /> : <DeleteButton call={query.data} />)
      }
    >
      <Answered query={query}>{(call) => <Call call={call} />}</Answered>
    </Page>
  )
}

function isLive(call: CallDetail | undefined): boolean {
  return call !== undefined && call.ended_at === null
}

function Call({ call }: { call: CallDetail }) {
  const t = useTexts(callsTexts)
  const { call_id: id } = call
  const recordings = useQuery({
    ...callRecordingsQuery(id),
    refetchInterval: ({ state }) => isMoving(call, state.data?.data) && askedEveryMs,
  })
  const refetchInterval = useCallUpdates(isMoving(call, recordings.data?.data), callKey(id))
  const events = useInfiniteQuery({ ...callEventsQuery(id), refetchInterval })
  return (
    <Stack gap="xl">
      <CallFacts call={call} />
      <Answered query={events}>
        {({ pages }) => {
          const entries = pages.flatMap(({ data }) => data)
          const total = pages[0]?.meta.total ?? 0
          return (
            <Grid gap="xl">
              <Grid.Col span={{ base: 12, lg: 8 }}>
                <Section title={t('ladder')} hint={t('ladderHint')}>
                  <CallLadder call={call} events={entries} />
                </Section>
              </Grid.Col>
              <Grid.Col span={{ base: 12, lg: 4 }}>
                <Section title={t('timeline')}>
                  <CallTimeline events={entries} endedBy={call.ended_by} />
                  <ShowMore query={events} shown={entries.length} total={total} />
                </Section>
              </Grid.Col>
            </Grid>
          )
        }}
      </Answered>
      <Section title={t('recordings')}>
        <CallRecordings query={recordings} />
      </Section>
      {call.voice_agent_sessions.length > 0 && (
        <Section title={t('transcript')}>
          <CallTranscript id={id} refetchInterval={refetchInterval} />
        </Section>
      )}
    </Stack>
  )
}

function CallTranscript({ id, refetchInterval }: { id: string; refetchInterval: number | false }) {
  const query = useInfiniteQuery({ ...callTranscriptQuery(id), refetchInterval })
  return (
    <Answered query={query} rows={3}>
      {({ pages }) => {
        const lines = pages.flatMap(({ data }) => data)
        return (
          <Stack gap="sm">
            <Transcript lines={lines} />
            <ShowMore query={query} shown={lines.length} total={pages[0]?.meta.total ?? 0} />
          </Stack>
        )
      }}
    </Answered>
  )
}

function CallFacts({ call }: { call: CallDetail }) {
  const t = useTexts(callsTexts)
  const words = useTexts(callWords)
  return (
    <Grid gap="md">
      <Grid.Col span={{ base: 12, sm: 6 }}>
        <Facts
          facts={[
            [t('outcome'), <CallOutcomeBadge key="outcome" call={call} />],
            [t('direction'), <Direction key="direction" direction={call.direction} />],
            [t('from'), <PartyOf key="from" call={call} side="from" />],
            [t('to'), <PartyOf key="to" call={call} side="to" />],
            [t('handledBy'), <HandledBy key="handled" call={call} />],
            [t('team'), call.team?.title ?? null],
            [t('number'), call.phone_number?.title ?? null],
            [t('flow'), call.call_flow?.title ?? null],
            [
              t('verification'),
              call.caller_verification && <Verified key="caller" {...call.caller_verification} />,
            ],
          ]}
        />
      </Grid.Col>
      <Grid.Col span={{ base: 12, sm: 6 }}>
        <Facts
          facts={[
            [t('began'), <Time key="began" at={call.created_at} exact />],
            [t('answeredAt'), call.answered_at && <Time key="answered" at={call.answered_at} exact />],
            [t('endedAt'), call.ended_at && <Time key="ended" at={call.ended_at} exact />],
            [t('duration'), call.answered_at && <Lasted key="duration" call={call} />],
            [t('cost'), moneyOf(call.cost)],
            [t('leftFirst'), call.ended_by && words(`ended_by_${call.ended_by}`)],
            [t('wait'), secondsOf(call.wait_seconds)],
            [t('ring'), secondsOf(call.ring_seconds)],
            [t('talk'), secondsOf(call.talk_seconds)],
            [t('hold'), secondsOf(call.hold_seconds)],
            [t('cause'), call.hangup_cause && <Cause key="cause" call={call} />],
            ['ID', <Copyable key="id" value={call.call_id} what="ID" />],
          ]}
        />
      </Grid.Col>
    </Grid>
  )
}

/** Seconds of a part that the call had. */
function secondsOf(seconds: number | null) {
  return seconds ? <Duration seconds={seconds} /> : null
}

/** Up to now, while it lives. */
function Lasted({ call: { answered_at, ended_at, duration } }: { call: CallDetail }) {
  if (answered_at && !ended_at) return <TalkTime since={Date.parse(answered_at)} />
  return <Duration seconds={duration} />
}

/** In words; the switch's cause and the SIP status are in the tooltip, for engineers. */
function Cause({ call: { hangup_cause, sip_code, ended_by } }: { call: CallDetail }) {
  const raw = [hangup_cause, sip_code && `SIP ${String(sip_code)}`].filter(Boolean).join(' · ')
  return (
    <Tooltip label={raw} events={{ hover: true, focus: true, touch: true }}>
      <Text span tabIndex={0}>
        {causeInWords(hangup_cause ?? '', ended_by)}
      </Text>
    </Tooltip>
  )
}

function Section({ title, hint, children }: { title: string; hint?: string; children: ReactNode }) {
  return (
    <Stack component="section" gap="sm" aria-label={title}>
      <div>
        <Title order={2} size="h4">
          {title}
        </Title>
        {hint && (
          <Text size="sm" c="dimmed">
            {hint}
          </Text>
        )}
      </div>
      {children}
    </Stack>
  )
}

function DeleteButton({ call }: { call: CallDetail }) {
  const t = useTexts(callsTexts)
  const c = useTexts(common)
  const navigate = useNavigate()
  const client = useQueryClient()
  const ask = () =>
    confirmDelete({
      name: t('titleOf', { from: call.from, to: call.to }),
      consequence: t('deleteConsequence'),
      run: async () => dataOf(api.DELETE('/calls/{id}', { params: { path: { id: call.call_id } } })),
      onDone: () => {
        void navigate({ to: '/calls' }).then(async () => client.invalidateQueries({ queryKey: callsKey }))
      },
    })
  return (
    <Button variant="default" leftSection={<IconTrash size={18} aria-hidden />} onClick={ask}>
      {c('delete')}
    </Button>
  )
}

function EndButton({ id }: { id: string }) {
  const t = useTexts(callsTexts)
  const c = useTexts(common)
  const { mutate, isPending } = useAction({
    run: async () => dataOf(api.POST('/calls/{id}/hangup', { params: { path: { id } } })),
    changes: [callsKey],
    done: t('ended'),
  })
  const ask = () =>
    modals.openConfirmModal({
      title: t('endQuestion'),
      children: <Text>{t('endHint')}</Text>,
      labels: { confirm: t('end'), cancel: c('cancel') },
      confirmProps: { color: 'red' },
      onConfirm: () => mutate(),
    })
  return (
    <Button
      color="red"
      leftSection={<IconPhoneOff size={18} aria-hidden />}
      loading={isPending}
      onClick={ask}
    >
      {t('end')}
    </Button>
  )
}
