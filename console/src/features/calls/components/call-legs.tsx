import { Stack, Table, Text } from '@mantine/core'
import { causeInWords } from '../../../api/call-words/causes'
import { Duration, Time } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import type { CallLeg } from '../own-calls'
import { callWords, callsTexts } from '../texts'
import { Party } from '../../../design/party'

/** Participants of a call, answered or not. */
export function CallLegs({ legs }: { legs: readonly CallLeg[] }) {
  const t = useTexts(callsTexts)
  const words = useTexts(callWords)
  return (
    <Table.ScrollContainer
      minWidth={420}
      scrollAreaProps={{ viewportProps: { tabIndex: 0, role: 'group', 'aria-label': t('legs') } }}
    >
      <Table aria-label={t('legs')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('who')}</Table.Th>
            <Table.Th>{t('role')}</Table.Th>
            <Table.Th>{t('began')}</Table.Th>
            <Table.Th ta="right">{t('duration')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {legs.map((leg) => (
            <Table.Tr key={leg.id}>
              <Table.Td>
                <Party number={leg.number} name={leg.agent?.display_name ?? ''} />
              </Table.Td>
              <Table.Td>{words(leg.role)}</Table.Td>
              <Table.Td>
                <Time at={leg.created_at} exact />
              </Table.Td>
              <Table.Td ta="right">
                <Stack gap={0} align="flex-end">
                  <Duration seconds={talkedSeconds(leg)} />
                  {leg.answered_at === null && leg.ended_at !== null && leg.hangup_cause && (
                    <Text size="xs" c="dimmed">
                      {causeInWords(leg.hangup_cause)}
                    </Text>
                  )}
                </Stack>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

function talkedSeconds({ answered_at, ended_at }: CallLeg): number | null {
  if (answered_at === null || ended_at === null) return null
  return (Date.parse(ended_at) - Date.parse(answered_at)) / 1000
}
