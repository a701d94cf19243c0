/** A short list within a page, with its own pagination, which is not in the URL. */
import { Stack, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { ListAnswer } from '../../../api/lists'
import type { Column } from '../../../design/columns'
import { Answered } from '../../../design/page'
import { PageNumbers } from '../../../design/page-numbers'
import { RowCards } from '../../../design/row-cards'
import { TableRows } from '../../../design/table-rows'

interface PagedTableProps<Row extends { id: string }> {
  label: string
  query: UseQueryResult<ListAnswer<Row>>
  page: number
  onPage: (page: number) => void
  columns: readonly Column<Row>[]
  /** At the end of each row; below the facts of a card. */
  rowActions?: (row: Row) => ReactNode
  /** In place of a list without rows. */
  empty: string
}

export function PagedTable<Row extends { id: string }>(props: PagedTableProps<Row>) {
  const { label, query, page, onPage, columns, rowActions, empty } = props
  const isNarrow = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false })
  return (
    <Answered query={query} rows={3}>
      {({ data, meta }) => {
        const shown = { label, rows: data, columns, rowKey: ({ id }: Row) => id, rowActions }
        return (
          <Stack>
            {data.length === 0 && <Text c="dimmed">{empty}</Text>}
            {data.length > 0 &&
              (isNarrow ? (
                <RowCards {...shown} hasActionsBelow />
              ) : (
                <TableRows {...shown} search={{}} onSearch={() => undefined} />
              ))}
            <PageNumbers label={label} meta={meta} page={page} onPage={onPage} />
          </Stack>
        )
      }}
    </Answered>
  )
}
