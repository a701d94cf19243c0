import { dataOf } from '@jackfield/sdk'
import { Group, MultiSelect, Select, Switch, TextInput } from '@mantine/core'
import { api } from '../../../api/client'
import { FormFrame, useApiForm } from '../../../design/forms'
import { useTexts } from '../../../i18n/texts'
import { type OutboundGateway, gatewaysKey } from '../queries'
import { trunksTexts } from '../texts'
import { GatewayAddresses, type GatewayValues } from './gateway-addresses'
import { GatewayHeaders } from './gateway-headers'
import { GatewayRegistration } from './gateway-registration'
import { PasswordField } from '../../../design/password-field'

/** @param gateway the one to edit; without it a new one is created */
export function GatewayForm({
  gateway,
  onDone,
}: {
  gateway?: OutboundGateway
  onDone: (saved?: { id: string }) => void
}) {
  const t = useTexts(trunksTexts)
  const sending = useApiForm<GatewayValues, { id: string }>({
    initialValues: {
      title: gateway?.title ?? '',
      outbound_caller_id: gateway?.outbound_caller_id ?? '',
      outbound_uris: gateway?.outbound_uris.map((one) => ({ ...one, port: one.lookup ? '' : one.port })) ?? [
        { uri: '', port: 5060, protocol: 'udp', priority: 1 },
      ],
      media_encryption: gateway?.media_encryption ?? 'none',
      codecs: gateway?.codecs ?? [],
      options_ping: gateway?.options_ping ?? false,
      forwarded_calls: gateway?.forwarded_calls ?? 'none',
      forwarded_caller: gateway?.forwarded_caller ?? 'own',
      short_numbers: gateway?.short_numbers ?? [],
      from_user: gateway?.from_user ?? '',
      from_domain: gateway?.from_domain ?? '',
      contact_host: gateway?.contact_host ?? '',
      request_domain: gateway?.request_domain ?? '',
      register: gateway?.register ?? false,
      register_user: gateway?.register_user ?? '',
      register_domain: gateway?.register_domain ?? '',
      register_expires: gateway?.register_expires ?? 3600,
      country: gateway?.country ?? '',
      number_format: gateway?.number_format ?? 'plus',
      number_prefix: gateway?.number_prefix ?? '',
      caller_number_format: gateway?.caller_number_format ?? 'plus',
      signsIn: gateway?.credential !== undefined,
      credential: { username: gateway?.credential?.username ?? '', password: '' },
    },
    phoneNumbers: ['outbound_caller_id'],
    send: async (values, changed) => {
      const credential = credentialOf(values, gateway)
      return gateway
        ? dataOf(
            api.PATCH('/sip-trunks/gateways/{id}', {
              params: { path: { id: gateway.id } },
              body: { ...changed(fieldsOf), ...(credential !== undefined && { credential }) },
            }),
          )
        : dataOf(
            api.POST('/sip-trunks/gateways', {
              body: { ...fieldsOf(values), ...(credential && { credential }) },
            }),
          )
    },
    changes: [gatewaysKey],
    onDone,
  })
  const { form } = sending
  return (
    <FormFrame api={sending} onCancel={() => onDone()}>
      <TextInput label={t('titleField')} required data-autofocus {...form.getInputProps('title')} />
      <TextInput
        label={t('callerId')}
        description={t('callerIdHint')}
        inputMode="tel"
        {...form.getInputProps('outbound_caller_id')}
      />
      <GatewayAddresses form={form} />
      <Select
        label={t('encryption')}
        description={t('encryptionHint')}
        allowDeselect={false}
        data={[
          { value: 'none', label: t('encryptionNone') },
          { value: 'optional', label: t('encryptionOptional') },
          { value: 'required', label: t('encryptionRequired') },
        ]}
        {...form.getInputProps('media_encryption')}
      />
      <MultiSelect
        label={t('codecs')}
        description={t('codecsHint')}
        placeholder={form.values.codecs.length === 0 ? 'PCMU, PCMA' : ''}
        clearable
        data={['PCMU', 'PCMA', 'G722']}
        {...form.getInputProps('codecs')}
      />
      <Switch
        label={t('optionsPing')}
        description={t('optionsPingHint')}
        {...form.getInputProps('options_ping', { type: 'checkbox' })}
      />
      <Switch
        label={t('credential')}
        description={t('credentialHint')}
        {...form.getInputProps('signsIn', { type: 'checkbox' })}
      />
      {form.values.signsIn && (
        <Group align="flex-start" grow preventGrowOverflow={false}>
          <TextInput
            label={t('username')}
            required
            autoComplete="off"
            {...form.getInputProps('credential.username')}
          />
          <PasswordField
            label={t('password')}
            autoComplete="new-password"
            {...(gateway?.credential && { description: t('keepPassword') })}
            {...form.getInputProps('credential.password')}
          />
        </Group>
      )}
      {form.values.signsIn && <GatewayRegistration form={form} />}
      <GatewayHeaders form={form} />
    </FormFrame>
  )
}

function fieldsOf(values: GatewayValues) {
  const { title, outbound_uris, country, media_encryption, options_ping } = values
  const { forwarded_calls, forwarded_caller, short_numbers } = values
  const { number_format, number_prefix, caller_number_format } = values
  return {
    ...{ title, outbound_caller_id: values.outbound_caller_id || null },
    outbound_uris: outbound_uris.map(({ port, lookup = 'srv', ...uri }) =>
      port === ''
        ? { ...uri, port: uri.protocol === 'tls' ? 5061 : 5060, lookup }
        : { ...uri, port, lookup: 'address' as const },
    ),
    media_encryption,
    codecs: values.codecs.length === 0 ? null : values.codecs,
    options_ping,
    ...{ forwarded_calls, forwarded_caller, short_numbers },
    ...{ from_user: values.from_user || null, from_domain: values.from_domain || null },
    ...{ contact_host: values.contact_host || null, request_domain: values.request_domain || null },
    // without a credential nothing can be registered
    register: values.register && values.signsIn,
    ...{ register_user: values.register_user || null, register_domain: values.register_domain || null },
    register_expires: values.register_expires || 3600,
    ...{ country: country || '', number_format, number_prefix, caller_number_format },
  }
}

/** The API takes username and password together; undefined leaves both as they are, null removes them. */
function credentialOf(
  { signsIn, credential }: GatewayValues,
  before: OutboundGateway | undefined,
): { username: string; password: string } | null | undefined {
  if (!signsIn) return before?.credential ? null : undefined
  const isKept = credential.password === '' && credential.username === before?.credential?.username
  return isKept ? undefined : credential
}
