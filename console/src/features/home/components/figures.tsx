import { Card, SimpleGrid, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { countOf, moneyOf } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import type { Overview } from '../queries'
import { answeredShare } from '../steps'
import { homeTexts } from '../texts'

/** Today in figures; each leads to what it counts. */
export function Figures({ overview }: { overview: Overview }) {
  const t = useTexts(homeTexts)
  const { calls, waiting, people, messages, credit_available } = overview
  const share = answeredShare(calls)
  const cents = Math.round(credit_available * 100) / 100
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, sm: 3, lg: 4 }} spacing="sm">
      <Figure to="/calls" label={t('callsToday')} value={countOf(calls.total)}>
        {t('incoming', { count: calls.incoming })}
      </Figure>
      <Figure to="/calls" label={t('answered')} value={share === null ? '–' : `${countOf(share)} %`}>
        {t('ofIncoming')}
      </Figure>
      <Figure to="/calls" label={t('missed')} value={countOf(calls.missed)}>
        {t('missedHint')}
      </Figure>
      <Figure to="/live" label={t('live')} value={countOf(calls.live)}>
        {t('waiting', { count: waiting })}
      </Figure>
      <Figure to="/live" label={t('online')} value={countOf(people.online)}>
        {t('ofPeople', { count: people.total })}
      </Figure>
      <Figure to="/messages" label={t('messages')} value={countOf(messages.received + messages.sent)}>
        {t('messagesHint', { received: countOf(messages.received), sent: countOf(messages.sent) })}
      </Figure>
      <Figure to="/workspace" label={t('credit')} value={moneyOf(cents)}>
        {t('creditHint')}
      </Figure>
    </SimpleGrid>
  )
}

interface FigureProps {
  to: '/calls' | '/live' | '/messages' | '/workspace'
  label: string
  value: string
  /** What the figure is of. */
  children: string
}

function Figure({ to, label, value, children }: FigureProps) {
  return (
    <Card withBorder padding="md" renderRoot={(props) => <Link {...props} to={to} />}>
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
