import { dataOf } from '@jackfield/sdk'
import { api } from '../../../api/client'
import { FormFrame, useApiForm } from '../../../design/forms'
import { type Flow, flowsKey } from '../queries'
import { FlowFields, flowBody } from './flow-fields'

/** Title, trigger and dial code; the editor saves the steps. */
export function FlowSettingsForm({
  flow,
  onDone,
  onCancel,
}: {
  flow: Pick<Flow, 'id' | 'title' | 'trigger_type' | 'dial_code'>
  onDone: (flow: Flow) => void
  onCancel: () => void
}) {
  const { id, title, trigger_type, dial_code } = flow
  const sending = useApiForm({
    initialValues: { title, trigger_type, dial_code: dial_code ?? '' },
    send: async (_, changed) =>
      dataOf(api.PATCH('/call-flows/{id}', { params: { path: { id } }, body: changed(flowBody) })),
    changes: [[...flowsKey, 'list']],
    onDone,
  })
  return (
    <FormFrame api={sending} onCancel={onCancel}>
      <FlowFields form={sending.form} />
    </FormFrame>
  )
}
