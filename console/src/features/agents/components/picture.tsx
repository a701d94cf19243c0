import { dataOf, formOf } from '@jackfield/sdk'
import { api } from '../../../api/client'
import { useAction } from '../../../api/use-action'
import { PictureField } from '../../../design/picture-field'
import { type Agent, agentsKey } from '../queries'

export function Picture({ agent }: { agent: Agent }) {
  const params = { path: { id: agent.id } }
  const sending = useAction({
    run: async (file: File | null) =>
      file
        ? dataOf(api.PATCH('/agents/{id}/avatar', { params, body: formOf<{ file: string }>({ file }) }))
        : dataOf(api.PATCH('/agents/{id}', { params, body: { avatar: null } })),
    changes: [agentsKey],
  })
  return (
    <PictureField
      of={agent}
      isSending={sending.isPending}
      onChoose={sending.mutate}
      onRemove={() => sending.mutate(null)}
    />
  )
}
