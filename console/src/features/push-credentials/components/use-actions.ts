/** Actions on a push credential besides editing. */
import { dataOf } from '@jackfield/sdk'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../../api/client'
import { useAction } from '../../../api/use-action'
import { confirmDelete } from '../../../design/dialogs'
import { useTexts } from '../../../i18n/texts'
import { type PushCredential, pushCredentialQuery, pushCredentialsKey } from '../queries'
import { pushCredentialsTexts } from '../texts'

/** Has the push service check a credential, by its id, and shows the result. */
export function useTest() {
  const t = useTexts(pushCredentialsTexts)
  return useAction({
    run: async (id: string) => dataOf(api.POST('/push-credentials/{id}/test', { params: { path: { id } } })),
    changes: [pushCredentialsKey],
    onDone: ({ result, reason }) => {
      const values = { reason: reason ?? '' }
      if (result === 'accepted') notifications.show({ message: t('accepted'), color: 'green' })
      else
        notifications.show({
          message: t(result === 'refused' ? 'testRefused' : 'testUnreachable', values),
          color: result === 'refused' ? 'red' : 'yellow',
          autoClose: 10_000,
        })
    },
  })
}

/** @param onDone leaves the deleted credential's page */
export function useDeleting(onDone?: () => void): (credential: PushCredential) => void {
  const t = useTexts(pushCredentialsTexts)
  const client = useQueryClient()
  return ({ id, name }) =>
    confirmDelete({
      name,
      consequence: t('deleteConsequence'),
      run: async () => dataOf(api.DELETE('/push-credentials/{id}', { params: { path: { id } } })),
      onDone: () => {
        onDone?.()
        client.removeQueries({ queryKey: pushCredentialQuery(id).queryKey })
        void client.invalidateQueries({ queryKey: [...pushCredentialsKey, 'list'] })
      },
    })
}
