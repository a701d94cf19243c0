import { dataOf } from '@jackfield/sdk'
import { Group, Input, SegmentedControl, Stack, Switch, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../../api/client'
import { FormFrame, useApiForm } from '../../../design/forms'
import { AddRow, RemoveRow } from '../../../design/rows'
import { useTexts } from '../../../i18n/texts'
import { type InboundAcl, aclQuery, aclsKey } from '../queries'
import { trunksTexts } from '../texts'

interface Values extends Record<string, unknown> {
  title: string
  mode: InboundAcl['mode']
  allowed_ips: string[]
  trusts_identity: boolean
}

/** The contract's. */
const mostEntries = 5

function bodyOf({ title, mode, allowed_ips, trusts_identity }: Values) {
  return { title, mode, allowed_ips: allowed_ips.map((entry) => entry.trim()), trusts_identity }
}

/** @param acl the one that is changed; a new one without */
export function AclForm({ acl, onDone }: { acl?: InboundAcl; onDone: (saved?: { id: string }) => void }) {
  const t = useTexts(trunksTexts)
  const sending = useApiForm<Values, { id: string }>({
    initialValues: {
      title: acl?.title ?? '',
      mode: acl?.mode ?? 'ip',
      allowed_ips: acl?.allowed_ips ?? [''],
      trusts_identity: acl?.trusts_identity ?? false,
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
      {acl?.mode === 'domain' && <Resolved id={acl.id} />}
    </FormFrame>
  )
}

/** What DNS says of the names as they are saved. */
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
