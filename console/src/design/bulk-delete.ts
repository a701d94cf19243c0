import { IconTrash } from '@tabler/icons-react'
import { type ListPath, deleteOf, keyOf } from '../api/resources'
import { common } from '../i18n/common'
import { useTexts } from '../i18n/texts'
import type { BulkAction } from './bulk-actions'
import { designTexts } from './texts'

/** Deletes several rows of a resource whose rows are deleted one by one, too. */
export function useBulkDelete<Row>(
  removal: { path: ListPath; idOf: (row: Row) => string; consequence: string | undefined } | undefined,
): readonly BulkAction<Row>[] {
  const [t, words] = [useTexts(designTexts.bulk), useTexts(common)]
  if (!removal) return []
  const { path, idOf, consequence } = removal
  return [
    {
      ...{ key: 'delete', label: words('delete'), icon: IconTrash, isDangerous: true, consequence },
      question: (count) => t('deleteQuestion', { count }),
      run: async (row) => deleteOf(path, idOf(row)),
      changes: [keyOf(path)],
    },
  ]
}
