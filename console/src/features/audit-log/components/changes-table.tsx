import { Code, ScrollArea, Table, Text } from '@mantine/core'
import { useFieldLabel } from '../../../design/reported'
import { useTexts } from '../../../i18n/texts'
import type { AuditEntry } from '../queries'
import { auditLogTexts } from '../texts'

/** Fields as forms name them, with the API's names below. */
export function ChangesTable({ changes }: Pick<AuditEntry, 'changes'>) {
  const t = useTexts(auditLogTexts)
  const labelOf = useFieldLabel()
  const fields = Object.entries(changes)
  if (fields.length === 0) return <Text c="dimmed">{t('noFields')}</Text>
  return (
    <ScrollArea
      type="auto"
      scrollbars="x"
      viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': t('changes') }}
    >
      <Table aria-label={t('changes')} layout="fixed" miw={420}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th w="30%">{t('field')}</Table.Th>
            <Table.Th>{t('before')}</Table.Th>
            <Table.Th>{t('after')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {fields.map(([field, { from, to }]) => (
            <Table.Tr key={field}>
              <Table.Th scope="row" style={{ overflowWrap: 'anywhere' }}>
                {labelOf(field)}
                <br />
                <Code>{field}</Code>
              </Table.Th>
              <Table.Td>
                <Value value={from} />
              </Table.Td>
              <Table.Td>
                <Value value={to} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollArea>
  )
}

/** Placeholder for secrets. */
const hidden = '(hidden)'

function Value({ value }: { value: unknown }) {
  const t = useTexts(auditLogTexts)
  if (value === undefined || value === null || value === '') return <Text span>–</Text>
  if (value === hidden)
    return (
      <Text span size="sm" c="dimmed">
        {t('hidden')}
      </Text>
    )
  return <span style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{textOfValue(value)}</span>
}

function textOfValue(value: unknown): string {
  if (typeof value === 'string') return value
  const isPlainList = Array.isArray(value) && value.every((one) => typeof one === 'string')
  return isPlainList ? value.join(', ') : JSON.stringify(value, null, 2)
}
