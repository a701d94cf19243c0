import { dataOf } from '@jackfield/sdk'
import { Fieldset } from '@mantine/core'
import { api } from '../../../api/client'
import { carriersKey, checklistKey } from '../../../api/platform'
import { type ApiForm, FormFrame, useApiForm } from '../../../design/forms'
import { SettingFields } from '../../../design/setting-fields'
import { useTexts } from '../../../i18n/texts'
import { fieldsOf, kindOf } from '../kinds'
import type { Carrier } from '../queries'
import { carriersTexts, settingsTexts } from '../texts'
import { KindFields } from './kind-fields'
import { type CarrierValues, fieldIn, repeatedIn, settingsOf, valuesOf } from './setting-values'

/** Every setting of a carrier. The server reconnects to the carrier with the new settings. */
export default function CarrierForm({ carrier }: { carrier: Carrier }) {
  const [t, own] = [useTexts(settingsTexts), useTexts(carriersTexts)]
  const { id, secrets, title, throughput, window_size } = carrier
  const kind = kindOf(carrier.kind)
  const fields = fieldsOf(kind)
  const sending: ApiForm<CarrierValues> = useApiForm<CarrierValues>({
    initialValues: {
      ...{ title, throughput, window_size },
      settings: valuesOf(fields, carrier.settings),
      replacesHeaders: !secrets.some((name) => name.startsWith('headers.')),
    },
    validate: ({ settings, replacesHeaders }) =>
      Object.fromEntries(
        Object.entries(repeatedIn(fields, settings, 'settings', replacesHeaders)).map(([field, word]) => [
          field,
          t('repeated', { word }),
        ]),
      ),
    send: async (_, changed) => {
      const body = changed(({ replacesHeaders, settings, ...common }) => ({
        ...{ title: common.title, throughput: common.throughput, window_size: common.window_size },
        settings: settingsOf(kind, fields, settings, replacesHeaders),
      }))
      return dataOf(api.PATCH('/carriers/{id}', { params: { path: { id } }, body }))
    },
    version: carrier.updated_at,
    changes: [carriersKey, checklistKey],
    fieldOf: (field) => fieldIn(field, fields, sending.form.values.settings, 'settings'),
  })
  const { form } = sending
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
      <KindFields kind={kind} form={form} secrets={secrets} />
    </FormFrame>
  )
}
