import { dataOf } from '@jackfield/sdk'
import { api } from '../../../api/client'
import { FormFrame, useApiForm } from '../../../design/forms'
import { useTexts } from '../../../i18n/texts'
import { type Flow, flowsKey } from '../queries'
import { flowsTexts } from '../texts'
import { FlowFields, type FlowValues, flowBody } from './flow-fields'

/** A new flow consists of its start; the rest is drawn in the editor. */
const nodes = [{ id: 'start', type: 'start' }]

export function NewFlowForm({ onMade, onCancel }: { onMade: (flow: Flow) => void; onCancel: () => void }) {
  const t = useTexts(flowsTexts)
  const initialValues: FlowValues = { title: '', trigger_type: 'inbound', dial_code: '' }
  const sending = useApiForm({
    initialValues,
    send: async (values) => dataOf(api.POST('/call-flows', { body: { ...flowBody(values), nodes } })),
    changes: [flowsKey],
    done: '',
    onDone: onMade,
  })
  return (
    <FormFrame api={sending} action={t('add')} onCancel={onCancel}>
      <FlowFields form={sending.form} />
    </FormFrame>
  )
}
