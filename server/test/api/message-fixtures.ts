/** Numbers that send messages, and what they send. */
import type { Answer, ApiClient } from '../support/api-client.js'
import type { Appliance, TestWorkspace } from '../support/appliance.js'
import { carriersPath, httpCarrier, newCarrier } from './carrier-fixtures.js'
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

/** Makes a carrier that takes files; nobody listens there. */
export async function newMediaCarrier(appliance: Appliance): Promise<string> {
  return newCarrier(appliance, { ...httpCarrier, settings: { ...httpCarrier.settings, media: true } })
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
  workspace: TestWorkspace,
  numberId: string,
  { carrier, ...values }: { carrier?: string } & Record<string, unknown> = {},
): Promise<string> {
  const { operator } = workspace.appliance
  const assigned = carrier ?? (await newCarrier(workspace.appliance))
  await succeed(operator.put(carriersPath(workspace, numberId), { carrier_ids: [assigned] }))
  await succeed(operator.patch(`/workspaces/${workspace.id}/phone-numbers/${numberId}`, values))
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
