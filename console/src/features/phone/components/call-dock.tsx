/** On every page: ringing calls, and the agent's current call. */
import '../phone.css'
import { Alert, CloseButton, Divider, Group, Paper, Stack, Text } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { Fragment, useEffect, useState } from 'react'
import { NumbersIn, durationOf } from '../../../design/values'
import { useRingingInTab } from '../../../design/tab-title'
import { textOf, useTexts } from '../../../i18n/texts'
import { useLiveEvents } from '../../../live/live'
import { type PastCall, phone, usePhone } from '../phone'
import { problemOf } from '../phone-problem'
import { ownCallsKey } from '../queries'
import { phoneTexts } from '../texts'
import { useFocusIfLost } from './focus-if-lost'
import { IncomingCall } from './incoming-call'
import { RunningCall } from './running-call'
import { usePhoneShortcuts } from './shortcuts'
import { useEndedWords } from '../../../media/ended-words'

export default function CallDock() {
  const t = useTexts(phoneTexts)
  const client = useQueryClient()
  const { rings: all, current, past, isBusy } = usePhone()
  // A call that connects rings until it is connected.
  const rings = all.filter(({ callId }) => callId !== current?.callId)
  const [problem, setProblem] = useState<string | null>(null)
  const run = (work: () => Promise<void>) => {
    setProblem(null)
    work().catch((error: unknown) => setProblem(problemOf(error)))
  }
  // A call that no one took ends for a phone twice: it no longer rings, and it is over.
  const refresh = useDebouncedCallback(() => void client.invalidateQueries({ queryKey: ownCallsKey }), 300)
  useLiveEvents(['stream.opened', 'call.ring', 'call.canceled', 'call.answered', 'call.ended'], (event) => {
    // Leaders also get the events of their teams' calls. The list is read once the call is over.
    const isOurs = phone.news.handle(event)
    if (isOurs && event.event !== 'call.ring' && event.event !== 'call.answered') refresh()
  })
  const [first] = rings
  const caller = first && (first.from.name || first.from.number || t('unknownCaller'))
  useRingingInTab(caller === undefined ? null : t('incoming', { name: caller }))
  usePhoneShortcuts((shortcut) => {
    if (shortcut === 'answer' && first && !isBusy) run(async () => phone.answer(first))
    // A call that runs takes this key for itself.
    if (shortcut === 'hangUp' && first && !current) run(async () => phone.reject(first))
  })
  useEffect(() => {
    phone.sayRings(({ from, to }) => ({
      title: textOf(phoneTexts, 'incoming', {
        name: from.name || from.number || textOf(phoneTexts, 'unknownCaller'),
      }),
      body: textOf(phoneTexts, 'incomingTo', { number: to.name || to.number }),
    }))
    phone.comeBack().catch((error: unknown) => setProblem(problemOf(error)))
  }, [])
  const parts = [
    ...rings.map((ring, index) => ({
      key: ring.callId,
      part: <IncomingCall ring={ring} isFirst={index === 0} run={run} />,
    })),
    ...(current
      ? [{ key: 'current', part: <RunningCall key={current.callId} current={current} run={run} /> }]
      : []),
    ...(past && !current ? [{ key: 'past', part: <CallOver past={past} /> }] : []),
  ]
  if (parts.length === 0 && !problem) return null
  return (
    <Paper
      component="section"
      aria-label={t('phone')}
      className="jf-dock"
      data-rings={first ? true : undefined}
      withBorder
      shadow="lg"
      p="md"
    >
      <Stack gap="sm">
        {problem && (
          <Alert
            color="red"
            role="alert"
            withCloseButton
            closeButtonLabel={t('dismiss')}
            onClose={() => setProblem(null)}
          >
            {problem}
          </Alert>
        )}
        {parts.map(({ key, part }, index) => (
          <Fragment key={key}>
            {index > 0 && <Divider />}
            {part}
          </Fragment>
        ))}
      </Stack>
    </Paper>
  )
}

function CallOver({ past: { other, reason, talkedMs } }: { past: PastCall }) {
  const t = useTexts(phoneTexts)
  const heading = useFocusIfLost<HTMLParagraphElement>()
  const endedBy = useEndedWords()
  return (
    <Group justify="space-between" wrap="nowrap" role="status">
      <div style={{ minWidth: 0 }}>
        <Text ref={heading} tabIndex={-1} fw={600} truncate>
          <NumbersIn text={other.name || other.number} />
        </Text>
        <Text size="sm" c="dimmed">
          {endedBy(reason)}
          {talkedMs > 0 && ` · ${durationOf(talkedMs / 1_000)}`}
        </Text>
      </div>
      <CloseButton aria-label={t('dismiss')} onClick={() => phone.dismissPast()} />
    </Group>
  )
}
