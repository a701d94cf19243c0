import { Code, Group, Stack, Text } from '@mantine/core'
import { gatewayAddress } from '../../../api/gateway-address'
import { StateBadge, Time } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import type { OutboundGateway } from '../queries'
import { trunksTexts } from '../texts'

type Seen = NonNullable<OutboundGateway['reachability']>[number]

const badges = {
  reachable: { tone: 'good', text: 'pingReachable' },
  unreachable: { tone: 'bad', text: 'pingUnreachable' },
  unknown: { tone: 'idle', text: 'pingUnknown' },
} as const

/** Results of the OPTIONS pings to a gateway's addresses. */
export function Reached({ addresses }: { addresses: readonly Seen[] }) {
  const t = useTexts(trunksTexts)
  return (
    <Stack gap={6}>
      {addresses.map(({ host, address, port, transport, state, since, ...answer }) => {
        const { tone, text } = badges[state]
        const shown = gatewayAddress({ uri: address ?? host, port, protocol: transport })
        return (
          <div key={`${host} ${shown}`}>
            <Group gap="xs">
              <Code style={{ overflowWrap: 'anywhere' }}>{shown}</Code>
              <StateBadge tone={tone}>{t(text)}</StateBadge>
            </Group>
            {since !== null && (
              <Text size="xs" c="dimmed" component="div">
                {answer.status_code === null
                  ? t('pingSilence')
                  : t('pingAnswer', { status: answer.status_code, milliseconds: answer.round_trip_ms ?? 0 })}
                {', '}
                {t('pingSince')} <Time at={since} />
              </Text>
            )}
          </div>
        )
      })}
    </Stack>
  )
}
