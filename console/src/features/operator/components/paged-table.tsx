/** A short list within a page, with its own pagination, which is not in the URL. */
import { Stack } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import type { ListAnswer } from '../../../api/lists'
import { Answered } from '../../../design/page'
import { PageNumbers } from '../../../design/page-numbers'

export function PagedTable<Row>({
  label,
  query,
  page,
  onPage,
  children,
}: {
  label: string
  query: UseQueryResult<ListAnswer<Row>>
  page: number
  onPage: (page: number) => void
  children: (rows: readonly Row[]) => ReactElement
}) {
  return (
    <Answered query={query} rows={3}>
      {({ data, meta }) => (
        <Stack>
          {children(data)}
          <PageNumbers label={label} meta={meta} page={page} onPage={onPage} />
        </Stack>
      )}
    </Answered>
  )
}
