/** SMS carriers: what `POST /carriers` takes, and numbers that have some. */
import type { Appliance, TestWorkspace } from '../support/appliance.js'
import { newActiveNumber, succeed } from './fixtures.js'

/** Nobody listens there. */
export const smppCarrier = {
  title: 'Blue SMSC',
  kind: 'smpp',
  settings: { host: '127.0.0.1', port: 9, system_id: 'jackfield', password: 'bindword' },
}

/** What its settings are where nothing else is set. */
export const smppDefaults = {
  ...{ tls: false, tls_ca: '', tls_server_name: '', system_type: '', bind: 'transceiver' },
  ...{ source_ton: null, source_npi: null, destination_ton: null, destination_npi: null },
  ...{ short_code_ton: 3, short_code_npi: 0, addr_ton: 0, addr_npi: 0, address_range: '' },
  ...{ country: '', number_format: 'digits', number_prefix: '' },
  ...{ inbound_number_format: 'auto', inbound_number_prefix: '', takes_originators: false },
  ...{ interface_version: '3.4', service_type: '', protocol_id: 0, priority: 0, registered_delivery: 1 },
  ...{
    enquire_link_seconds: 30,
    response_timeout_seconds: 10,
    long_messages: 'udh',
    gsm7_data_coding: 'gsm7',
  },
  ...{ inbound_default_data_coding: 'gsm7', inbound_ascii_data_coding: 'ascii' },
  ...{
    inbound_binary_data_coding: 'latin1',
    inbound_trailing_nul: 'end',
    refusals: {},
    receipt_statuses: {},
  },
  ...{ validity_seconds: 0, validity_format: 'relative' },
}

/** Nobody listens there. */
export const httpCarrier = {
  title: 'Green SMS',
  kind: 'http',
  settings: {
    url: 'https://sms.example/messages',
    body: '{"to": "{{to}}", "from": "{{from}}", "text": "{{body}}"}',
    headers: { Authorization: 'Bearer carrier-key-of-the-tests' },
    inbound_secret: 'what-the-carrier-signs-with',
  },
}

/** @returns its id */
export async function newCarrier(appliance: Appliance, changes: object = {}): Promise<string> {
  return (await succeed(appliance.operator.post('/carriers', { ...smppCarrier, ...changes }))).id
}

/** Where the carriers of a number are. */
export function carriersPath(workspace: TestWorkspace, numberId: string): string {
  return `/workspaces/${workspace.id}/phone-numbers/${numberId}/carriers`
}

/** An active number that has these carriers. */
export async function newNumberWith(
  appliance: Appliance,
  workspace: TestWorkspace,
  carrier_ids: readonly string[],
): Promise<{ id: string; number: string }> {
  const number = await newActiveNumber(appliance, workspace)
  await succeed(appliance.operator.put(carriersPath(workspace, number.id), { carrier_ids }))
  return number
}
