/** SMS carriers: what `POST /carriers` takes, and numbers that have some. */
import type { Appliance, TestWorkspace } from '../support/appliance.js'
import { newActiveNumber, succeed } from './fixtures.js'

/** Nobody listens there. */
export const smppCarrier = {
  title: 'Blue SMSC',
  kind: 'smpp',
  settings: { host: '127.0.0.1', port: 9, system_id: 'jackfield', password: 'bindword' },
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
