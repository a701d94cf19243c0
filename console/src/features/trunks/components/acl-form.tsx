import { dataOf } from '@jackfield/sdk'
import { Group, Input, SegmentedControl, Stack, Switch, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../../api/client'
import { FormFrame, useApiForm } from '../../../design/forms'
import { CountryField } from '../../../design/country-field'
import { AddRow, RemoveRow } from '../../../design/rows'
import { SettingFields } from '../../../design/setting-fields'
import { useTexts } from '../../../i18n/texts'
import { type InboundAcl, aclQuery, aclsKey } from '../queries'
import { headersTexts, trunksTexts } from '../texts'

interface Values extends Record<string, unknown> {
  title: string
  mode: InboundAcl['mode']
  allowed_ips: string[]
  trusts_identity: boolean
  country: string
  inbound_number_format: InboundAcl['inbound_number_format']
  inbound_number_prefix: string
  called_number_from: InboundAcl['called_number_from']
}

/** The contract's limit. */
const mostEntries = 5

function bodyOf({ title, mode, allowed_ips, trusts_identity, country, ...numbers }: Values) {
  const { inbound_number_format, inbound_number_prefix, called_number_from } = numbers
  return {
    ...{ title, mode, allowed_ips: allowed_ips.map((entry) => entry.trim()), trusts_identity },
    ...{ country: country || '', inbound_number_format, inbound_number_prefix, called_number_from },
  }
}

/** @param acl the one to edit; without it a new one is created */
export function AclForm({ acl, onDone }: { acl?: InboundAcl; onDone: (saved?: { id: string }) => void }) {
  const t = useTexts(trunksTexts)
  const words = useTexts(headersTexts)
  const sending = useApiForm<Values, { id: string }>({
    initialValues: {
      title: acl?.title ?? '',
      mode: acl?.mode ?? 'ip',
      allowed_ips: acl?.allowed_ips ?? [''],
      trusts_identity: acl?.trusts_identity ?? false,
      country: acl?.country ?? '',
      inbound_number_format: acl?.inbound_number_format ?? 'auto',
      inbound_number_prefix: acl?.inbound_number_prefix ?? '',
      called_number_from: acl?.called_number_from ?? 'request_uri',
    },
    send: async (values, changed) =>
      acl
        ? dataOf(
            api.PATCH('/sip-trunks/acls/{id}', { params: { path: { id: acl.id } }, body: changed(bodyOf) }),
          )
        : dataOf(api.POST('/sip-trunks/acls', { body: bodyOf(values) })),
    changes: [aclsKey],
    onDone,
  })
  const { form } = sending
  const { mode, allowed_ips } = form.values
  return (
    <FormFrame api={sending} onCancel={() => onDone()}>
      <TextInput label={t('titleField')} required data-autofocus {...form.getInputProps('title')} />
      <Input.Wrapper label={t('mode')} labelElement="div">
        <div>
          <SegmentedControl
            aria-label={t('mode')}
            data={[
              { value: 'ip', label: t('ip') },
              { value: 'domain', label: t('domain') },
            ]}
            {...form.getInputProps('mode')}
          />
        </div>
      </Input.Wrapper>
      <Stack gap="xs">
        {allowed_ips.map((_, index) => (
          <Group key={index} gap="xs" align="flex-end" wrap="nowrap">
            <TextInput
              style={{ flex: 1 }}
              label={t(mode === 'ip' ? 'entryIp' : 'entryDomain', { number: index + 1 })}
              required
              {...form.getInputProps(`allowed_ips.${index}`)}
            />
            {allowed_ips.length > 1 && (
              <RemoveRow
                label={t('removeAddress', { number: index + 1 })}
                onClick={() => form.removeListItem('allowed_ips', index)}
              />
            )}
          </Group>
        ))}
        {allowed_ips.length < mostEntries && (
          <AddRow label={t('addAddress')} onClick={() => form.insertListItem('allowed_ips', '')} />
        )}
      </Stack>
      <Switch
        label={t('trustsIdentity')}
        description={t('trustsIdentityHint')}
        {...form.getInputProps('trusts_identity', { type: 'checkbox' })}
      />
      <CountryField
        label={words('country')}
        description={words('inboundCountryHint')}
        clearable
        {...form.getInputProps('country')}
      />
      <SettingFields
        form={form}
        fields={[
          {
            ...{ path: 'inbound_number_format', label: words('inboundNumberFormat'), kind: 'choice' },
            choices: (['auto', 'e164', 'inboundNational'] as const).map((word) => ({
              value: word === 'inboundNational' ? 'national' : word,
              label: words(word),
            })),
          },
          { path: 'inbound_number_prefix', label: words('numberPrefix'), hint: words('inboundPrefixHint') },
          {
            ...{ path: 'called_number_from', label: words('calledNumberFrom'), kind: 'choice' },
            choices: (['request_uri', 'to', 'p_called_party_id'] as const).map((value) => ({
              value,
              label: words(value),
            })),
          },
        ]}
      />
      {acl?.mode === 'domain' && <Resolved id={acl.id} />}
    </FormFrame>
  )
}

/** DNS results of the saved names. */
function Resolved({ id }: { id: string }) {
  const t = useTexts(trunksTexts)
  const { data } = useQuery(aclQuery(id))
  return (
    <Stack gap={4}>
      {data?.resolved_hosts?.map(({ host, addresses, error }) => (
        <Text key={host} size="sm" c={error ? 'red' : 'dimmed'}>
          {host}:{' '}
          {error ? t('resolvedFailed', { error }) : t('resolvedTo', { addresses: addresses.join(', ') })}
        </Text>
      ))}
    </Stack>
  )
}
