import { dataOf } from '@jackfield/sdk'
import { api } from '../../../api/client'
import type { ListAnswer } from '../../../api/lists'
import { useAction } from '../../../api/use-action'
import { type Webhook, webhooksKey } from '../queries'

type Cached = Webhook | ListAnswer<Webhook>

/** Switches webhooks on and off, optimistically. */
export function useSwitch() {
  return useAction<Pick<Webhook, 'id' | 'is_active'>>({
    run: async ({ id, is_active }) =>
      dataOf(api.PATCH('/webhooks/{id}', { params: { path: { id } }, body: { is_active } })),
    changes: [webhooksKey],
    optimistic: {
      key: webhooksKey,
      change: (cached: Cached, { id, is_active }) => {
        const switched = (webhook: Webhook) => (webhook.id === id ? { ...webhook, is_active } : webhook)
        return 'data' in cached ? { ...cached, data: cached.data.map(switched) } : switched(cached)
      },
    },
  })
}
