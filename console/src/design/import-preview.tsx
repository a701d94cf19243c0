/** What an import would do: which column of the file fills which field, the first lines, and what is wrong. */
import type { components } from '@jackfield/sdk'
import { Alert, List, ScrollArea, Select, Stack, Table, Text } from '@mantine/core'
import { fieldMessage } from '../api/errors'
import { errorWords } from '../api/problems/load'
import { useTexts } from '../i18n/texts'
import { designTexts } from './texts'

export type ImportReport = components['schemas']['Import']

interface ImportPreviewProps {
  report: ImportReport
  /** @param column '' leaves the heading out */
  onMap: (header: string, column: string) => void
}

export function ImportPreview({ report, onMap }: ImportPreviewProps) {
  const t = useTexts(designTexts.csv)
  const { columns, fields, preview, problems, created, updated, skipped, failed } = report
  const shown = [...new Set(columns.flatMap(({ column }) => column ?? []))]
  return (
    <Stack gap="sm">
      <Text size="sm" role="status">
        {t('wouldDo', { created, updated, skipped, failed })}
      </Text>
      <Scrolled label={t('columns')}>
        <Table aria-label={t('columns')} fz="sm" verticalSpacing={4}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('header')}</Table.Th>
              <Table.Th>{t('field')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {columns.map(({ header, column }, index) => (
              <Table.Tr key={`${index} ${header}`}>
                <Table.Td>{header}</Table.Td>
                <Table.Td>
                  <Select
                    size="xs"
                    aria-label={t('fieldOf', { header })}
                    data={[{ value: '', label: t('leftOut') }, ...fields]}
                    value={column ?? ''}
                    allowDeselect={false}
                    onChange={(value) => onMap(header, value ?? '')}
                  />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Scrolled>
      <Scrolled label={t('preview')}>
        <Table aria-label={t('preview')} fz="sm" verticalSpacing={4}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('line')}</Table.Th>
              {shown.map((column) => (
                <Table.Th key={column}>{column}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {preview.map(({ line, values }) => (
              <Table.Tr key={line}>
                <Table.Td>{line}</Table.Td>
                {shown.map((column) => (
                  <Table.Td key={column}>{values[column] ?? '–'}</Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Scrolled>
      {problems.length > 0 && (
        <Alert color="red" role="alert" title={t('faulty', { count: failed })}>
          <Scrolled label={t('faultyLines')}>
            <List size="sm">
              {problems.map(({ line, field, message }, index) => (
                <List.Item key={index}>{t('problem', { line, message: inWords(field, message) })}</List.Item>
              ))}
            </List>
          </Scrolled>
        </Alert>
      )}
    </Stack>
  )
}

/** What is wrong, behind the name of its field. */
function inWords(field: string, message: string): string {
  const label = errorWords()?.labelOf(field) ?? ''
  const rule = fieldMessage({ field, messages: [message] })
  return label ? `${label}: ${rule}` : rule
}

function Scrolled({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <ScrollArea.Autosize mah={200} viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': label }}>
      {children}
    </ScrollArea.Autosize>
  )
}
