/** The agent's recent calls, with a button to call back. */
import { ActionIcon, Card, Group, Stack, Text, Title } from '@mantine/core'
import { IconArrowDownLeft, IconArrowUpRight, IconPhone, IconPhoneX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { isCallable } from '../../../api/e164'
import { Answered, EmptyState } from '../../../design/page'
import { Duration, NumbersIn, Time } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import { type AgentCall, ownCallsQuery } from '../queries'
import { phoneTexts } from '../texts'

interface RecentCallsProps {
  /** Starts a call; undefined while that is not possible. */
  onCall: ((number: string, name: string) => void) | undefined
}

export function RecentCalls({ onCall }: RecentCallsProps) {
  const t = useTexts(phoneTexts)
  const calls = useQuery(ownCallsQuery)
  return (
    <Card withBorder component="section" aria-label={t('recent')}>
      <Stack>
        <Title order={2} size="h4">
          {t('recent')}
        </Title>
        <Answered query={calls} rows={4}>
          {({ data }) =>
            data.length === 0 ? (
              <EmptyState icon={IconPhone} title={t('noCalls')}>
                {t('noCallsHint')}
              </EmptyState>
            ) : (
              <Stack component="ul" gap="xs" p={0} m={0} style={{ listStyle: 'none' }}>
                {data.map((call) => (
                  <RecentCall key={call.call_id} call={call} onCall={onCall} />
                ))}
              </Stack>
            )
          }
        </Answered>
      </Stack>
    </Card>
  )
}

const arrows = { inbound: IconArrowDownLeft, outbound: IconArrowUpRight, missed: IconPhoneX } as const

function RecentCall({ call, onCall }: RecentCallsProps & { call: AgentCall }) {
  const t = useTexts(phoneTexts)
  const { number, name } = call.far_party
  const shown = name || number || t('unknownCaller')
  const way = call.is_missed ? 'missed' : call.side === 'outgoing' ? 'outbound' : 'inbound'
  const Arrow = arrows[way]
  return (
    <Group component="li" justify="space-between" wrap="nowrap" gap="xs">
      <Group gap="xs" wrap="nowrap" style={{ minWidth: 0 }}>
        <Arrow
          size={18}
          role="img"
          aria-label={t(`direction_${way}`)}
          style={{ flexShrink: 0, ...(call.is_missed && { color: 'var(--mantine-color-error)' }) }}
        />
        <div style={{ minWidth: 0 }}>
          <Text truncate>
            <NumbersIn text={shown} />
          </Text>
          <Text size="sm" c="dimmed">
            <Time at={call.created_at} /> · <Duration seconds={call.duration} />
          </Text>
        </div>
      </Group>
      {isCallable(number) && (
        <ActionIcon
          variant="subtle"
          aria-label={t('callOf', { name: shown })}
          disabled={!onCall}
          onClick={() => onCall?.(number, name)}
        >
          <IconPhone size={18} />
        </ActionIcon>
      )}
    </Group>
  )
}
