/** A list's rows as a table, sorted by its headers. */
import { Group, ScrollArea, Table, UnstyledButton } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconArrowsSort } from '@tabler/icons-react'
import { type ReactNode, memo } from 'react'
import { common } from '../i18n/common'
import { useTexts } from '../i18n/texts'
import { type Choosing, pageState } from './choosing'
import type { Column, RowsProps, Sorting } from './columns'
import { PageBox, RowBox } from './row-box'

export function TableRows<Row>({
  label,
  rows,
  columns,
  rowKey,
  search,
  onSearch,
  rowActions,
  choosing,
}: RowsProps<Row> & Sorting) {
  return (
    <ScrollArea
      type="auto"
      scrollbars="x"
      viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': label }}
    >
      <Table highlightOnHover aria-label={label}>
        <Table.Thead>
          <Table.Tr>
            {choosing && (
              <Table.Th w={1}>
                <PageBox state={pageState(choosing.chosen, rows, rowKey)} onClick={choosing.clickPage} />
              </Table.Th>
            )}
            {columns.map((column) => (
              <HeaderCell key={column.key} column={column} search={search} onSearch={onSearch} />
            ))}
            {rowActions && <Table.Th aria-hidden />}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <OneRow
              key={rowKey(row)}
              row={row}
              columns={columns}
              rowActions={rowActions}
              choosing={choosing}
              isChosen={choosing?.chosen.rows.has(rowKey(row)) ?? false}
            />
          ))}
        </Table.Tbody>
      </Table>
    </ScrollArea>
  )
}

type OneRowProps<Row> = Pick<RowsProps<Row>, 'columns' | 'rowActions'> & {
  row: Row
  choosing: Choosing<Row> | undefined
  isChosen: boolean
}

/** Memoised: not rendered again when other rows change. */
const OneRow = memo(function OneRow<Row>({ row, columns, rowActions, choosing, isChosen }: OneRowProps<Row>) {
  return (
    <Table.Tr {...(isChosen && { bg: 'var(--mantine-primary-color-light)' })}>
      {choosing && (
        <Table.Td>
          <RowBox
            name={choosing.nameOf(row)}
            isChosen={isChosen}
            onClick={(isRange) => choosing.click(row, isRange)}
          />
        </Table.Td>
      )}
      {columns.map(({ key, render, align }) => (
        <Table.Td key={key} ta={align ?? 'left'}>
          {render(row)}
        </Table.Td>
      ))}
      {rowActions && <Table.Td ta="right">{rowActions(row)}</Table.Td>}
    </Table.Tr>
  )
}) as <Row>(props: OneRowProps<Row>) => ReactNode

function HeaderCell<Row>({
  column: { header, sort, align, width },
  search,
  onSearch,
}: { column: Column<Row> } & Sorting) {
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
