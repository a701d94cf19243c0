import { dataOf } from '@jackfield/sdk'
import { Switch, TextInput } from '@mantine/core'
import { api } from '../../../api/client'
import { FormFrame, useApiForm } from '../../../design/forms'
import { MultiPicker, Picker } from '../../../design/picker'
import { useTexts } from '../../../i18n/texts'
import { teamChoices } from '../../teams/queries'
import { aclChoices, gatewayChoices } from '../../trunks/queries'
import { type NumberDetail, flowChoices, numbersKey } from '../queries'
import { numbersTexts } from '../texts'

interface Values extends Record<string, unknown> {
  title: string
  inbound_acl_id: string | null
  enable_outbound: boolean
  outbound_gateway_id: string | null
  shared_teams_id: string[]
  record_outbound: boolean
  call_flow_id: string | null
}

function bodyOf({ inbound_acl_id: acl, ...values }: Values) {
  return { ...values, ...(acl && { inbound_acl_id: acl }) }
}

export function NumberForm({ number }: { number: NumberDetail }) {
  const t = useTexts(numbersTexts)
  const { id, title, inbound_acl_id, enable_outbound, outbound_gateway_id } = number
  const { shared_teams_id, record_outbound, call_flow_id } = number
  const sending = useApiForm<Values>({
    initialValues: {
      ...{ title, inbound_acl_id, enable_outbound, outbound_gateway_id },
      ...{ shared_teams_id, record_outbound, call_flow_id },
    },
    send: async (_, changed) =>
      dataOf(api.PATCH('/phone-numbers/{id}', { params: { path: { id } }, body: changed(bodyOf) })),
    version: number.updated_at,
    changes: [numbersKey],
  })
  const { form } = sending
  return (
    <FormFrame api={sending} onlyChanged>
      <TextInput label={t('titleField')} required {...form.getInputProps('title')} />
      <Picker
        label={t('flow')}
        description={t('flowHint')}
        source={flowChoices}
        clearable
        {...form.getInputProps('call_flow_id')}
      />
      <Picker
        label={t('acl')}
        required
        description={t('aclHint')}
        source={aclChoices}
        allowDeselect={false}
        {...form.getInputProps('inbound_acl_id')}
      />
      <Switch
        label={t('outbound')}
        description={t('outboundHint')}
        {...form.getInputProps('enable_outbound', { type: 'checkbox' })}
      />
      {form.values.enable_outbound && (
        <>
          <Picker
            label={t('gateway')}
            required
            description={t('gatewayHint')}
            source={gatewayChoices}
            allowDeselect={false}
            {...form.getInputProps('outbound_gateway_id')}
          />
          <Switch
            label={t('recordOutbound')}
            description={t('recordOutboundHint')}
            {...form.getInputProps('record_outbound', { type: 'checkbox' })}
          />
        </>
      )}
      <MultiPicker
        label={t('teams')}
        description={t('teamsHint')}
        source={teamChoices}
        clearable
        {...form.getInputProps('shared_teams_id')}
      />
    </FormFrame>
  )
}
