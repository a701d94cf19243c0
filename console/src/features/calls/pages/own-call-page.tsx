import { Anchor, Card, Grid, Group, Stack, Text, Title } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { Answered, Page } from '../../../design/page'
import { Party } from '../../../design/party'
import { Duration, Time } from '../../../design/values'
import { type Translate, useTexts } from '../../../i18n/texts'
import { askedEveryMs, isMoving, useCallUpdates } from '../call-updates'
import { CallLegs } from '../components/call-legs'
import { CallOutcomeBadge, HandledBy } from '../components/call-outcome'
import { Side } from '../components/call-side'
import { Direction } from '../components/call-status'
import { CallTimeline } from '../components/call-timeline'
import { ChosenRecording } from '../components/chosen-recording'
import { PartyOf } from '../components/party'
import { Transcript } from '../components/transcript'
import { type OwnCallDetail, ownCallKey, ownCallQuery, ownTranscriptQuery } from '../own-calls'
import type { Position } from '../position'
import { callWords, callsTexts, ownCallsTexts } from '../texts'

export function OwnCallPage() {
  const t = useTexts(ownCallsTexts)
  const { callId } = useParams({ from: '/shell/agent/history/$callId' })
  const query = useQuery({
    ...ownCallQuery(callId),
    refetchInterval: ({ state: { data } }) => isMoving(data, data?.recordings) && askedEveryMs,
  })
  const back = (
    <Anchor renderRoot={(props) => <Link {...props} to="/history" />}>
      <Group gap={4} component="span" wrap="nowrap">
        <IconArrowLeft size={16} aria-hidden />
        {t('history')}
      </Group>
    </Anchor>
  )
  return (
    <Page title={t('call')} actions={back}>
      <Answered query={query}>{(call) => <Shown call={call} />}</Answered>
    </Page>
  )
}

function Shown({ call }: { call: OwnCallDetail }) {
  const t = useTexts(callsTexts)
  const own = useTexts(ownCallsTexts)
  const { call_id: id } = call
  const refetchInterval = useCallUpdates(isMoving(call, call.recordings), ownCallKey(id))
  const transcript = useQuery({ ...ownTranscriptQuery(id), refetchInterval })
  const [position, setPosition] = useState<Position | null>(null)
  const [sought, setSought] = useState<Position | null>(null)
  return (
    <Stack gap="lg">
      <Facts call={call} />
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, lg: 7 }}>
          <Stack gap="lg">
            <Part title={t('recordings')}>
              <ChosenRecording call={call} sought={sought} onPosition={setPosition} />
            </Part>
            <Part title={t('legs')}>
              <CallLegs legs={call.legs} />
            </Part>
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 5 }}>
          <Stack gap="lg">
            <Part title={t('transcript')}>
              <Answered query={transcript} rows={3}>
                {({ data, meta }) => (
                  <>
                    <Transcript lines={data} position={position} onSeek={setSought} />
                    {meta.total > data.length && (
                      <Text c="dimmed">{own('transcriptMore', { count: data.length })}</Text>
                    )}
                  </>
                )}
              </Answered>
            </Part>
            <Part title={t('timeline')}>
              <CallTimeline events={call.events} isBrief />
            </Part>
          </Stack>
        </Grid.Col>
      </Grid>
    </Stack>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Card withBorder component="section" aria-label={title}>
      <Title order={2} size="h4" mb="sm">
        {title}
      </Title>
      {children}
    </Card>
  )
}

type Fact = [name: string, value: ReactNode]

/** From the agent's own side; both ends for leaders and supervisors who had no part in the call. */
function partiesOf(
  call: OwnCallDetail,
  t: Translate<typeof callsTexts.en>,
  own: Translate<typeof ownCallsTexts.en>,
): Fact[] {
  const { side, is_missed, far_party } = call
  if (side === null || far_party === null)
    return [
      [t('direction'), <Direction key="direction" direction={call.direction} />],
      [t('from'), <PartyOf key="from" call={call} side="from" />],
      [t('to'), <PartyOf key="to" call={call} side="to" />],
    ]
  return [
    [own('side'), <Side key="side" call={{ side, is_missed }} />],
    [own('far'), <Party key="far" number={far_party.number} name={far_party.name} />],
  ]
}

function Facts({ call }: { call: OwnCallDetail }) {
  const t = useTexts(callsTexts)
  const own = useTexts(ownCallsTexts)
  const words = useTexts(callWords)
  const facts: Fact[] = [
    [t('outcome'), <CallOutcomeBadge key="outcome" call={call} />],
    ...partiesOf(call, t, own),
    [t('handledBy'), <HandledBy key="handled" call={call} />],
    [t('team'), call.team?.title ?? '–'],
    [t('began'), <Time key="created" at={call.created_at} exact />],
    [t('wait'), <Duration key="wait" seconds={call.wait_seconds} />],
    [t('ring'), <Duration key="ring" seconds={call.ring_seconds} />],
    [t('talk'), <Duration key="talk" seconds={call.talk_seconds} />],
    [t('hold'), <Duration key="hold" seconds={call.hold_seconds} />],
    [t('leftFirst'), call.ended_by === null ? '–' : words(`ended_by_${call.ended_by}`)],
  ]
  return (
    <Group component="dl" gap="xl" m={0} align="flex-start">
      {facts.map(([name, value]) => (
        <div key={name}>
          <Text component="dt" size="sm" c="dimmed">
            {name}
          </Text>
          <dd style={{ margin: 0 }}>{value}</dd>
        </div>
      ))}
    </Group>
  )
}
