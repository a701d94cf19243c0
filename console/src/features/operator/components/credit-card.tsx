import { Button, Card, Group, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { text, time } from '../../../design/column-kinds'
import { FormModal } from '../../../design/form-modal'
import { partOf } from '../../../design/part-of'
import { moneyOf } from '../../../design/values'
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
      <PagedTable
        label={t('ledger')}
        query={query}
        page={page}
        onPage={setPage}
        empty={t('noEntries')}
        columns={[
          time('created_at', t('when')),
          { key: 'reason', header: t('reason'), render: ({ reason }) => t(reason) },
          text('note', t('note')),
          { key: 'change', header: t('change'), align: 'right', render: ({ amount }) => moneyOf(amount) },
          { key: 'balance', header: t('balance'), align: 'right', render: ({ balance }) => moneyOf(balance) },
        ]}
      />
      <FormModal title={t('addCredit')} opened={isAdding} onClose={adding.close}>
        <CreditForm id={id} onDone={adding.close} />
      </FormModal>
    </Card>
  )
}
