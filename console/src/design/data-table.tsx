/** One page of a list of the API: searched, sorted and paged there, and kept in the page's address. */
import {
  ActionIcon,
  Box,
  Card,
  CloseButton,
  Group,
  Pagination,
  ScrollArea,
  Select,
  Stack,
  Table,
  Text,
  TextInput,
  UnstyledButton,
} from '@mantine/core'
import { useDebouncedCallback, useMediaQuery } from '@mantine/hooks'
import { IconArrowDown, IconArrowUp, IconArrowsSort, IconRefresh, IconSearch } from '@tabler/icons-react'
import { type ReactNode, useDeferredValue, useEffect, useState } from 'react'
import { type ListAnswer, type ListSearch, defaultLimit } from '../api/lists'
import { common } from '../i18n/common'
import { useTexts } from '../i18n/texts'
import { ErrorState, Loading } from './page'
import { countOf } from './values'

export interface Column<Row> {
  key: string
  header: string
  render: (row: Row) => ReactNode
  /** Field of the API by which this column is sorted. */
  sort?: string
  align?: 'right'
  width?: number | string
}

interface DataTableProps<Row> {
  /** Says what is listed, to screen readers. */
  label: string
  query: {
    data: ListAnswer<Row> | undefined
    error: unknown
    refetch: () => unknown
    isFetching: boolean
    isPlaceholderData?: boolean
  }
  columns: readonly Column<Row>[]
  rowKey: (row: Row) => string
  search: ListSearch
  /** Puts a change into the address; `undefined` takes a field out of it. */
  onSearch: (change: { [Field in keyof ListSearch]: ListSearch[Field] | undefined }) => void
  /** Label of the field for searching; without it there is none. */
  searchLabel?: string
  /** More fields beside it. */
  filters?: ReactNode
  /** Whether those narrow the list: an empty one is not an empty state then. */
  isFiltered?: boolean
  /** What is shown when there is nothing at all. */
  empty: ReactNode
  /** At the end of each row. */
  rowActions?: (row: Row) => ReactNode
}

export function DataTable<Row>(props: DataTableProps<Row>) {
  const { query, search, onSearch, label, empty, filters, searchLabel, isFiltered = false } = props
  const t = useTexts(common)
  const isNarrow = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false })
  const { data, error } = query
  const isEmpty = data !== undefined && data.data.length === 0
  const lastPage = data ? Math.max(1, Math.ceil(data.meta.total / data.meta.limit)) : 1
  const isBehindLast = data !== undefined && !query.isPlaceholderData && data.meta.page > lastPage
  useEffect(() => {
    // The only row of the last page was deleted.
    if (isBehindLast) onSearch({ page: lastPage > 1 ? lastPage : undefined })
  })
  // A hundred rows are drawn in pieces: what is typed, scrolled or clicked meanwhile goes first.
  const rows = useDeferredValue(
    data && !isEmpty && (
      <Box style={{ opacity: query.isPlaceholderData ? 0.6 : 1 }} aria-busy={query.isPlaceholderData}>
        {isNarrow ? <Cards {...props} rows={data.data} /> : <Rows {...props} rows={data.data} />}
      </Box>
    ),
  )
  const isLoading = data === undefined ? !error : !isEmpty && !rows
  if (isEmpty && !search.search && !isFiltered && (search.page ?? 1) === 1) return <>{empty}</>
  return (
    <Stack gap="sm">
      <Group gap="sm" align="flex-end">
        {searchLabel && <SearchField label={searchLabel} value={search.search ?? ''} onSearch={onSearch} />}
        {filters}
        <ActionIcon
          variant="default"
          size="lg"
          ml="auto"
          aria-label={t('refresh')}
          loading={query.isFetching && !query.isPlaceholderData}
          onClick={() => void query.refetch()}
        >
          <IconRefresh size={18} />
        </ActionIcon>
      </Group>
      {data === undefined && Boolean(error) && (
        <ErrorState error={error} onRetry={() => void query.refetch()} />
      )}
      {isLoading && <Loading rows={10} />}
      {isEmpty && !isBehindLast && (
        <Text c="dimmed" py="lg" ta="center" role="status">
          {search.search ? t('noMatch', { search: search.search }) : t('empty')}
        </Text>
      )}
      {data && !isEmpty && rows}
      {data && !isLoading && data.meta.total > 0 && (
        <Pages label={label} meta={data.meta} search={search} onSearch={onSearch} />
      )}
    </Stack>
  )
}

function SearchField({
  label,
  value,
  onSearch,
}: Pick<DataTableProps<unknown>, 'onSearch'> & { label: string; value: string }) {
  const t = useTexts(common)
  const [text, setText] = useState(value)
  const [sent, setSent] = useState(value)
  const [known, setKnown] = useState(value)
  const send = useDebouncedCallback((next: string) => {
    setSent(next)
    onSearch({ search: next || undefined, page: undefined })
  }, 250)
  // The browser's way back changes the address, too; what is being typed meanwhile stays.
  if (value !== known) {
    setKnown(value)
    if (value !== sent) {
      setText(value)
      setSent(value)
    }
  }
  const change = (next: string) => {
    setText(next)
    send(next)
  }
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={label}
      leftSection={<IconSearch size={16} />}
      rightSection={text && <CloseButton size="sm" aria-label={t('clear')} onClick={() => change('')} />}
      value={text}
      maxLength={100}
      onChange={({ currentTarget }) => change(currentTarget.value)}
      style={{ flex: '1 1 220px', maxWidth: 360 }}
    />
  )
}

type RowsProps<Row> = DataTableProps<Row> & { rows: readonly Row[] }

function Rows<Row>({ label, rows, columns, rowKey, search, onSearch, rowActions }: RowsProps<Row>) {
  return (
    <ScrollArea
      type="auto"
      scrollbars="x"
      viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': label }}
    >
      <Table highlightOnHover aria-label={label}>
        <Table.Thead>
          <Table.Tr>
            {columns.map((column) => (
              <HeaderCell key={column.key} column={column} search={search} onSearch={onSearch} />
            ))}
            {rowActions && <Table.Th aria-hidden />}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={rowKey(row)}>
              {columns.map(({ key, render, align }) => (
                <Table.Td key={key} ta={align ?? 'left'}>
                  {render(row)}
                </Table.Td>
              ))}
              {rowActions && <Table.Td ta="right">{rowActions(row)}</Table.Td>}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollArea>
  )
}

function HeaderCell<Row>({
  column: { header, sort, align, width },
  search,
  onSearch,
}: { column: Column<Row> } & Pick<DataTableProps<Row>, 'search' | 'onSearch'>) {
  const t = useTexts(common)
  const place = { ta: align ?? ('left' as const), ...(width !== undefined && { w: width }) }
  if (!sort) return <Table.Th {...place}>{header}</Table.Th>
  const order = search.sort === sort ? (search.order ?? 'asc') : null
  const Arrow = order === 'asc' ? IconArrowUp : order === 'desc' ? IconArrowDown : IconArrowsSort
  const next = order === 'asc' ? ('desc' as const) : ('asc' as const)
  return (
    <Table.Th {...place} aria-sort={order === null ? 'none' : order === 'asc' ? 'ascending' : 'descending'}>
      <UnstyledButton
        fw={600}
        fz="sm"
        aria-label={t('sortBy', { column: header })}
        onClick={() => onSearch({ sort, order: next, page: undefined })}
      >
        <Group gap={4} wrap="nowrap" justify={align === 'right' ? 'flex-end' : 'flex-start'}>
          {header}
          <Arrow size={14} aria-hidden style={{ opacity: order ? 1 : 0.5 }} />
        </Group>
      </UnstyledButton>
    </Table.Th>
  )
}

/** The same rows where a table has no room. */
function Cards<Row>({ label, rows, columns, rowKey, rowActions }: RowsProps<Row>) {
  return (
    <Stack gap="xs" component="ul" aria-label={label} p={0} m={0} style={{ listStyle: 'none' }}>
      {rows.map((row) => (
        <Card key={rowKey(row)} component="li" withBorder padding="sm">
          <Stack gap={4}>
            {columns.map(({ key, header, render }, index) => (
              <Group key={key} gap="xs" wrap="nowrap" align={index > 0 ? 'baseline' : 'flex-start'}>
                {index > 0 && (
                  <Text size="xs" c="dimmed" w={96} style={{ flexShrink: 0 }}>
                    {header}
                  </Text>
                )}
                <div style={{ minWidth: 0, flex: 1, overflowWrap: 'anywhere' }}>{render(row)}</div>
                {index === 0 && rowActions?.(row)}
              </Group>
            ))}
          </Stack>
        </Card>
      ))}
    </Stack>
  )
}

const limits = ['10', '25', '50', '100']

function Pages({
  label,
  meta,
  search,
  onSearch,
}: Pick<DataTableProps<unknown>, 'label' | 'search' | 'onSearch'> & { meta: ListAnswer<unknown>['meta'] }) {
  const t = useTexts(common)
  return (
    <Group justify="space-between" gap="sm">
      <Text size="sm" c="dimmed" role="status">
        {t('rows', { count: meta.total }).replace(String(meta.total), countOf(meta.total))}
      </Text>
      <Group gap="sm">
        <Select
          aria-label={t('rowsPerPage')}
          data={limits}
          value={String(search.limit ?? defaultLimit)}
          allowDeselect={false}
          onChange={(value) => onSearch({ limit: Number(value), page: undefined })}
          w={80}
          size="xs"
        />
        {meta.total_pages > 1 && (
          <Pagination
            component="nav"
            aria-label={`${t('pages')}: ${label}`}
            size="sm"
            siblings={0}
            total={meta.total_pages}
            value={meta.page}
            onChange={(page) => onSearch({ page })}
            getItemProps={(page) => ({ 'aria-label': t('page', { page }) })}
            getControlProps={(control) => ({ 'aria-label': t(control === 'next' ? 'next' : 'previous') })}
          />
        )}
      </Group>
    </Group>
  )
}
