import { dataOf } from '@jackfield/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../../api/client'
import { carriersKey, checklistKey } from '../../../api/platform'
import { confirmDelete } from '../../../design/dialogs'
import { useTexts } from '../../../i18n/texts'
import type { Carrier } from '../queries'
import { carriersTexts } from '../texts'

/** Deletes after confirmation. @param onDone leaves the deleted carrier's page, before lists are refetched */
export function useRemoveCarrier(onDone?: () => void): (carrier: Carrier) => void {
  const t = useTexts(carriersTexts)
  const client = useQueryClient()
  return ({ id, title }) =>
    confirmDelete({
      name: title,
      consequence: t('deleteConsequence'),
      run: async () => dataOf(api.DELETE('/carriers/{id}', { params: { path: { id } } })),
      onDone: () => {
        onDone?.()
        void client.invalidateQueries({ queryKey: [...carriersKey, 'list'] })
        void client.invalidateQueries({ queryKey: checklistKey })
      },
    })
}
