import { Select } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { ListAnswer } from '../../../api/lists'
import { wordOf } from '../../../api/lists'
import { type Column, DataTable } from '../../../design/data-table'
import { EmptyState } from '../../../design/page'
import { StateBadge, Time } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import { type Alert, type AlertKind, type AlertsSearch, alertKinds } from '../queries'
import { happenedOf } from '../happened'
import { alertsTexts } from '../texts'

interface AlertsTableProps {
  query: {
    data: ListAnswer<Alert> | undefined
    error: unknown
    refetch: () => unknown
    isFetching: boolean
    isPlaceholderData: boolean
  }
  search: AlertsSearch
  onSearch: (change: { [Field in keyof AlertsSearch]: AlertsSearch[Field] | undefined }) => void
  /** Columns between the time and the description. */
  more?: readonly Column<Alert>[]
  /** Columns before the kind. */
  filters?: ReactNode
}

export function AlertsTable({ query, search, onSearch, more = [], filters }: AlertsTableProps) {
  const t = useTexts(alertsTexts)
  const [when, ...rest] = useColumns()
  return (
    <DataTable
      label={t('heading')}
      query={query}
      columns={[...(when ? [when] : []), ...more, ...rest]}
      rowKey={({ id }) => id}
      search={{ ...search, sort: 'created_at', order: search.order ?? 'desc' }}
      onSearch={({ search: _, sort: __, ...next }) => onSearch(next)}
      filters={
        <>
          {filters}
          <Select
            label={t('kind')}
            placeholder={t('allKinds')}
            data={alertKinds.map((value) => ({ value, label: t(value) }))}
            clearable
            clearButtonProps={{ 'aria-label': t('allKinds') }}
            w={{ base: '100%', xs: 320 }}
            value={search.kind ?? null}
            onChange={(kind) => onSearch({ kind: wordOf(kind, alertKinds), page: undefined })}
          />
        </>
      }
      isFiltered={search.kind !== undefined || search.workspace !== undefined}
      empty={
        <EmptyState icon={IconAlertTriangle} title={t('emptyTitle')}>
          {t('emptyHint')}
        </EmptyState>
      }
    />
  )
}

/** Red for alerts that stop calls, yellow for possible problems. */
const isBad = (kind: AlertKind) => /_100$|^calls_(burst|refused)|^emergency_/.test(kind)

function useColumns(): Column<Alert>[] {
  const t = useTexts(alertsTexts)
  return [
    {
      key: 'when',
      header: t('when'),
      sort: 'created_at',
      render: ({ created_at }) => <Time at={created_at} exact />,
    },
    {
      key: 'kind',
      header: t('kind'),
      render: ({ kind }) => <StateBadge tone={isBad(kind) ? 'bad' : 'warn'}>{t(kind)}</StateBadge>,
    },
    { key: 'country', header: t('country'), render: ({ country_code }) => country_code ?? '–' },
    { key: 'message', header: t('message'), render: (alert) => happenedOf(alert, t) },
  ]
}
