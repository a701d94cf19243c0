import { dataOf } from '@jackfield/sdk'
import { api } from '../../../api/client'
import { FormFrame, useApiForm } from '../../../design/forms'
import { type Flow, flowsKey } from '../queries'
import { FlowFields } from './flow-fields'

/** Title and trigger; the steps are saved by the editor. */
export function FlowSettingsForm({
  flow,
  onDone,
  onCancel,
}: {
  flow: Pick<Flow, 'id' | 'title' | 'trigger_type'>
  onDone: (flow: Flow) => void
  onCancel: () => void
}) {
  const { id, title, trigger_type } = flow
  const sending = useApiForm({
    initialValues: { title, trigger_type },
    send: async (_, changed) =>
      dataOf(api.PATCH('/call-flows/{id}', { params: { path: { id } }, body: changed((values) => values) })),
    changes: [[...flowsKey, 'list']],
    onDone,
  })
  return (
    <FormFrame api={sending} onCancel={onCancel}>
      <FlowFields form={sending.form} />
    </FormFrame>
  )
}
