import { dataOf } from '@jackfield/sdk'
import { api } from '../../../api/client'
import { carriersKey, checklistKey } from '../../../api/platform'
import { useAction } from '../../../api/use-action'
import type { Carrier } from '../queries'

/** Switches a carrier off, or on again. */
export function useTurnCarrier() {
  return useAction({
    run: async ({ id, is_active }: Carrier) =>
      dataOf(api.PATCH('/carriers/{id}', { params: { path: { id } }, body: { is_active: !is_active } })),
    changes: [carriersKey, checklistKey],
  })
}
