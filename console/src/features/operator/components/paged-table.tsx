/** A short list within a page: its own pages are turned below it, and are not in the address. */
import { Pagination, Stack } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import type { ListAnswer } from '../../../api/lists'
import { Answered } from '../../../design/page'
import { common } from '../../../i18n/common'
import { useTexts } from '../../../i18n/texts'

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
  const t = useTexts(common)
  return (
    <Answered query={query} rows={3}>
      {({ data, meta }) => (
        <Stack>
          {children(data)}
          {meta.total_pages > 1 && (
            <Pagination
              component="nav"
              aria-label={`${t('pages')}: ${label}`}
              size="sm"
              siblings={0}
              total={meta.total_pages}
              value={page}
              onChange={onPage}
              getItemProps={(number) => ({ 'aria-label': t('page', { page: number }) })}
              getControlProps={(control) => ({ 'aria-label': t(control === 'next' ? 'next' : 'previous') })}
            />
          )}
        </Stack>
      )}
    </Answered>
  )
}
