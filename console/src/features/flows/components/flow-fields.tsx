/** Fields of a flow besides its steps. */
import { Select, TextInput } from '@mantine/core'
import type { ApiForm } from '../../../design/forms'
import { useTexts } from '../../../i18n/texts'
import type { Trigger } from '../queries'
import { flowsTexts } from '../texts'

export interface FlowValues extends Record<string, unknown> {
  title: string
  trigger_type: Trigger
  /** '' for none. */
  dial_code: string
}

/** Those fields in the API's format. */
export function flowBody({ dial_code, ...values }: FlowValues) {
  return { ...values, dial_code: dial_code || null }
}

export function FlowFields({ form }: Pick<ApiForm<FlowValues>, 'form'>) {
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
      <TextInput
        label={t('dialCode')}
        description={t('dialCodeHint')}
        maxLength={6}
        {...form.getInputProps('dial_code')}
      />
    </>
  )
}
