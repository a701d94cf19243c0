import { dataOf } from '@jackfield/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../../api/client'
import { confirmDelete } from '../../../design/dialogs'
import { useTexts } from '../../../i18n/texts'
import { type Webhook, webhookQuery, webhooksKey } from '../queries'
import { webhooksTexts } from '../texts'

/** Deletes a webhook after confirmation. @param onDone leaves its page */
export function useDeleting(onDone?: () => void): (webhook: Webhook) => void {
  const t = useTexts(webhooksTexts)
  const client = useQueryClient()
  return ({ id, title, url }) =>
    confirmDelete({
      name: title || url,
      consequence: t('deleteConsequence'),
      run: async () => dataOf(api.DELETE('/webhooks/{id}', { params: { path: { id } } })),
      onDone: () => {
        onDone?.()
        client.removeQueries({ queryKey: webhookQuery(id).queryKey })
        void client.invalidateQueries({ queryKey: [...webhooksKey, 'list'] })
      },
    })
}
