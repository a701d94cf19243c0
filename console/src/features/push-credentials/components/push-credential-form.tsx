import { dataOf } from '@jackfield/sdk'
import { Input, SegmentedControl, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { choicesQuery } from '../../../api/choices'
import { api } from '../../../api/client'
import { isStatus } from '../../../api/errors'
import { FormFrame, useApiForm } from '../../../design/forms'
import { Picker } from '../../../design/picker'
import { common } from '../../../i18n/common'
import { useTexts } from '../../../i18n/texts'
import { type PushCredential, apiKeyChoices, pushCredentialsKey } from '../queries'
import { pushCredentialsTexts } from '../texts'
import { type PlatformValues, AndroidFields, IosFields } from './platform-fields'

interface Values extends PlatformValues {
  name: string
  api_key_sid: string | null
  platform: PushCredential['platform']
}

function valuesOf(credential: PushCredential | undefined): Values {
  return {
    name: credential?.name ?? '',
    api_key_sid: credential?.api_key_sid ?? null,
    platform: credential?.platform ?? 'ios',
    ios_key_id: credential?.ios_key_id ?? '',
    ios_team_id: credential?.ios_team_id ?? '',
    ios_bundle_id: credential?.ios_bundle_id ?? '',
    ios_environment: credential?.ios_environment === 'sandbox' ? 'sandbox' : 'production',
    ios_private_key: null,
    android_service_account: null,
    android_package_name: credential?.android_package_name ?? '',
  }
}

function plainOf({ name, api_key_sid }: Values) {
  return { name, api_key_sid: api_key_sid ?? '' }
}

/** Changed or filled-in fields: unchanged platform fields are not sent. Files are sent as text. */
async function changesOf(values: Values, before: Values) {
  const { name: _name, api_key_sid: _sid, platform, ...material } = values
  const sent = Object.entries(material).filter(
    ([field, value]) =>
      field.startsWith(`${platform}_`) &&
      (value !== before[field as keyof Values] || (field === 'ios_environment' && before.name === '')),
  )
  const read = sent.map(async ([field, value]) => [field, value instanceof File ? await value.text() : value])
  return Object.fromEntries(await Promise.all(read)) as Partial<Record<keyof typeof material, string>> & {
    ios_environment?: Values['ios_environment']
  }
}

/** Only owners may list keys: others enter the sid. */
function ApiKeyField(input: { value?: string | null; onChange?: (value: string | null) => void }) {
  const t = useTexts(pushCredentialsTexts)
  const { error } = useQuery(choicesQuery(apiKeyChoices, ''))
  const shared = { ...input, label: t('apiKey'), description: t('apiKeyHint'), required: true }
  if (!isStatus(error, 403)) return <Picker {...shared} source={apiKeyChoices} />
  return (
    <TextInput
      {...shared}
      value={input.value ?? ''}
      onChange={({ currentTarget }) => input.onChange?.(currentTarget.value)}
      spellCheck={false}
      autoComplete="off"
    />
  )
}

/** @param credential the one to edit; without it a new one is created */
export function PushCredentialForm({
  credential,
  onDone,
}: {
  credential?: PushCredential
  onDone: () => void
}) {
  const t = useTexts(pushCredentialsTexts)
  const c = useTexts(common)
  const sending = useApiForm<Values, PushCredential>({
    initialValues: valuesOf(credential),
    send: async (values, changed) => {
      const { platform } = values
      const material = await changesOf(values, form.getInitialValues())
      if (!credential)
        return dataOf(api.POST('/push-credentials', { body: { ...plainOf(values), platform, ...material } }))
      const body = { ...changed(plainOf), ...material }
      return dataOf(api.PATCH('/push-credentials/{id}', { params: { path: { id: credential.id } }, body }))
    },
    changes: [pushCredentialsKey],
    onDone,
  })
  const { form } = sending
  const Fields = form.values.platform === 'ios' ? IosFields : AndroidFields
  return (
    <FormFrame api={sending} onCancel={onDone} onlyChanged={credential !== undefined}>
      <TextInput
        label={c('name')}
        description={t('nameHint')}
        required
        data-autofocus
        {...form.getInputProps('name')}
      />
      <ApiKeyField {...form.getInputProps('api_key_sid')} />
      {!credential && (
        <Input.Wrapper label={t('platform')} labelElement="div">
          <div>
            <SegmentedControl
              aria-label={t('platform')}
              data={[
                { value: 'ios', label: t('ios') },
                { value: 'android', label: t('android') },
              ]}
              {...form.getInputProps('platform')}
            />
          </div>
        </Input.Wrapper>
      )}
      <Fields input={(field) => form.getInputProps(field)} isNew={!credential} />
    </FormFrame>
  )
}
