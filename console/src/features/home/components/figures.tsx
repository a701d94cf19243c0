import { Card, SimpleGrid, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { today } from '../../../api/days'
import { countOf, moneyOf } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import type { Overview } from '../queries'
import { answeredShare } from '../steps'
import { homeTexts } from '../texts'

/** Draws the card as a link. */
type Linked = (props: Record<string, unknown>) => ReactNode

/** Today in figures; each leads to what it counts. */
export function Figures({ overview }: { overview: Overview }) {
  const t = useTexts(homeTexts)
  const { calls, waiting, people, messages, credit_available } = overview
  const share = answeredShare(calls)
  const cents = Math.round(credit_available * 100) / 100
  const from = today()
  const incoming = { from, direction: 'inbound' } as const
  const toLive: Linked = (props) => <Link {...props} to="/live" />
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, sm: 3, lg: 4 }} spacing="sm">
      <Figure
        link={(props) => <Link {...props} to="/calls" search={{ from }} />}
        label={t('callsToday')}
        value={countOf(calls.total)}
      >
        {t('incoming', { count: calls.incoming })}
      </Figure>
      <Figure
        link={(props) => <Link {...props} to="/calls" search={{ ...incoming, outcome: 'answered' }} />}
        label={t('answered')}
        value={share === null ? '–' : `${countOf(share)} %`}
      >
        {t('ofIncoming')}
      </Figure>
      <Figure
        link={(props) => <Link {...props} to="/calls" search={{ ...incoming, outcome: 'unanswered' }} />}
        label={t('missed')}
        value={countOf(calls.missed)}
      >
        {t('missedHint')}
      </Figure>
      <Figure link={toLive} label={t('live')} value={countOf(calls.live)}>
        {t('waiting', { count: waiting })}
      </Figure>
      <Figure link={toLive} label={t('online')} value={countOf(people.online)}>
        {t('ofPeople', { count: people.total })}
      </Figure>
      <Figure
        link={(props) => <Link {...props} to="/messages" search={{ from }} />}
        label={t('messages')}
        value={countOf(messages.received + messages.sent)}
      >
        {t('messagesHint', { received: countOf(messages.received), sent: countOf(messages.sent) })}
      </Figure>
      <Figure
        link={(props) => <Link {...props} to="/workspace" />}
        label={t('credit')}
        value={moneyOf(cents)}
      >
        {t('creditHint')}
      </Figure>
    </SimpleGrid>
  )
}

interface FigureProps {
  link: Linked
  label: string
  value: string
  /** What the figure is of. */
  children: string
}

function Figure({ link, label, value, children }: FigureProps) {
  return (
    <Card withBorder padding="md" renderRoot={link}>
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <Text size="xl" fw={700} style={{ fontVariantNumeric: 'tabular-nums' }}>
        {value}
      </Text>
      <Text size="sm" c="dimmed">
        {children}
      </Text>
    </Card>
  )
}
