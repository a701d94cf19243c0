/** Numbers that send messages, and what they send. */
import { newId } from '../../src/database/ids.js'
import type { Answer, ApiClient } from '../support/api-client.js'
import type { Appliance, TestWorkspace } from '../support/appliance.js'
import { query } from './database.js'
import { newActiveNumber, succeed } from './fixtures.js'

/** A client of the workspace. */
export const client = '+12025550142'

/** A number of a workspace that sends messages. */
export interface TextingNumber {
  id: string
  /** E.164. */
  number: string
  /** Its carrier, whose line is down. */
  carrier: string
}

/** Makes a carrier that nobody answers for. */
export async function newCarrier(appliance: Appliance, settings: object = {}): Promise<string> {
  const id = newId('car')
  const row = {
    ...{ id, title: 'Carrier', kind: 'http', settings: JSON.stringify({ media: false, ...settings }) },
    ...{ secrets: '', is_active: 1, window_size: 10, throughput: 10 },
  }
  await query(
    appliance,
    `INSERT INTO carriers (${Object.keys(row).join(', ')}, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, NOW(3), NOW(3))`,
    Object.values(row),
  )
  return id
}

/** Connects and activates a number, and has it send messages. */
export async function newTextingNumber(
  appliance: Appliance,
  workspace: TestWorkspace,
  values: { carrier?: string } & Record<string, unknown> = {},
): Promise<TextingNumber> {
  const { id, number } = await newActiveNumber(appliance, workspace)
  const carrier = await enableTexts(workspace, id, values)
  return { id, number: `+${number.replace('+', '')}`, carrier }
}

/** Has a number send messages: assigns a carrier to it, and sets what else is given. */
export async function enableTexts(
  { id: workspace_id, appliance }: Pick<TestWorkspace, 'id' | 'appliance'>,
  numberId: string,
  { carrier, ...values }: { carrier?: string } & Record<string, unknown> = {},
): Promise<string> {
  const assigned = carrier ?? (await newCarrier(appliance))
  await query(
    appliance,
    'INSERT INTO number_carriers (phone_number_id, carrier_id, workspace_id, position) VALUES (?, ?, ?, 0)',
    [numberId, assigned, workspace_id],
  )
  const changes = { capabilities: ['voice', 'sms'], ...values }
  await succeed(appliance.operator.patch(`/workspaces/${workspace_id}/phone-numbers/${numberId}`, changes))
  return assigned
}

/** Sends a text. */
export async function sendText(
  api: ApiClient,
  from: string,
  changes: object = {},
  key?: string,
): Promise<Answer> {
  const headers = key === undefined ? {} : { 'idempotency-key': key }
  return api.post('/messages/send', { from, to: client, body: 'Hello', ...changes }, headers)
}
