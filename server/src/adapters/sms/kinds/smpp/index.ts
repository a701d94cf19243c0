import { isHost } from '../../../../lib/hosts.js'
import { carrierKind } from '../../carrier-kind.js'
import { numbersSection } from '../../number-settings.schema.js'
import { SmppSettingsShape } from './settings.schema.js'
import { SmppLink } from './smpp-link.js'

const international = 1

export const smpp = carrierKind({
  kind: 'smpp',
  settings: SmppSettingsShape,
  secrets: ['password'],
  check({ host, number_format, source_ton, destination_ton }) {
    if (!isHost(host)) return [{ field: 'host', problem: 'must be a host name or an IP address' }]
    if (number_format !== 'national' && number_format !== 'national_trunk') return []
    const problem =
      'must not be 1 (international) where number_format is national: the SMSC would read another number'
    return Object.entries({ source_ton, destination_ton })
      .filter(([, ton]) => ton === international)
      .slice(0, 1)
      .map(([field]) => ({ field, problem }))
  },
  connect: (settings, { window, holder, log }) =>
    new SmppLink({ ...settings, window_size: window }, holder, log),
  form: {
    first: ['host', 'port', 'system_id', 'password', 'tls'],
    sections: [
      {
        title: 'line',
        fields: [
          ...['host', 'port', 'tls', 'tls_server_name'],
          { name: 'tls_ca', editor: 'text' },
          ...['enquire_link_seconds', 'response_timeout_seconds'],
        ],
      },
      {
        title: 'signIn',
        fields: [
          ...['system_id', 'password', 'system_type', 'bind'],
          { name: 'interface_version', words: 'verbatim' },
          'address_range',
          { name: 'addr_ton', editor: 'ton' },
          { name: 'addr_npi', editor: 'npi' },
        ],
      },
      numbersSection(
        { name: 'source_ton', editor: 'ton' },
        { name: 'source_npi', editor: 'npi' },
        { name: 'destination_ton', editor: 'ton' },
        { name: 'destination_npi', editor: 'npi' },
        { name: 'short_code_ton', editor: 'ton' },
        { name: 'short_code_npi', editor: 'npi' },
      ),
      {
        title: 'texts',
        fields: [
          ...['long_messages', 'gsm7_data_coding', 'inbound_default_data_coding'],
          ...['inbound_ascii_data_coding', 'inbound_binary_data_coding'],
          { name: 'inbound_trailing_nul', words: { end: 'nulEnd', text: 'nulText' } },
          ...['service_type', 'protocol_id', 'priority', 'validity_seconds', 'validity_format'],
        ],
      },
      { title: 'refusals', hint: 'refusalsHintSmpp', fields: ['refusals'] },
      { title: 'words', fields: ['registered_delivery', { name: 'receipt_statuses', label: 'words' }] },
    ],
    flags: {
      host: 'name or address of the SMSC',
      port: 'its port',
      tls: 'TLS from the first byte',
      system_id: 'who binds',
      password: 'password of the bind',
      bind: 'one connection for both directions, or one for each',
    },
  },
})
