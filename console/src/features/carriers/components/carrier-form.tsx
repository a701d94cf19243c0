import { dataOf } from '@jackfield/sdk'
import { Fieldset } from '@mantine/core'
import { api } from '../../../api/client'
import { carriersKey, checklistKey } from '../../../api/platform'
import { type ApiForm, FormFrame, useApiForm } from '../../../design/forms'
import { SettingFields } from '../../../design/setting-fields'
import { useTexts } from '../../../i18n/texts'
import type { Carrier } from '../queries'
import { carriersTexts, settingsTexts } from '../texts'
import { type CarrierValues, fieldIn, repeatedIn, settingsOf, valuesOf } from './carrier-values'
import { HttpFields } from './http-fields'
import { SmppFields } from './smpp-fields'

function bodyOf(values: CarrierValues) {
  const { title, throughput, window_size } = values
  return { title, throughput, window_size, settings: settingsOf(values) }
}

/** Every setting of a carrier. The server reconnects to the carrier with the new settings. */
export default function CarrierForm({ carrier: { id, kind, secrets, ...carrier } }: { carrier: Carrier }) {
  const [t, own] = [useTexts(settingsTexts), useTexts(carriersTexts)]
  const sending: ApiForm<CarrierValues> = useApiForm<CarrierValues>({
    initialValues: valuesOf({ id, kind, secrets, ...carrier }),
    validate: (values) =>
      Object.fromEntries(
        Object.entries(repeatedIn(values)).map(([field, word]) => [field, t('repeated', { word })]),
      ),
    send: async (_, changed) =>
      dataOf(api.PATCH('/carriers/{id}', { params: { path: { id } }, body: changed(bodyOf) })),
    version: carrier.updated_at,
    changes: [carriersKey, checklistKey],
    fieldOf: (field) => fieldIn(field, sending.form.values),
  })
  const { form } = sending
  const Fields = kind === 'smpp' ? SmppFields : HttpFields
  return (
    <FormFrame api={sending} onlyChanged>
      <Fieldset legend={t('general')}>
        <SettingFields
          form={form}
          fields={[
            { path: 'title', label: own('title'), required: true },
            { path: 'throughput', label: t('throughput'), kind: 'number', required: true },
            { path: 'window_size', label: t('window_size'), kind: 'number', required: true },
          ]}
        />
      </Fieldset>
      <Fields form={form} secrets={secrets} />
    </FormFrame>
  )
}
