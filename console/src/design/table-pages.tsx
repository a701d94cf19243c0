/** Total, page size and current page of a list. */
import { Group, Select, Text } from '@mantine/core'
import { type ListAnswer, defaultLimit } from '../api/lists'
import { common } from '../i18n/common'
import { useTexts } from '../i18n/texts'
import type { Sorting } from './columns'
import { PageNumbers } from './page-numbers'
import { countOf } from './values'

interface TablePagesProps extends Sorting {
  label: string
  meta: ListAnswer<unknown>['meta']
}

const limits = ['10', '25', '50', '100']

export function TablePages({ label, meta, search, onSearch }: TablePagesProps) {
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
        <PageNumbers label={label} meta={meta} onPage={(page) => onSearch({ page })} />
      </Group>
    </Group>
  )
}
