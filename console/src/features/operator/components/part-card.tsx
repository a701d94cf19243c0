import { Card, Group, Table, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { StateBadge, type Tone } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import { healthTexts } from '../texts'

export type PartState = 'up' | 'down' | 'absent' | 'connecting' | 'inactive'

const tones: Readonly<Record<PartState, Tone>> = {
  ...{ up: 'good', down: 'bad', absent: 'idle', connecting: 'warn', inactive: 'idle' },
}

export function PartBadge({ state }: { state: PartState }) {
  const t = useTexts(healthTexts)
  return <StateBadge tone={tones[state]}>{t(state)}</StateBadge>
}

/** State and details of one part of the platform. */
export function PartCard({
  title,
  state,
  facts,
}: {
  title: string
  state?: PartState
  facts: readonly (readonly [name: string, value: ReactNode])[]
}) {
  return (
    <Card withBorder padding="md" component="section" aria-label={title}>
      <Group justify="space-between" mb={facts.length > 0 ? 'xs' : 0} wrap="nowrap" align="flex-start">
        <Title order={2} size="h5" style={{ overflowWrap: 'anywhere' }}>
          {title}
        </Title>
        {state && <PartBadge state={state} />}
      </Group>
      {facts.length > 0 && (
        <Table withRowBorders={false} verticalSpacing={2} horizontalSpacing={0} aria-label={title}>
          <Table.Tbody>
            {facts.map(([name, value]) => (
              <Table.Tr key={name}>
                <Table.Th scope="row" fw={400} c="dimmed">
                  {name}
                </Table.Th>
                <Table.Td ta="right" style={{ overflowWrap: 'anywhere' }}>
                  {value}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Card>
  )
}
