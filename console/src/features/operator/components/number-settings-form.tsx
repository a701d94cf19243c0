import { dataOf } from '@jackfield/sdk'
import type { components } from '@jackfield/sdk'
import { Fieldset, Select, Switch } from '@mantine/core'
import { api } from '../../../api/client'
import { checklistKey, workspacesKey } from '../../../api/platform'
import { FormFrame, useApiForm } from '../../../design/forms'
import { SettingFields } from '../../../design/setting-fields'
import { useTexts } from '../../../i18n/texts'
import { workspacesTexts } from '../texts'

type OwnNumber = components['schemas']['PhoneNumber']

interface Values extends Record<string, unknown> {
  status: OwnNumber['status']
  voice: boolean
  fee_per_month: number
  fee_per_mins_call: number
  fee_per_segment: number
  fee_per_mms: number
}

/** Settings of a customer's number that only the operator may change. Texts go by its SMS carriers. */
export function NumberSettingsForm({ number, onDone }: { number: OwnNumber; onDone: () => void }) {
  const t = useTexts(workspacesTexts)
  const { id, workspace_id, status, capabilities } = number
  const sending = useApiForm<Values>({
    initialValues: {
      status,
      voice: capabilities.includes('voice'),
      fee_per_month: number.fee_per_month,
      fee_per_mins_call: number.fee_per_mins_call,
      fee_per_segment: number.fee_per_segment,
      fee_per_mms: number.fee_per_mms,
    },
    send: async (_, changed) => {
      const others = capabilities.filter((capability) => capability !== 'voice')
      return dataOf(
        api.PATCH('/workspaces/{workspace_id}/phone-numbers/{id}', {
          params: { path: { workspace_id, id } },
          body: changed(({ voice, ...rest }) => ({
            ...rest,
            capabilities: voice ? ['voice' as const, ...others] : others,
          })),
        }),
      )
    },
    changes: [workspacesKey, checklistKey],
    onDone,
  })
  const { form } = sending
  return (
    <FormFrame api={sending} onCancel={onDone} onlyChanged>
      <Select
        label={t('state')}
        allowDeselect={false}
        data={(['pending', 'active', 'inactive'] as const).map((value) => ({ value, label: t(value) }))}
        {...form.getInputProps('status')}
      />
      <Switch label={t('voice')} {...form.getInputProps('voice', { type: 'checkbox' })} />
      <Fieldset legend={t('fees')}>
        <SettingFields
          form={form}
          fields={[
            { path: 'fee_per_month', label: t('feeMonth'), kind: 'number', required: true },
            { path: 'fee_per_mins_call', label: t('feeMinute'), kind: 'number', required: true },
            { path: 'fee_per_segment', label: t('feeSegment'), kind: 'number', required: true },
            { path: 'fee_per_mms', label: t('feeMms'), kind: 'number', required: true },
          ]}
        />
      </Fieldset>
    </FormFrame>
  )
}
