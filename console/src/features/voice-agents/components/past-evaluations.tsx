import { Anchor, Stack, Table, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Time } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import type { Evaluation } from '../queries'
import { voiceAgentsTexts } from '../texts'
import { EvaluationBadge } from './evaluation-badge'

export function PastEvaluations({ id, evaluations }: { id: string; evaluations: readonly Evaluation[] }) {
  const t = useTexts(voiceAgentsTexts)
  return (
    <Stack component="section">
      <Title order={2} size="h4">
        {t('past')}
      </Title>
      <Text c="dimmed">{t('pastHint')}</Text>
      <Table.ScrollContainer minWidth={280} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
        <Table aria-label={t('past')}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('when')}</Table.Th>
              <Table.Th>{t('versionHead')}</Table.Th>
              <Table.Th>{t('result')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {evaluations.map((evaluation) => (
              <Table.Tr key={evaluation.id}>
                <Table.Td>
                  <Anchor component={Link} to={`/voice-agents/${id}/evaluations/${evaluation.id}`}>
                    <Time at={evaluation.created_at} />
                  </Anchor>
                </Table.Td>
                <Table.Td>{evaluation.version}</Table.Td>
                <Table.Td>
                  <EvaluationBadge evaluation={evaluation} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Stack>
  )
}
