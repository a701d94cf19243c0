/** Attempts of a delivery, newest first. */
import { Card, ScrollArea, Table, Text, Title } from '@mantine/core'
import { Time } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import type { DeliveryDetail } from '../queries'
import { webhooksTexts } from '../texts'
import { Answer, millisecondsOf } from './answer'

export function Attempts({ attempts }: { attempts: DeliveryDetail['attempt_log'] }) {
  const t = useTexts(webhooksTexts)
  return (
    <Card withBorder>
      <Title order={2} size="h4" mb="sm">
        {t('attempts')}
      </Title>
      {attempts.length === 0 ? (
        <Text c="dimmed">{t('noAttempts')}</Text>
      ) : (
        <ScrollArea.Autosize
          mah={320}
          type="auto"
          viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': t('attempts') }}
        >
          <Table aria-label={t('attempts')}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('attempt')}</Table.Th>
                <Table.Th>{t('answer')}</Table.Th>
                <Table.Th ta="right">{t('duration')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {attempts.toReversed().map((attempt) => (
                <Table.Tr key={attempt.attempted_at}>
                  <Table.Td>
                    <Time at={attempt.attempted_at} exact />
                  </Table.Td>
                  <Table.Td>
                    <Answer {...attempt} />
                    {attempt.response_status === null && (
                      <Text size="xs" c="dimmed">
                        {attempt.error}
                      </Text>
                    )}
                  </Table.Td>
                  <Table.Td ta="right">{millisecondsOf(attempt.duration_ms)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </ScrollArea.Autosize>
      )}
    </Card>
  )
}
