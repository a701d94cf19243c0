import { dataOf, formOf } from '@jackfield/sdk'
import { api } from '../../../api/client'
import { type Agent, meQuery } from '../../../api/me'
import { useAction } from '../../../api/use-action'
import { PictureField } from '../../../design/picture-field'

export function OwnPicture({ me }: { me: Agent }) {
  const sending = useAction({
    run: async (file: File | null) =>
      file
        ? dataOf(api.PATCH('/me/avatar', { body: formOf<{ file: string }>({ file }) }))
        : dataOf(api.DELETE('/me/avatar')),
    changes: [meQuery.queryKey],
  })
  return (
    <PictureField
      of={me}
      isSending={sending.isPending}
      onChoose={sending.mutate}
      onRemove={() => sending.mutate(null)}
    />
  )
}
