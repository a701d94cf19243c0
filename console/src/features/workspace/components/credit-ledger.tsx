import { Anchor, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { type Column, DataTable } from '../../../design/data-table'
import { Time, moneyOf } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import { type CreditEntry, creditEntriesQuery } from '../queries'
import { workspaceTexts } from '../texts'

/** Credit ledger, newest first. */
export function CreditLedger() {
  const t = useTexts(workspaceTexts)
  const search = useSearch({ from: '/shell/admin/workspace' })
  const navigate = useNavigate({ from: '/workspace' })
  return (
    <DataTable
      label={t('ledger')}
      query={useQuery(creditEntriesQuery(search))}
      columns={useColumns()}
      rowKey={({ id }) => id}
      search={search}
      onSearch={({ search: _, ...change }) =>
        void navigate({ search: (before) => ({ ...before, ...change }), resetScroll: false })
      }
      empty={<Text c="dimmed">{t('noEntries')}</Text>}
    />
  )
}

function useColumns(): Column<CreditEntry>[] {
  const t = useTexts(workspaceTexts)
  const right = { align: 'right' } as const
  return [
    {
      key: 'created_at',
      header: t('when'),
      sort: 'created_at',
      render: ({ created_at }) => <Time at={created_at} />,
    },
    { key: 'reason', header: t('reason'), render: (entry) => <Reason {...entry} /> },
    { key: 'note', header: t('note'), render: ({ note }) => note || '–' },
    { key: 'amount', header: t('amount'), ...right, render: ({ amount }) => moneyOf(amount) },
    { key: 'balance', header: t('balance'), ...right, render: ({ balance }) => moneyOf(balance) },
  ]
}

/** Links to the page of a call. */
function Reason({ reason, reference }: Pick<CreditEntry, 'reason' | 'reference'>) {
  const t = useTexts(workspaceTexts)
  const text = t(`reason_${reason}`)
  if (reason !== 'call') return text
  return (
    <Anchor size="sm" renderRoot={(props) => <Link {...props} to="/calls/$id" params={{ id: reference }} />}>
      {text}
    </Anchor>
  )
}
