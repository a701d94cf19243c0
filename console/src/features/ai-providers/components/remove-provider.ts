import { dataOf } from '@jackfield/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../../api/client'
import { checklistKey } from '../../../api/platform'
import { confirmDelete } from '../../../design/dialogs'
import { useTexts } from '../../../i18n/texts'
import { type AiProvider, aiProvidersKey } from '../queries'
import { aiProvidersTexts } from '../texts'

/** Deletes after confirmation. @param onDone leaves the deleted provider's page, before lists are refetched */
export function useRemoveProvider(onDone?: () => void): (provider: AiProvider) => void {
  const t = useTexts(aiProvidersTexts)
  const client = useQueryClient()
  return ({ id, name }) =>
    confirmDelete({
      name,
      consequence: t('deleteConsequence'),
      run: async () => dataOf(api.DELETE('/ai-providers/{id}', { params: { path: { id } } })),
      onDone: () => {
        onDone?.()
        void client.invalidateQueries({ queryKey: [...aiProvidersKey, 'list'] })
        void client.invalidateQueries({ queryKey: checklistKey })
      },
    })
}
