import { Fieldset, Group, NumberInput, Select, Stack, Text, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { AddRow, RemoveRow } from '../../../design/rows'
import { useTexts } from '../../../i18n/texts'
import type { OutboundGateway } from '../queries'
import { trunksTexts } from '../texts'

export interface GatewayValues extends Record<string, unknown> {
  title: string
  outbound_caller_id: string
  /** The port is empty if DNS supplies it. */
  outbound_uris: (Omit<OutboundGateway['outbound_uris'][number], 'port'> & { port: number | '' })[]
  media_encryption: OutboundGateway['media_encryption']
  /** Default: PCMU, PCMA. */
  codecs: NonNullable<OutboundGateway['codecs']>
  options_ping: boolean
  forwarded_calls: OutboundGateway['forwarded_calls']
  forwarded_caller: OutboundGateway['forwarded_caller']
  short_numbers: string[]
  from_user: string
  from_domain: string
  contact_host: string
  request_domain: string
  register: boolean
  register_user: string
  register_domain: string
  register_expires: number | ''
  country: string
  number_format: OutboundGateway['number_format']
  number_prefix: string
  caller_number_format: OutboundGateway['caller_number_format']
  /** Whether the carrier requires the credential. */
  signsIn: boolean
  credential: { username: string; password: string }
}

/** The contract's limit. */
const mostAddresses = 10

/** SIP addresses of a gateway, in the order of failover. */
export function GatewayAddresses({ form }: { form: UseFormReturnType<GatewayValues> }) {
  const t = useTexts(trunksTexts)
  const { outbound_uris } = form.values
  return (
    <Stack gap="xs">
      <Text size="xs" c="dimmed">
        {t('portHint')}
      </Text>
      {outbound_uris.map((_, index) => (
        <Fieldset key={index} legend={t('addressN', { number: index + 1 })} p="sm">
          <Group align="flex-start" gap="xs">
            <TextInput
              label={t('host')}
              required
              style={{ flex: '1 1 200px' }}
              {...form.getInputProps(`outbound_uris.${index}.uri`)}
            />
            <NumberInput
              label={t('port')}
              placeholder="SRV"
              min={1}
              max={65_535}
              hideControls
              w={80}
              {...form.getInputProps(`outbound_uris.${index}.port`)}
            />
            <Select
              label={t('protocol')}
              allowDeselect={false}
              data={[
                { value: 'udp', label: 'UDP' },
                { value: 'tcp', label: 'TCP' },
                { value: 'tls', label: 'TLS' },
              ]}
              w={90}
              {...form.getInputProps(`outbound_uris.${index}.protocol`)}
            />
            <NumberInput
              label={t('priority')}
              min={1}
              max={10}
              w={80}
              {...form.getInputProps(`outbound_uris.${index}.priority`)}
            />
            {outbound_uris.length > 1 && (
              <RemoveRow
                besideLabel
                label={t('removeAddress', { number: index + 1 })}
                onClick={() => form.removeListItem('outbound_uris', index)}
              />
            )}
          </Group>
        </Fieldset>
      ))}
      {outbound_uris.length < mostAddresses && (
        <AddRow
          label={t('addAddress')}
          onClick={() =>
            form.insertListItem('outbound_uris', {
              uri: '',
              port: 5060,
              protocol: 'udp',
              priority: Math.min(outbound_uris.length + 1, mostAddresses),
            })
          }
        />
      )}
    </Stack>
  )
}
