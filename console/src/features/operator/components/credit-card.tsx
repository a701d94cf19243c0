import { Button, Card, Group, ScrollArea, Table, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { FormModal } from '../../../design/form-modal'
import { partOf } from '../../../design/part-of'
import { Time, moneyOf } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import { type Workspace, creditEntriesQuery } from '../queries'
import { workspacesTexts } from '../texts'
import { PagedTable } from './paged-table'

const CreditForm = partOf(async () => import('./credit-form'), 'CreditForm')

export function CreditCard({ workspace: { id, credit_balance } }: { workspace: Workspace }) {
  const t = useTexts(workspacesTexts)
  const [page, setPage] = useState(1)
  const query = useQuery(creditEntriesQuery(id, page))
  const [isAdding, adding] = useDisclosure()
  return (
    <Card withBorder component="section" aria-label={t('credit')}>
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h4">
          {t('credit')}: {moneyOf(credit_balance)}
        </Title>
        <Button leftSection={<IconPlus size={18} />} onClick={adding.open}>
          {t('addCredit')}
        </Button>
      </Group>
      <PagedTable label={t('ledger')} query={query} page={page} onPage={setPage}>
        {(entries) =>
          entries.length === 0 ? (
            <Text c="dimmed">{t('noEntries')}</Text>
          ) : (
            <ScrollArea
              type="auto"
              scrollbars="x"
              viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': t('ledger') }}
            >
              <Table aria-label={t('ledger')}>
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>{t('when')}</Table.Th>
                    <Table.Th>{t('reason')}</Table.Th>
                    <Table.Th>{t('note')}</Table.Th>
                    <Table.Th ta="right">{t('change')}</Table.Th>
                    <Table.Th ta="right">{t('balance')}</Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {entries.map((entry) => (
                    <Table.Tr key={entry.id}>
                      <Table.Td>
                        <Time at={entry.created_at} />
                      </Table.Td>
                      <Table.Td>{t(entry.reason)}</Table.Td>
                      <Table.Td>{entry.note}</Table.Td>
                      <Table.Td ta="right">{moneyOf(entry.amount)}</Table.Td>
                      <Table.Td ta="right">{moneyOf(entry.balance)}</Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            </ScrollArea>
          )
        }
      </PagedTable>
      <FormModal title={t('addCredit')} opened={isAdding} onClose={adding.close}>
        <CreditForm id={id} onDone={adding.close} />
      </FormModal>
    </Card>
  )
}
