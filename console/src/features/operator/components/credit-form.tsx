import { dataOf } from '@jackfield/sdk'
import { NumberInput, TextInput } from '@mantine/core'
import { api } from '../../../api/client'
import { figureOf } from '../../../design/form-values'
import { FormFrame, useApiForm } from '../../../design/forms'
import { useTexts } from '../../../i18n/texts'
import { checklistKey, workspacesKey } from '../../../api/platform'
import { workspacesTexts } from '../workspaces-texts'

interface Values extends Record<string, unknown> {
  amount: number | string
  note: string
}

export function CreditForm({ id, onDone }: { id: string; onDone: () => void }) {
  const t = useTexts(workspacesTexts)
  const sending = useApiForm<Values>({
    initialValues: { amount: '', note: '' },
    send: async ({ amount, note }) =>
      dataOf(
        api.POST('/workspaces/{id}/credit', {
          params: { path: { id } },
          body: { amount: figureOf(amount), ...(note && { note }) },
        }),
      ),
    changes: [workspacesKey, checklistKey],
    done: t('creditAdded'),
    onDone,
  })
  const { form } = sending
  return (
    <FormFrame api={sending} action={t('addCredit')} onCancel={onDone}>
      <NumberInput
        label={t('amount')}
        required
        allowNegative={false}
        decimalScale={6}
        data-autofocus
        {...form.getInputProps('amount')}
      />
      <TextInput label={t('note')} maxLength={255} {...form.getInputProps('note')} />
    </FormFrame>
  )
}
