import type { ListAnswer } from '../../../api/lists'
import { defaultLimit } from '../../../api/lists'
import { type Column, DataTable } from '../../../design/data-table'
import { Duration, countOf, moneyOf } from '../../../design/values'
import { directionWords } from '../../../i18n/common'
import { useTexts } from '../../../i18n/texts'
import { periodText } from '../periods'
import type { Usage, UsageRow, UsageSearch } from '../queries'
import { usageTexts } from '../texts'

interface UsageTableProps {
  query: { data: Usage | undefined; error: unknown; refetch: () => unknown; isFetching: boolean }
  search: UsageSearch
  onSearch: (change: { page?: number | undefined; limit?: number | undefined }) => void
}

/** Newest first. */
export function UsageTable({ query, search, onSearch }: UsageTableProps) {
  const t = useTexts(usageTexts)
  return (
    <DataTable
      label={t('heading')}
      query={{ ...query, data: query.data && cut(query.data.data.toReversed(), search) }}
      columns={useColumns(query.data?.group_by)}
      rowKey={({ period, direction }) => `${period} ${direction}`}
      search={search}
      onSearch={({ page, limit }) => onSearch({ page, ...(limit && { limit }) })}
      empty={null}
    />
  )
}

function cut(rows: UsageRow[], { page = 1, limit = defaultLimit }: UsageSearch): ListAnswer<UsageRow> {
  const meta = { total: rows.length, page, limit, total_pages: Math.ceil(rows.length / limit) }
  return { data: rows.slice((page - 1) * limit, page * limit), meta }
}

function useColumns(by: Usage['group_by'] = 'day'): Column<UsageRow>[] {
  const t = useTexts(usageTexts)
  const ways = useTexts(directionWords)
  const right = { align: 'right' } as const
  return [
    { key: 'period', header: t(by), render: ({ period }) => periodText(period) },
    { key: 'direction', header: t('direction'), render: ({ direction }) => ways(direction) },
    { key: 'calls', header: t('calls'), ...right, render: ({ calls }) => countOf(calls) },
    {
      key: 'seconds',
      header: t('duration'),
      ...right,
      render: ({ seconds }) => <Duration seconds={seconds} />,
    },
    { key: 'cost', header: t('callCost'), ...right, render: ({ cost }) => moneyOf(cost) },
    { key: 'messages', header: t('messages'), ...right, render: ({ messages }) => countOf(messages) },
    { key: 'segments', header: t('segments'), ...right, render: ({ segments }) => countOf(segments) },
    {
      key: 'message_cost',
      header: t('messageCost'),
      ...right,
      render: ({ message_cost }) => moneyOf(message_cost),
    },
  ]
}
