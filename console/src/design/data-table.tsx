/** One page of an API list: search, sort and paging are done by the API and kept in the URL. */
import { ActionIcon, Box, Group, Stack, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconRefresh } from '@tabler/icons-react'
import { type ReactNode, useDeferredValue, useEffect, useEffectEvent } from 'react'
import type { ListAnswer } from '../api/lists'
import { common } from '../i18n/common'
import { useTexts } from '../i18n/texts'
import type { BulkAction } from './bulk-actions'
import { BulkBar } from './bulk-bar'
import { useChoosing } from './choosing'
import type { RowsProps, Sorting } from './columns'
import { ErrorState, Loading, StaleNotice } from './page'
import { RowCards } from './row-cards'
import { useRowsInPieces } from './rows-in-pieces'
import { SearchField } from './search-field'
import { TablePages } from './table-pages'
import { TableRows } from './table-rows'

export type { Column } from './columns'

interface DataTableProps<Row> extends Omit<RowsProps<Row>, 'rows' | 'choosing'>, Sorting {
  query: {
    data: ListAnswer<Row> | undefined
    error: unknown
    refetch: () => unknown
    isFetching: boolean
    isPlaceholderData?: boolean
  }
  /** Label of the search field; without it there is none. */
  searchLabel?: string
  /** Further filter fields beside it. */
  filters?: ReactNode
  /** Whether those filters are set: then an empty list is not the empty state. */
  isFiltered?: boolean
  /** Whether those choose one of several lists: they stay beside the empty state then. */
  isChosen?: boolean
  /** Further buttons beside the filters. */
  tools?: ReactNode
  /** What can be done with several rows at once. */
  bulk?: readonly BulkAction<Row>[] | undefined
  /** Human-readable name of a row; of lists whose rows can be chosen. */
  nameOf?: ((row: Row) => string) | undefined
  /** Empty state. */
  empty: ReactNode
}

export function DataTable<Row>(props: DataTableProps<Row>) {
  const { query, search, onSearch, label, empty, filters, searchLabel } = props
  const { isFiltered = false, isChosen = false } = props
  const t = useTexts(common)
  const { data, error } = query
  const isEmpty = data !== undefined && data.data.length === 0
  const lastPage = data ? Math.max(1, Math.ceil(data.meta.total / data.meta.limit)) : 1
  const isBehindLast = data !== undefined && !query.isPlaceholderData && data.meta.page > lastPage
  const toLastPage = useEffectEvent(() => onSearch({ page: lastPage > 1 ? lastPage : undefined }))
  useEffect(() => {
    // The only row of the last page was deleted. Asked for once: each navigation would end the one before.
    if (isBehindLast) toLastPage()
  }, [isBehindLast, lastPage])
  const { bulk = [], nameOf = props.rowKey, tools } = props
  const choosing = useChoosing(data?.data ?? [], props.rowKey, nameOf)
  const boxes = bulk.length > 0 ? choosing : undefined
  // Lower priority than typing, scrolling and clicking.
  const rows = useDeferredValue(
    data && !isEmpty && (
      <Rows {...props} rows={data.data} choosing={boxes} isOld={query.isPlaceholderData ?? false} />
    ),
  )
  const isLoading = data === undefined ? !error : !isEmpty && !rows
  const hasNone = isEmpty && !search.search && !isFiltered && (search.page ?? 1) === 1
  if (hasNone && !isChosen)
    return (
      <Stack gap="sm">
        {tools && <Group justify="flex-end">{tools}</Group>}
        {empty}
      </Stack>
    )
  return (
    <Stack gap="sm">
      <Group gap="sm" align="flex-end">
        {searchLabel && (
          <SearchField
            label={searchLabel}
            value={search.search ?? ''}
            onSearch={(value) => onSearch({ search: value, page: undefined })}
          />
        )}
        {filters}
        <Group gap="xs" ml="auto">
          {tools}
          <ActionIcon
            variant="default"
            size="lg"
            aria-label={t('refresh')}
            loading={query.isFetching && !query.isPlaceholderData}
            onClick={() => void query.refetch()}
          >
            <IconRefresh size={18} />
          </ActionIcon>
        </Group>
      </Group>
      {boxes && <BulkBar actions={bulk} choosing={boxes} />}
      {data === undefined && Boolean(error) && (
        <ErrorState error={error} onRetry={() => void query.refetch()} />
      )}
      {data !== undefined && <StaleNotice error={error} onRetry={() => void query.refetch()} />}
      {isLoading && <Loading rows={10} />}
      {hasNone && empty}
      {isEmpty && !hasNone && !isBehindLast && (
        <Text c="dimmed" py="lg" ta="center" role="status">
          {search.search
            ? t('noMatch', { search: search.search })
            : t(isFiltered ? 'noMatchChosen' : 'empty')}
        </Text>
      )}
      {data && !isEmpty && rows}
      {data && !isLoading && data.meta.total > 0 && (
        <TablePages label={label} meta={data.meta} search={search} onSearch={onSearch} />
      )}
    </Stack>
  )
}

type ShownRows<Row> = RowsProps<Row> & Sorting & { isOld: boolean }

function Rows<Row>({ isOld, ...props }: ShownRows<Row>) {
  const isNarrow = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false })
  const { rows, isPartial } = useRowsInPieces(props.rows, props.rowKey)
  return (
    <Box style={{ opacity: isOld ? 0.6 : 1 }} aria-busy={isOld || isPartial}>
      {isNarrow ? <RowCards {...props} rows={rows} /> : <TableRows {...props} rows={rows} />}
    </Box>
  )
}
