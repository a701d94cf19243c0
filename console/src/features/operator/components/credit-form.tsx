import { dataOf } from '@jackfield/sdk'
import { NumberInput, Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { api } from '../../../api/client'
import { newKey } from '../../../api/idempotency'
import { figureOf } from '../../../design/form-values'
import { FormFrame, useApiForm } from '../../../design/forms'
import { useTexts } from '../../../i18n/texts'
import { checklistKey, workspacesKey } from '../../../api/platform'
import { workspacesTexts } from '../texts'

interface Values extends Record<string, unknown> {
  amount: number | string
  reason: 'top_up' | 'correction'
  note: string
}

export function CreditForm({ id, onDone }: { id: string; onDone: () => void }) {
  const t = useTexts(workspacesTexts)
  // One key for all tries of this form: a lost response must not book twice.
  const [key] = useState(newKey)
  const sending = useApiForm<Values>({
    initialValues: { amount: '', reason: 'top_up', note: '' },
    send: async ({ amount, reason, note }) =>
      dataOf(
        api.POST('/workspaces/{id}/credit', {
          params: { path: { id }, header: { 'Idempotency-Key': key } },
          body: { amount: figureOf(amount), reason, ...(note && { note }) },
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
        allowNegative={form.values.reason === 'correction'}
        decimalScale={6}
        data-autofocus
        {...form.getInputProps('amount')}
      />
      <Select
        label={t('reason')}
        description={t('correctionHint')}
        allowDeselect={false}
        data={(['top_up', 'correction'] as const).map((value) => ({ value, label: t(value) }))}
        {...form.getInputProps('reason')}
      />
      <TextInput label={t('note')} maxLength={255} {...form.getInputProps('note')} />
    </FormFrame>
  )
}
