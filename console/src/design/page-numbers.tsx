/** Pagination of a list that has more than one page. */
import { Pagination } from '@mantine/core'
import type { ListAnswer } from '../api/lists'
import { common } from '../i18n/common'
import { useTexts } from '../i18n/texts'

interface PageNumbersProps {
  /** Of the list. */
  label: string
  meta: ListAnswer<unknown>['meta']
  /** @default the page of `meta` */
  page?: number
  onPage: (page: number) => void
}

export function PageNumbers({ label, meta, page = meta.page, onPage }: PageNumbersProps) {
  const t = useTexts(common)
  if (meta.total_pages <= 1) return null
  return (
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
  )
}
