import { dataOf } from '@jackfield/sdk'
import { Select, TextInput } from '@mantine/core'
import { api } from '../../../api/client'
import { FormFrame, useApiForm } from '../../../design/forms'
import { useTexts } from '../../../i18n/texts'
import { type Flow, type Trigger, flowsKey } from '../queries'
import { flowsTexts } from '../texts'

interface Values extends Record<string, unknown> {
  title: string
  trigger_type: Trigger
}

/** A flow begins with its start alone; what follows is drawn in the editor. */
const nodes = [{ id: 'start', type: 'start' }]

export function NewFlowForm({ onMade, onCancel }: { onMade: (flow: Flow) => void; onCancel: () => void }) {
  const t = useTexts(flowsTexts)
  const initialValues: Values = { title: '', trigger_type: 'inbound' }
  const sending = useApiForm({
    initialValues,
    send: async (values) => dataOf(api.POST('/call-flows', { body: { ...values, nodes } })),
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

/** What a flow has besides its steps. */
export function FlowFields({ form }: { form: ReturnType<typeof useApiForm<Values>>['form'] }) {
  const t = useTexts(flowsTexts)
  return (
    <>
      <TextInput label={t('what')} data-autofocus {...form.getInputProps('title')} />
      <Select
        label={t('trigger')}
        description={t('triggerHint')}
        allowDeselect={false}
        data={[
          { value: 'inbound', label: t('inbound') },
          { value: 'outbound', label: t('outbound') },
        ]}
        {...form.getInputProps('trigger_type')}
      />
    </>
  )
}
