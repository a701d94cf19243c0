import { Button, Code, Group, ScrollArea, Stack, Table, Text, Title } from '@mantine/core'
import { Facts } from '../../../design/facts'
import { Time } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import type { AuditEntry } from '../queries'
import { platformAuditTexts } from '../texts'

export function EntryDetails({
  entry,
  onTarget,
}: {
  entry: AuditEntry
  /** Asks for all that was done to the same. */
  onTarget: (id: string) => void
}) {
  const t = useTexts(platformAuditTexts)
  const { actor, target, workspace_id, ip, request_id, created_at } = entry
  const changes = Object.entries(entry.changes)
  return (
    <Stack>
      <Facts
        facts={[
          [t('when'), <Time key="when" at={created_at} />],
          [t('actor'), [t(actor.kind), actor.id].filter(Boolean).join(' · ')],
          [t('action'), <code key="action">{entry.action}</code>],
          [t('target'), [target.name, target.id].filter(Boolean).join(' · ')],
          [t('workspace'), workspace_id ?? t('platform')],
          [t('ip'), ip ?? '–'],
          [t('request'), request_id ?? '–'],
        ]}
      />
      <Group>
        <Button size="xs" variant="default" onClick={() => onTarget(target.id)}>
          {t('allOfIt')}
        </Button>
      </Group>
      <Title order={3} size="h5">
        {t('changes')}
      </Title>
      {changes.length === 0 ? (
        <Text c="dimmed">{t('noChanges')}</Text>
      ) : (
        <ScrollArea
          type="auto"
          scrollbars="x"
          viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': t('changes') }}
        >
          <Table aria-label={t('changes')}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('field')}</Table.Th>
                <Table.Th>{t('before')}</Table.Th>
                <Table.Th>{t('after')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {changes.map(([field, change]) => (
                <Table.Tr key={field}>
                  <Table.Td>
                    <code>{field}</code>
                  </Table.Td>
                  <Table.Td>
                    <Value of={change.from} />
                  </Table.Td>
                  <Table.Td>
                    <Value of={change.to} />
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </ScrollArea>
      )}
    </Stack>
  )
}

function Value({ of }: { of: unknown }) {
  const t = useTexts(platformAuditTexts)
  if (of === undefined) return '–'
  if (of === '(hidden)') return <Text c="dimmed">{t('hidden')}</Text>
  return (
    <Code style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
      {typeof of === 'string' ? of : JSON.stringify(of, null, 1)}
    </Code>
  )
}
