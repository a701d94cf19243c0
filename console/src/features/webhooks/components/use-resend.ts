import { dataOf } from '@jackfield/sdk'
import { api } from '../../../api/client'
import { useAction } from '../../../api/use-action'
import { useTexts } from '../../../i18n/texts'
import { deliveriesKey, webhooksKey } from '../queries'
import { webhooksTexts } from '../texts'

/** Resends deliveries of a webhook, by their ids. */
export function useResend(id: string) {
  const t = useTexts(webhooksTexts)
  return useAction<string>({
    run: async (delivery_id) =>
      dataOf(
        api.POST('/webhooks/{id}/deliveries/{delivery_id}/resend', { params: { path: { id, delivery_id } } }),
      ),
    changes: [[...deliveriesKey, id], webhooksKey],
    done: t('resent'),
  })
}
